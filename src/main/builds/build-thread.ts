// The main thread's end of a thread that builds some of the read models, so that a build from the start of a long log takes two cores.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DocumentsTarget, EngineFiles } from '../../adapters/engine.js';
import { CannotFold, Unavailable } from '../../domain/errors.js';
import type { Elsewhere } from '../../projections/build/rebuild.js';
import type { BuildThreadData, FromBuildThread } from './thread.js';

/** About as many as are built while a thread starts, a few times over. */
const LEAST_EVENTS = 50_000;
/** As on the main thread, what is folded at once shall not outlive a collection of the young garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/** A thread for each build, which ends with it. The documents are built in `target`, by the writer of this thread. */
export function buildInThread(files: EngineFiles, target: DocumentsTarget): Elsewhere {
  const build: Elsewhere['build'] = (builds, { signal, upTo, purpose, onProgress }) => {
    const names = builds.map(({ projection, generation }) => ({ name: projection.name, generation }));
    const worker = startThread({ files, target: target.file, builds: names, upTo, purpose });
    const stop = () => worker.postMessage('stop');
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      worker.on('error', reject);
      worker.on('exit', () => reject(new Unavailable('the thread that builds read models ended; start again')));
      worker.on('message', (message: FromBuildThread) => {
        if (message.kind === 'progress') return onProgress?.(message.done, message.total);
        if (message.kind === 'ended') return resolve();
        if (message.kind === 'failed') return reject(failureOf(message));
        const { id, operation } = message;
        target.apply(operation).then(
          (result) => worker.postMessage({ id, result }),
          (err: unknown) => worker.postMessage({ id, failed: err instanceof Error ? err.message : String(err) }),
        );
      });
    })
      .finally(() => {
        signal.removeEventListener('abort', stop);
        return worker.terminate();
      })
      .then(() => undefined);
  };
  return { leastEvents: LEAST_EVENTS, build };
}

function failureOf({ message, stack, isOfFold }: Extract<FromBuildThread, { kind: 'failed' }>): Error {
  return Object.assign(isOfFold ? new CannotFold(message) : new Error(message), { stack });
}

/** Run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit the main thread's. */
function startThread(data: BuildThreadData): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const url = new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href;
  const serve = `import(${JSON.stringify(url)}).then((thread) => thread.buildHere())`;
  const script = isCompiled ? serve : `import('tsx/esm/api').then(({ register }) => register()).then(() => ${serve});`;
  return new Worker(script, { eval: true, execArgv: [], workerData: data, resourceLimits });
}

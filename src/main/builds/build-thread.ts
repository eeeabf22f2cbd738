// The main thread's end of a thread that builds some of the read models, so that a build from the start of a long log takes two cores.
import type { DocumentsTarget, EngineFiles } from '../../adapters/engine/engine.js';
import { CannotFold, Unavailable } from '../../domain/errors.js';
import type { Elsewhere } from '../../projections/rebuild/rebuild.js';
import { startThread } from '../start-thread.js';
import type { BuildThreadData, FromBuildThread } from './thread.js';

/** About as many as are built while a thread starts, a few times over. */
const LEAST_EVENTS = 50_000;

/** A thread for each build, which ends with it. The documents are built in `target`, by the writer of this thread. */
export function buildInThread(files: EngineFiles, target: DocumentsTarget): Elsewhere {
  const build: Elsewhere['build'] = (builds, { signal, upTo, purpose, onProgress }) => {
    const names = builds.map(({ projection, generation }) => ({ name: projection.name, generation }));
    const data: BuildThreadData = { files, target: target.file, builds: names, upTo, purpose };
    const worker = startThread(new URL('./thread', import.meta.url), 'buildHere', data);
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

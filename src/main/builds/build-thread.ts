// Main-thread client of a thread that builds some of the read models, so that a build of a long log uses two cores.
import type { DocumentsTarget, EngineFiles } from '../../adapters/engine/engine.js';
import { CannotFold, Unavailable } from '../../domain/errors.js';
import type { BuildThread } from '../../projections/rebuild/rebuild.js';
import { LARGE_YOUNG_GENERATION, startThread } from '../../adapters/threads.js';
import type { BuildThreadData, FromBuildThread } from './thread.js';

/** Minimum number of events for a thread: a few times as many as are applied while it starts. */
const MIN_EVENTS = 50_000;

/** Returns a builder that starts a thread for each build. Documents are written to `target` by the writer of this thread. */
export function buildInThread(files: EngineFiles, target: DocumentsTarget): BuildThread {
  const build: BuildThread['build'] = async (builds, { signal, upTo, purpose, onProgress }) => {
    const names = builds.map(({ projection, generation }) => ({ name: projection.name, generation }));
    const data: BuildThreadData = { files, target: target.file, builds: names, upTo, purpose };
    const worker = startThread(new URL('./thread', import.meta.url), 'buildHere', {
      workerData: data,
      resourceLimits: LARGE_YOUNG_GENERATION,
    });
    const stop = () => worker.postMessage('stop');
    const ended = new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      worker.on('error', reject);
      worker.on('exit', () => reject(new Unavailable('the build thread ended; retry')));
      worker.on('message', (message: FromBuildThread) => {
        if (message.kind === 'progress') return onProgress?.(message.done, message.total);
        if (message.kind === 'ended') return resolve();
        if (message.kind === 'failed') return reject(toError(message));
        const { id, operation } = message;
        target.apply(operation).then(
          (result) => worker.postMessage({ id, result }),
          (err: unknown) => worker.postMessage({ id, failed: err instanceof Error ? err.message : String(err) }),
        );
      });
    });
    try {
      await ended;
    } finally {
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }
  };
  return { leastEvents: MIN_EVENTS, build };
}

function toError({ message, stack, isOfFold }: Extract<FromBuildThread, { kind: 'failed' }>): Error {
  return Object.assign(isOfFold ? new CannotFold(message) : new Error(message), { stack });
}

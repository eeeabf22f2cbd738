// Runs a loop for ever: when it ends or fails it starts again, later and later while it keeps failing.
import type { Logger } from 'pino';
import type { Runtime } from '../adapters/runtime.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export type LoopDeps = { readonly runtime: Runtime; readonly logger: Logger };

/** Resolves once the signal has aborted and the run under way has ended. */
export async function superviseLoop(
  name: string,
  { runtime, logger }: LoopDeps,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const startedAt = runtime.now();
    try {
      await run();
      pauseMs = FIRST_PAUSE_MS;
    } catch (err) {
      if (signal.aborted) return;
      if (runtime.now() - startedAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      logger.error(
        { loop: name, pauseMs, stack: err instanceof Error ? err.stack : String(err) },
        'loop failed, starts again',
      );
      await runtime.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

// Supervised loops: one that ends or fails is restarted, with growing delays while it keeps failing.
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** Maximum delay while a dependency is unavailable: checking is cheap then, and the loop continues soon after recovery. */
export const MAX_OUTAGE_PAUSE_MS = 2000;

export type LoopDeps = {
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Called for each attempt that failed. */
  readonly onFailure?: (() => void) | undefined;
};

/** Runs a loop. Resolves once the signal has aborted and the current run has ended. */
export async function superviseLoop(
  name: string,
  { runtime, logger, onFailure }: LoopDeps,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let pauseMs = MIN_PAUSE_MS;
  while (!signal.aborted) {
    const startedAt = runtime.elapsed();
    try {
      await run();
      pauseMs = MIN_PAUSE_MS;
    } catch (err) {
      if (signal.aborted) return;
      onFailure?.();
      if (runtime.elapsed() - startedAt > MAX_PAUSE_MS) pauseMs = MIN_PAUSE_MS;
      const longest = err instanceof Unavailable ? MAX_OUTAGE_PAUSE_MS : MAX_PAUSE_MS;
      pauseMs = Math.min(pauseMs, longest);
      logger.error(
        { loop: name, pauseMs, stack: err instanceof Error ? err.stack : String(err) },
        'loop failed; restarting',
      );
      await runtime.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longest);
    }
  }
}

/** Runs supervised rounds, `everyMs` apart; the loop's name identifies its pauses in the runtime. */
export function superviseRounds(
  name: string,
  everyMs: number,
  { runtime, logger }: LoopDeps,
  signal: AbortSignal,
  round: () => Promise<void>,
): Promise<void> {
  return superviseLoop(name, { runtime, logger }, signal, async () => {
    await round();
    await runtime.pause(name, everyMs, signal);
  });
}

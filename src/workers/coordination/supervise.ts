// Runs a loop for ever: when it ends or fails it starts again, later and later while it keeps failing.
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** What a loop depends on is away: asking is cheap then, and it goes on soon after the return. */
export const MAX_PAUSE_WHILE_AWAY_MS = 2000;

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
    const startedAt = runtime.elapsed();
    try {
      await run();
      pauseMs = FIRST_PAUSE_MS;
    } catch (err) {
      if (signal.aborted) return;
      if (runtime.elapsed() - startedAt > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      const longest = err instanceof Unavailable ? MAX_PAUSE_WHILE_AWAY_MS : MAX_PAUSE_MS;
      pauseMs = Math.min(pauseMs, longest);
      logger.error(
        { loop: name, pauseMs, stack: err instanceof Error ? err.stack : String(err) },
        'loop failed, starts again',
      );
      await runtime.sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longest);
    }
  }
}

/** One round after the other, `everyMs` apart, under the same care; the runtime knows the pauses by the loop's name. */
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

// Circuit breaker for receivers of webhooks: five failures in a row open it, then one probe at a time decides.
import { isoFromMs } from '../time.js';
import { breakerWait, type Schedule } from './schedule.js';

export type Breaker = {
  readonly failuresInARow: number;
  /** End of the pause, after which one probe is sent. Null: the breaker is closed. */
  readonly openUntil: string | null;
  /** Number of failed probes. */
  readonly probes: number;
};

export const noFailures: Breaker = { failuresInARow: 0, openUntil: null, probes: 0 };

/** The deliveries that may be sent now. */
export type Admission = 'all' | 'probe' | 'nothing';

const FAILURES_TO_OPEN = 5;

export function afterFailure(b: Breaker, atMs: number, schedule: Schedule): Breaker {
  const at = isoFromMs(atMs);
  const failuresInARow = b.failuresInARow + 1;
  // Attempts that were in flight when it opened are not probes.
  const wasProbe = b.openUntil !== null && b.openUntil <= at;
  const probes = wasProbe ? b.probes + 1 : b.probes;
  const opens = failuresInARow >= FAILURES_TO_OPEN && (b.openUntil === null || wasProbe);
  return { failuresInARow, probes, openUntil: opens ? isoFromMs(atMs + breakerWait(schedule, probes)) : b.openUntil };
}

export function admissionOf({ openUntil }: Breaker, nowMs: number): Admission {
  if (openUntil === null) return 'all';
  return openUntil <= isoFromMs(nowMs) ? 'probe' : 'nothing';
}

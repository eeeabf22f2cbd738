// The retry schedule of failed deliveries. Pure: randomness and time are arguments.

/** Seconds before each attempt, counted from the failure before; Standard Webhooks' example table: 10 attempts in 75.6 hours. */
export const defaultSchedule: readonly number[] = [
  ...[0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600],
];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
const HEAD_MS = 35 * MINUTE_MS;
const HEAD_ATTEMPTS = 4;
const BREAKER_MS = [0.5, 1, 2, 5, 10].map((minutes) => minutes * MINUTE_MS);
const JITTER = 0.2;

/** Statuses of an overloaded or absent receiver, which a retry within seconds would make worse. */
const BUSY_STATUSES = new Set([429, 502, 503, 504]);

/**
 * The waits of one installation. If the operator configured the table, its largest entry also caps every other wait, so that a short
 * table keeps all waits short.
 */
export type Schedule = { readonly waitsMs: readonly number[]; readonly maxWaitMs: number };

export function scheduleOf(seconds: readonly number[] | null): Schedule {
  const waitsMs = (seconds ?? defaultSchedule).map((s) => s * 1000);
  return { waitsMs, maxWaitMs: seconds === null ? DAY_MS : Math.max(...waitsMs) };
}

/** Result of an attempt: the status of the response, or null and the error code. */
export type Outcome = {
  readonly status: number | null;
  readonly errorCode: string | null;
  /** `Retry-After` of the response, in ms. */
  readonly retryAfterMs: number | null;
};

export function isSuccess({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns the wait after the failure of the `attempts`-th attempt, in ms; null if it was the last. `chance` is in [0, 1). */
export function waitAfter(s: Schedule, attempts: number, outcome: Outcome, chance: number): number | null {
  const base = s.waitsMs[attempts];
  if (base === undefined) return null;
  const isBusy = outcome.errorCode === 'timeout' || (outcome.status !== null && BUSY_STATUSES.has(outcome.status));
  const minMs = isBusy ? Math.min(MINUTE_MS, s.maxWaitMs) : 0;
  const jittered = Math.max(minMs, base * (1 - JITTER + 2 * JITTER * chance));
  if (outcome.retryAfterMs === null) return Math.round(jittered);
  const maxMs = Math.min(Math.max(2 * base, 10 * MINUTE_MS), DAY_MS, s.maxWaitMs);
  return Math.round(Math.max(jittered, Math.min(outcome.retryAfterMs, maxMs)));
}

/** Returns true when a delivery has failed for so long that the subscriber's later events no longer wait for it. */
export function leavesSerialQueue(s: Schedule, attempts: number, failingMs: number): boolean {
  return attempts >= HEAD_ATTEMPTS || failingMs >= Math.min(HEAD_MS, s.maxWaitMs);
}

/** Returns the pause of an open circuit breaker in ms, which grows with the number of failed probes. */
export function breakerWait(s: Schedule, probes: number): number {
  return Math.min(BREAKER_MS[Math.min(probes, BREAKER_MS.length - 1)] ?? 0, s.maxWaitMs);
}

/** Parses `Retry-After` to ms from now: seconds or a date (RFC 9110 §10.2.3). Null when it is neither. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

// When a delivery that failed is tried again. Pure: chance and time come in.

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

/** Slow down, or nobody there: to come back in seconds only makes it worse. */
const BUSY_STATUSES = new Set([429, 502, 503, 504]);

/**
 * The waits of one installation. Where the operator set the table, every other wait is capped by its largest entry, so that a short
 * table is short in all.
 */
export type Schedule = { readonly waitsMs: readonly number[]; readonly maxWaitMs: number };

export function scheduleOf(seconds: readonly number[] | null): Schedule {
  const waitsMs = (seconds ?? defaultSchedule).map((s) => s * 1000);
  return { waitsMs, maxWaitMs: seconds === null ? DAY_MS : Math.max(...waitsMs) };
}

/** How an attempt ended: a response's status, or null and why none came. */
export type Outcome = {
  readonly status: number | null;
  readonly errorCode: string | null;
  /** What the response's `Retry-After` asks for, in ms. */
  readonly retryAfterMs: number | null;
};

export function isSuccess({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The wait after the `attempts`-th attempt failed, in ms; null: it was the last. `chance` is in [0, 1). */
export function waitAfter(s: Schedule, attempts: number, outcome: Outcome, chance: number): number | null {
  const base = s.waitsMs[attempts];
  if (base === undefined) return null;
  const isBusy = outcome.errorCode === 'timeout' || (outcome.status !== null && BUSY_STATUSES.has(outcome.status));
  const least = isBusy ? Math.min(MINUTE_MS, s.maxWaitMs) : 0;
  const jittered = Math.max(least, base * (1 - JITTER + 2 * JITTER * chance));
  if (outcome.retryAfterMs === null) return Math.round(jittered);
  const most = Math.min(Math.max(2 * base, 10 * MINUTE_MS), DAY_MS, s.maxWaitMs);
  return Math.round(Math.max(jittered, Math.min(outcome.retryAfterMs, most)));
}

/** True when a delivery has failed for so long that the subscriber's later events no longer wait for it. */
export function leavesSerialQueue(s: Schedule, attempts: number, failingMs: number): boolean {
  return attempts >= HEAD_ATTEMPTS || failingMs >= Math.min(HEAD_MS, s.maxWaitMs);
}

/** How long an endpoint is left alone after it failed so often in a row, by the probes that failed since. */
export function breakerWait(s: Schedule, probes: number): number {
  return Math.min(BREAKER_MS[Math.min(probes, BREAKER_MS.length - 1)] ?? 0, s.maxWaitMs);
}

/** `Retry-After` of a response in ms from now: seconds or a date (RFC 9110 §10.2.3). Null when it is neither. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

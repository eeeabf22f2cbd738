// The health of an endpoint from the results of its deliveries: counts for its owner, and the decision to pause, warn or disable.
// Five failures in a row open its circuit breaker, then one probe at a time decides.
import { isoFromMs, msFromIso } from '../time.js';
import { breakerWait, type Schedule, isSuccess, type Outcome } from './schedule.js';

type Breaker = {
  readonly failuresInARow: number;
  /** End of the pause, after which one probe is sent. Null: the breaker is closed. */
  readonly openUntil: string | null;
  /** Number of failed probes. */
  readonly probes: number;
};

const noFailures: Breaker = { failuresInARow: 0, openUntil: null, probes: 0 };

/** The deliveries that may be sent now. */
export type Admission = 'all' | 'probe' | 'nothing';

const FAILURES_TO_OPEN = 5;

function afterFailure(b: Breaker, atMs: number, schedule: Schedule): Breaker {
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

/** Delivery attempts of one hour. `hour`: `2026-11-20T10`, UTC. */
type Hour = { readonly hour: string; readonly delivered: number; readonly failed: number };

export type EndpointHealth = Breaker & {
  readonly lastDelivery: { readonly at: string; readonly status: number | null } | null;
  /** Attempts by hour, newest first. */
  readonly hours: readonly Hour[];
  /** The first failure since the last success. */
  readonly failing: { readonly since: string; readonly deliveryId: string; readonly hasOther: boolean } | null;
  /** Identifier of the period in which the endpoint has been enabled without a break, assigned by the sender. */
  readonly enabledSince: string;
};

export const noHealth: EndpointHealth = {
  ...noFailures,
  lastDelivery: null,
  hours: [],
  failing: null,
  enabledSince: '',
};

/** The last 24 hours overlap at most 25 clock hours. */
const RETAINED_HOURS = 25;
const HOUR_MS = 3_600_000;
const MIN_APART_MS = 12 * HOUR_MS;
const WARN_AFTER_HOURS = [24, 72];
const DISABLE_AFTER_HOURS = 120;

export type AttemptResult = { readonly deliveryId: string; readonly atMs: number; readonly outcome: Outcome };

export function afterAttempt(h: EndpointHealth, a: AttemptResult, schedule: Schedule): EndpointHealth {
  const at = isoFromMs(a.atMs);
  const lastDelivery = { at, status: a.outcome.status };
  if (isSuccess(a.outcome)) {
    return { ...noHealth, enabledSince: h.enabledSince, lastDelivery, hours: countAttempt(h.hours, at, 'delivered') };
  }
  return {
    ...afterFailure(h, a.atMs, schedule),
    lastDelivery,
    hours: countAttempt(h.hours, at, 'failed'),
    failing: failingSince(h, a, at),
    enabledSince: h.enabledSince,
  };
}

type HealthVerdict = { readonly kind: 'warn'; readonly hours: number } | { readonly kind: 'disable' } | null;

/** Returns the consequence of the latest failure. Disabling needs two messages that failed at least 12 hours apart: one may be poison. */
export function assessHealth(h: EndpointHealth): HealthVerdict {
  if (!h.failing || !h.lastDelivery) return null;
  const hours = (msFromIso(h.lastDelivery.at) - msFromIso(h.failing.since)) / HOUR_MS;
  if (hours >= DISABLE_AFTER_HOURS && h.failing.hasOther) return { kind: 'disable' };
  const passed = WARN_AFTER_HOURS.filter((limit) => hours >= limit).at(-1);
  return passed === undefined ? null : { kind: 'warn', hours: passed };
}

/** Counts the attempts of the last 24 hours. */
export function statsOf({ hours }: EndpointHealth, nowMs: number): { delivered: number; failed: number } {
  const from = isoFromMs(nowMs - 24 * HOUR_MS).slice(0, 13);
  const recent = hours.filter((h) => h.hour >= from);
  const sum = (count: 'delivered' | 'failed') => recent.reduce((total, h) => total + h[count], 0);
  return { delivered: sum('delivered'), failed: sum('failed') };
}

function failingSince(h: EndpointHealth, { deliveryId, atMs }: AttemptResult, at: string): EndpointHealth['failing'] {
  if (!h.failing) return { since: at, deliveryId, hasOther: false };
  const isOther = deliveryId !== h.failing.deliveryId && atMs - msFromIso(h.failing.since) >= MIN_APART_MS;
  return isOther ? { ...h.failing, hasOther: true } : h.failing;
}

function countAttempt(hours: readonly Hour[], at: string, count: 'delivered' | 'failed'): readonly Hour[] {
  const hour = at.slice(0, 13);
  const entry = hours.find((h) => h.hour === hour) ?? { hour, delivered: 0, failed: 0 };
  const others = hours.filter((h) => h.hour !== hour);
  return [{ ...entry, [count]: entry[count] + 1 }, ...others].slice(0, RETAINED_HOURS);
}

/**
 * Health of a host that receives webhooks of one tenant. It outlives the webhooks, so that a new webhook to the same host does not reset
 * it. The breaker counts requests without a response; a response with an error status counts against the endpoint only.
 */
export type HostHealth = Breaker & {
  /** True if the latest response was fast. Endpoints of a host that has not responded yet, or responds slowly, get few requests at first. */
  readonly isPrompt: boolean;
};

export const unknownHost: HostHealth = { ...noFailures, isPrompt: false };

const PROMPT_MS = 2000;

type HttpExchange = { readonly atMs: number; readonly ms: number; readonly outcome: Outcome };

export function isPrompt({ ms, outcome }: Pick<HttpExchange, 'ms' | 'outcome'>): boolean {
  return outcome.status !== null && ms <= PROMPT_MS;
}

export function afterExchange(h: HostHealth, exchange: HttpExchange, schedule: Schedule): HostHealth {
  const { atMs, outcome } = exchange;
  const breaker = outcome.status === null ? afterFailure(h, atMs, schedule) : noFailures;
  return { ...breaker, isPrompt: isPrompt(exchange) };
}

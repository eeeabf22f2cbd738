// What is known of an endpoint from how its deliveries ended: counts for its owner, and whether to leave it alone for a while, warn, or
// give it up.
import { isoFromMs, msFromIso } from '../time.js';
import { afterFailure, noFailures, type Breaker } from './breaker.js';
import { isSuccess, type Outcome, type Schedule } from './schedule.js';

/** `hour`: `2026-11-20T10`, UTC. Attempts, not events. */
type Hour = { readonly hour: string; readonly delivered: number; readonly failed: number };

export type EndpointHealth = Breaker & {
  readonly lastDelivery: { readonly at: string; readonly status: number | null } | null;
  /** Newest first. */
  readonly hours: readonly Hour[];
  /** The first failure since the last success. */
  readonly failing: { readonly since: string; readonly deliveryId: string; readonly hasOther: boolean } | null;
  /** Since when it is enabled without a break, as the sender names it. */
  readonly era: string;
};

export const noHealth: EndpointHealth = {
  ...noFailures,
  lastDelivery: null,
  hours: [],
  failing: null,
  era: '',
};

/** A day back from any minute touches 25 hours. */
const KEPT_HOURS = 25;
const HOUR_MS = 3_600_000;
const APART_MS = 12 * HOUR_MS;
const WARN_AFTER_HOURS = [24, 72];
const DISABLE_AFTER_HOURS = 120;

export type Attempted = { readonly deliveryId: string; readonly atMs: number; readonly outcome: Outcome };

export function afterAttempt(h: EndpointHealth, a: Attempted, schedule: Schedule): EndpointHealth {
  const at = isoFromMs(a.atMs);
  const lastDelivery = { at, status: a.outcome.status };
  if (isSuccess(a.outcome)) {
    return { ...noHealth, era: h.era, lastDelivery, hours: counted(h.hours, at, 'delivered') };
  }
  return {
    ...afterFailure(h, a.atMs, schedule),
    lastDelivery,
    hours: counted(h.hours, at, 'failed'),
    failing: failing(h, a, at),
    era: h.era,
  };
}

export type Verdict = { readonly kind: 'warn'; readonly hours: number } | { readonly kind: 'disable' } | null;

/** What the latest failure calls for. Disabling takes two messages that failed at least 12 hours apart: one may be poison. */
export function verdictOn(h: EndpointHealth): Verdict {
  if (!h.failing || !h.lastDelivery) return null;
  const hours = (msFromIso(h.lastDelivery.at) - msFromIso(h.failing.since)) / HOUR_MS;
  if (hours >= DISABLE_AFTER_HOURS && h.failing.hasOther) return { kind: 'disable' };
  const passed = WARN_AFTER_HOURS.filter((limit) => hours >= limit).at(-1);
  return passed === undefined ? null : { kind: 'warn', hours: passed };
}

/** Attempts of the last 24 hours. */
export function statsOf({ hours }: EndpointHealth, nowMs: number): { delivered: number; failed: number } {
  const from = isoFromMs(nowMs - 24 * HOUR_MS).slice(0, 13);
  const recent = hours.filter((h) => h.hour >= from);
  const sum = (count: 'delivered' | 'failed') => recent.reduce((total, h) => total + h[count], 0);
  return { delivered: sum('delivered'), failed: sum('failed') };
}

function failing(h: EndpointHealth, { deliveryId, atMs }: Attempted, at: string): EndpointHealth['failing'] {
  if (!h.failing) return { since: at, deliveryId, hasOther: false };
  const isOther = deliveryId !== h.failing.deliveryId && atMs - msFromIso(h.failing.since) >= APART_MS;
  return isOther ? { ...h.failing, hasOther: true } : h.failing;
}

function counted(hours: readonly Hour[], at: string, count: 'delivered' | 'failed'): readonly Hour[] {
  const hour = at.slice(0, 13);
  const counted = hours.find((h) => h.hour === hour) ?? { hour, delivered: 0, failed: 0 };
  const others = hours.filter((h) => h.hour !== hour);
  return [{ ...counted, [count]: counted[count] + 1 }, ...others].slice(0, KEPT_HOURS);
}

/**
 * Health of a host that receives webhooks of one tenant. It outlives the webhooks: a new one to the same host gets no fresh patience. The
 * breaker counts requests without a response: what a host answers is the business of each endpoint.
 */
export type HostHealth = Breaker & {
  /** The latest response came soon. A host that has not responded yet, or responds slowly, gets few requests at once. */
  readonly isPrompt: boolean;
};

export const unknownHost: HostHealth = { ...noFailures, isPrompt: false };

const PROMPT_MS = 2000;

type Exchange = { readonly atMs: number; readonly ms: number; readonly outcome: Outcome };

export function afterExchange(h: HostHealth, { atMs, ms, outcome }: Exchange, schedule: Schedule): HostHealth {
  if (outcome.status !== null) return { ...noFailures, isPrompt: ms <= PROMPT_MS };
  return { ...afterFailure(h, atMs, schedule), isPrompt: false };
}

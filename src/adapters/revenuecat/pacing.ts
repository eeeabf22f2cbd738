// Pace of requests: RevenueCat limits the requests per minute of each domain of its API, and waits are cheaper than refusals.
import type { Runtime } from '../runtime.js';

/** Domains that share a limit; the documented requests per minute of each. */
const documentedLimits = { customers: 480, charts: 5, configuration: 60 } as const;
export type LimitDomain = keyof typeof documentedLimits;

const MINUTE_MS = 60_000;
/** A limit outside of this range is a fault of the response. */
const MAX_PER_MINUTE = 100_000;

export type Pacing = {
  /** Resolves when the next request of the domain may be sent. Rejects when the signal aborts. */
  turn(domain: LimitDomain, signal?: AbortSignal): Promise<void>;
  /** Delays all requests of the domain that have no turn yet. */
  delay(domain: LimitDomain, ms: number): void;
  /** Adopts the limit that a response states for its domain, in requests per minute. */
  adopt(domain: LimitDomain, perMinute: number): void;
  /** Returns the time between two requests of the domain in ms. */
  intervalMs(domain: LimitDomain): number;
};

/** Creates a pace that spreads the requests of a minute evenly. */
export function createPacing(runtime: Pick<Runtime, 'now' | 'sleep'>): Pacing {
  const perMinute: Record<LimitDomain, number> = { ...documentedLimits };
  const nextAt: Record<LimitDomain, number> = { customers: 0, charts: 0, configuration: 0 };
  const intervalMs = (domain: LimitDomain) => MINUTE_MS / perMinute[domain];
  return {
    turn: async (domain, signal) => {
      const now = runtime.now();
      const at = Math.max(now, nextAt[domain]);
      nextAt[domain] = at + intervalMs(domain);
      if (at > now) await runtime.sleep(at - now, signal);
      signal?.throwIfAborted();
    },
    delay: (domain, ms) => {
      nextAt[domain] = Math.max(nextAt[domain], runtime.now() + ms);
    },
    adopt: (domain, stated) => {
      if (stated >= 1 && stated <= MAX_PER_MINUTE) perMinute[domain] = stated;
    },
    intervalMs,
  };
}

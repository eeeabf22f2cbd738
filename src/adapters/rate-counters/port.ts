// Port of rate counters. Adapters: memory of this process, and MongoDB, which all processes share.
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** `points` may be used within `seconds`, which begin with the first use of a key. */
export type CounterOptions = { readonly name: string; readonly points: number; readonly seconds: number };

/**
 * Counter of one limit, by key. `consume` rejects with a `RateLimiterRes` when the points are used up. No method fails because a server is
 * unavailable: the process then counts in its own memory.
 */
export type RateCounter = Pick<RateLimiterAbstract, 'consume' | 'penalty' | 'reward' | 'get' | 'set' | 'block'>;

export type OpenCounter = (o: CounterOptions) => RateCounter;

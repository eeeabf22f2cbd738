// Rate counters in the memory of this process.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CounterOptions } from './port.js';

export function countInMemory({ name, points, seconds }: CounterOptions): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
}

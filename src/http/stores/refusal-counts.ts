// Counts of refused notifications by app and hour, and the last one of each app. Refused notifications append no events, and forged ones must
// not cause writes: all this is in the memory of this process and starts at zero.
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';

/** A refused notification. `reason`: as the sender was told. */
export type Refusal = { readonly at: string; readonly reason: string };

export type RefusalCounts = {
  increment(appId: string, reason: string): void;
  /** Returns the last refusal since the process started, or null. */
  last(appId: string): Refusal | null;
  /** Returns the count of the last 24 hours, to the hour. */
  count(appId: string): number;
};

const HOUR_MS = 3600_000;
const RETAINED_HOURS = 25;
const MAX_REASON_LENGTH = 200;

/** Counts by app. Bounded by the number of apps: only requests with a valid token are counted. */
export function createRefusalCounts({ now }: Pick<Runtime, 'now'>): RefusalCounts {
  const byApp = new Map<string, Map<number, number>>();
  const lastByApp = new Map<string, Refusal>();
  const thisHour = () => Math.floor(now() / HOUR_MS);
  return {
    increment: (appId, reason) => {
      lastByApp.set(appId, { at: isoFromMs(now()), reason: reason.slice(0, MAX_REASON_LENGTH) });
      const hour = thisHour();
      const hours = byApp.get(appId) ?? new Map<number, number>();
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
      for (const old of hours.keys()) if (old <= hour - RETAINED_HOURS) hours.delete(old);
      byApp.set(appId, hours);
    },
    last: (appId) => lastByApp.get(appId) ?? null,
    count: (appId) => {
      const oldest = thisHour() - RETAINED_HOURS;
      return [...(byApp.get(appId) ?? [])].reduce((sum, [hour, n]) => (hour > oldest ? sum + n : sum), 0);
    },
  };
}

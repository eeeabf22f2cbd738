// Counts of refused notifications by app and hour. Refused notifications append no events, and forged ones must not cause writes: the
// counts are in the memory of this process and start at zero.
import type { Runtime } from '../../adapters/runtime.js';

export type RefusalCounts = {
  increment(appId: string): void;
  /** Returns the count of the last 24 hours, to the hour. */
  count(appId: string): number;
};

const HOUR_MS = 3600_000;
const RETAINED_HOURS = 25;

/** Counts by app. Bounded by the number of apps: only requests with a valid token are counted. */
export function createRefusalCounts({ now }: Pick<Runtime, 'now'>): RefusalCounts {
  const byApp = new Map<string, Map<number, number>>();
  const thisHour = () => Math.floor(now() / HOUR_MS);
  return {
    increment: (appId) => {
      const hour = thisHour();
      const hours = byApp.get(appId) ?? new Map<number, number>();
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
      for (const old of hours.keys()) if (old <= hour - RETAINED_HOURS) hours.delete(old);
      byApp.set(appId, hours);
    },
    count: (appId) => {
      const oldest = thisHour() - RETAINED_HOURS;
      return [...(byApp.get(appId) ?? [])].reduce((sum, [hour, n]) => (hour > oldest ? sum + n : sum), 0);
    },
  };
}

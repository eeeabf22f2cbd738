// How many notifications of each app were refused on receipt in each of the last hours. They append nothing, and forged ones must not
// make the service write either: the counts are this process's own and begin anew with it.
import type { Runtime } from '../../adapters/runtime.js';

export type Refusals = {
  note(appId: string): void;
  /** In the last 24 hours, to the hour. */
  count(appId: string): number;
};

const HOUR_MS = 3600_000;
const KEPT_HOURS = 25;

/** Bounded by the number of apps: only requests that name one by its token are counted. */
export function createRefusals({ now }: Pick<Runtime, 'now'>): Refusals {
  const byApp = new Map<string, Map<number, number>>();
  const thisHour = () => Math.floor(now() / HOUR_MS);
  return {
    note: (appId) => {
      const hour = thisHour();
      const hours = byApp.get(appId) ?? new Map<number, number>();
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
      for (const old of hours.keys()) if (old <= hour - KEPT_HOURS) hours.delete(old);
      byApp.set(appId, hours);
    },
    count: (appId) => {
      const oldest = thisHour() - KEPT_HOURS;
      return [...(byApp.get(appId) ?? [])].reduce((sum, [hour, n]) => (hour > oldest ? sum + n : sum), 0);
    },
  };
}

// A customer's activity of one month: seen at most once a UTC day.
import type { Decider } from '../decider.js';
import { utcDay } from '../time.js';
import { timeOf } from './evolve.js';
import { activityEvents, type ActivityEvent } from './events.js';

export type Activity = { readonly lastSeenDay: string };
export type MarkSeen = {
  readonly kind: 'markSeen';
  readonly at: string;
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly country: string | null;
};

export const activityDecider: Decider<Activity, MarkSeen, ActivityEvent> = {
  initial: () => ({ lastSeenDay: '' }),
  evolve: (state, event) => (event.type === 'CustomerSeen' ? { lastSeenDay: utcDay(timeOf(event)) } : state),
  decide: ({ at, platform, appVersion, country }, state) =>
    utcDay(at) <= state.lastSeenDay ? [] : [activityEvents.CustomerSeen.of({ platform, appVersion, country }, { at })],
};

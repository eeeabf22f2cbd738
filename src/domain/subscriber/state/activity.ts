// Activity of a customer in one month: one entry per UTC day and per device change, and each custom event once.
import type { Decider } from '../../decider.js';
import { remaining } from '../../events.js';
import type { JsonObject } from '../../values/json-object.js';
import { utcDay } from '../../time.js';
import { timeOf, activityEvents, type ActivityEvent } from '../events/events.js';

/** `eventIds`: in buckets by prefix, because a month may have thousands and each event creates a new state. */
export type Activity = {
  readonly lastSeenDay: string;
  /** Last device reported this month; a field is null if not reported. */
  readonly device: Device;
  readonly eventIds: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Reported device; a field is null if not reported. */
export type Device = {
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly country: string | null;
};

type MarkSeen = Device & { readonly kind: 'markSeen'; readonly at: string };

export const unknownDevice: Device = { platform: null, appVersion: null, country: null };

/** `eventId`: in lower case. */
export type RecordCustomEvent = {
  readonly kind: 'recordCustomEvent';
  readonly eventId: string;
  readonly name: string;
  readonly properties: JsonObject;
  readonly occurredAt: string;
};

export type ActivityCommand = MarkSeen | RecordCustomEvent;

export const activityDecider: Decider<Activity, ActivityCommand, ActivityEvent> = {
  initial: () => ({ lastSeenDay: '', device: unknownDevice, eventIds: new Map() }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'CustomerSeen':
        return { ...state, lastSeenDay: utcDay(timeOf(event)), device: mergeDevice(state.device, event.data) };
      case 'CustomEventRecorded':
        return { ...state, eventIds: withEventId(state.eventIds, event.data.eventId) };
      default:
        remaining<never>(event);
        return state;
    }
  },
  decide: (command, state) =>
    command.kind === 'markSeen' ? markSeen(command, state) : recordCustomEvent(command, state),
};

export function hasEvent({ eventIds }: Activity, eventId: string): boolean {
  return eventIds.get(bucketOf(eventId))?.has(eventId) ?? false;
}

function markSeen({ at, platform, appVersion, country }: MarkSeen, state: Activity): ActivityEvent[] {
  const day = utcDay(at);
  const device = { platform, appVersion, country };
  if (day < state.lastSeenDay || (day === state.lastSeenDay && !changesDevice(state.device, device))) return [];
  return [activityEvents.CustomerSeen.of(device, { at })];
}

export function mergeDevice(before: Device, { platform, appVersion, country }: Device): Device {
  return {
    platform: platform ?? before.platform,
    appVersion: appVersion ?? before.appVersion,
    country: country ?? before.country,
  };
}

/** Returns true if the report changes the stored device. */
export function changesDevice(before: Device, reported: Device): boolean {
  const after = mergeDevice(before, reported);
  return (
    after.platform !== before.platform || after.appVersion !== before.appVersion || after.country !== before.country
  );
}

function recordCustomEvent(c: RecordCustomEvent, state: Activity): ActivityEvent[] {
  if (hasEvent(state, c.eventId)) return [];
  const { eventId, name, properties, occurredAt } = c;
  return [activityEvents.CustomEventRecorded.of({ eventId, name, properties, occurredAt }, { at: occurredAt })];
}

function withEventId(ids: Activity['eventIds'], eventId: string): Activity['eventIds'] {
  const bucket = bucketOf(eventId);
  return new Map(ids).set(bucket, new Set(ids.get(bucket)).add(eventId));
}

function bucketOf(eventId: string): string {
  return eventId.slice(0, 2);
}

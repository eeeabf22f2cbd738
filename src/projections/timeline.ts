// A customer's whole story, event by event, with the access before and after each. Made from the log alone, so that support sees what
// decisions saw; the HTTP endpoint and the command line show the same.
import type { EventLog } from '../adapters/event-log/port.js';
import type { Actor, LogPosition, RecordedEvent, StreamName } from '../domain/envelope.js';
import type { InboxEvent } from '../domain/inbox/inbox.js';
import { familyOf, streams } from '../domain/streams.js';
import { entitlementsAt, type EntitlementRules } from '../domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../domain/subscriber/events.js';
import { evolveProfile } from '../domain/subscriber/evolve.js';
import { noProfile, type Profile } from '../domain/subscriber/state.js';
import { isoFromMs, msFromIso } from '../domain/time.js';
import { inWords } from './timeline-words.js';

/** Active entitlements by lookup key, with their ends (null: for ever). */
export type Access = Readonly<Record<string, string | null>>;

export type TimelineEntry = {
  readonly id: string;
  readonly position: LogPosition;
  readonly at: string;
  readonly recordedAt: string;
  readonly type: string;
  readonly summary: string;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly access: { readonly before: Access; readonly after: Access };
  readonly data: unknown;
};

export type NotificationCause = {
  readonly id: string;
  readonly store: string;
  readonly type: string;
  readonly rawBody: string;
};

/** Every event of the customer and of those merged into it, oldest first; empty when there is no such customer. */
export async function readTimeline(
  log: EventLog,
  projectId: string,
  customerId: string,
  rules: EntitlementRules,
): Promise<readonly TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  let profile: Profile = noProfile;
  const merged: string[] = [];
  for await (const stored of log.read(streams.subscriber(projectId, customerId))) {
    const event = stored as unknown as RecordedEvent<SubscriberEvent>;
    const after = evolveProfile(profile, event);
    entries.push(entryOf(stored, event, profile, after, rules));
    if (event.type === 'CustomerMerged') merged.push(event.data.mergedCustomerId);
    profile = after;
  }
  const others = await Promise.all(merged.map((id) => readTimeline(log, projectId, id, rules)));
  return [...entries, ...others.flat()].sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** The notification that an entry goes back to, as it was received; null when it was a request or the clock. */
export async function readCause(log: EventLog, correlationId: string): Promise<NotificationCause | null> {
  const stream = correlationId as StreamName;
  if (familyOf(stream) !== 'inbox') return null;
  for await (const stored of log.read(stream)) {
    const event = stored as unknown as RecordedEvent<InboxEvent>;
    if (event.type !== 'StoreNotificationReceived') continue;
    const { key, store, notificationType, subtype, rawBody } = event.data;
    return { id: key, store, type: subtype === null ? notificationType : `${notificationType}/${subtype}`, rawBody };
  }
  return null;
}

function entryOf(
  stored: RecordedEvent,
  event: RecordedEvent<SubscriberEvent>,
  before: Profile,
  after: Profile,
  rules: EntitlementRules,
): TimelineEntry {
  const { id, position, type, data } = stored;
  const { at, recordedAt, actor, correlationId } = stored.meta;
  const justBefore = isoFromMs(msFromIso(at) - 1);
  const access = { before: accessOf(before, justBefore, rules), after: accessOf(after, at, rules) };
  return { id, position, at, recordedAt, type, summary: inWords(event), actor, correlationId, access, data };
}

function accessOf(profile: Profile, now: string, rules: EntitlementRules): Access {
  const active = entitlementsAt(profile, now, rules).filter((h) => h.isActive);
  return Object.fromEntries(active.map((h) => [h.lookupKey, h.expiresAt]));
}

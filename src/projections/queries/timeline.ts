// A customer's whole timeline, event by event, with the access before and after each. It is built from the log alone, so that support sees
// the state on which decisions were based. The HTTP endpoint and the command line show the same.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Actor, LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf } from '../../domain/streams.js';
import { entitlementsAt, productOf, type EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { FULL_VISIBILITY, type FieldVisibility } from '../../domain/values/field-groups.js';
import {
  customEventsOf,
  readCustomerEvents,
  type CustomerEvents,
  type CustomEventRecord,
  type EventHistory,
  visibleEvents,
  supersededIn,
} from './customer-events.js';
import { unansweredQuestionsIn } from './refund-answers.js';
import { summaryOf } from './timeline-summaries.js';

/** Active entitlements by lookup key, with their ends (null: no end). */
export type Access = Readonly<Record<string, string | null>>;

export type TimelineEntry = {
  readonly id: string;
  readonly position: LogPosition;
  readonly at: string;
  readonly recordedAt: string;
  readonly type: string;
  readonly summary: string;
  /** Returns the summary without the fields that are not visible to the requester. */
  readonly summaryFor: (visibility: FieldVisibility) => string;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly access: { readonly before: Access; readonly after: Access };
  /** Inferred from elapsed time, later contradicted by the store. */
  readonly isSuperseded: boolean;
  readonly data: Readonly<Record<string, unknown>>;
};

export type TimelineOptions = {
  /** Includes the app's custom events up to this time; without it, none. */
  readonly eventsUntil?: string;
  /** Selects the events to show from all of them, oldest first. Access is computed only for these. */
  readonly pick?: (events: readonly RecordedEvent[]) => readonly RecordedEvent[];
};

/** Like {@link timelineOf}, for all events of the customer in the log. */
export async function readTimeline(
  log: EventLog,
  projectId: string,
  customerId: string,
  rules: EntitlementRules,
  o: TimelineOptions = {},
): Promise<readonly TimelineEntry[]> {
  return timelineWithActivity(log, projectId, await readCustomerEvents(log, projectId, customerId), rules, o);
}

/** Like {@link timelineOf}, with the app's custom events if requested. */
export async function timelineWithActivity(
  log: EventLog,
  projectId: string,
  histories: CustomerEvents,
  rules: EntitlementRules,
  { eventsUntil, pick }: TimelineOptions,
): Promise<readonly TimelineEntry[]> {
  const activity = eventsUntil === undefined ? [] : await activityOf(log, projectId, histories, eventsUntil);
  return timelineOf(histories, rules, activity, pick);
}

/** Returns the events of the customer and of those merged into it, oldest first or as picked; empty if the customer is unknown. */
export function timelineOf(
  histories: CustomerEvents,
  rules: EntitlementRules,
  activity: readonly AppHistory[] = [],
  pick: NonNullable<TimelineOptions['pick']> = (all) => all,
): readonly TimelineEntry[] {
  const all = sortByPosition(histories.flat());
  const selection = pick(sortByPosition([...visibleEvents(all), ...activity.flatMap(({ events }) => events)]));
  const ids = new Set(selection.map((e) => e.id));
  const notes = { superseded: supersededIn(all), unanswered: unansweredQuestionsIn(all) };
  const entries = new Map(
    histories
      .flatMap((history) => storeEntries(history, rules, ids))
      .concat(activity.flatMap(({ history, events }) => appEntries(history, events, rules, ids)))
      .map((entry) => [entry.id, withNote(entry, notes)]),
  );
  return selection.flatMap(({ id }) => entries.get(id) ?? []);
}

type AppHistory = { readonly history: EventHistory; readonly events: readonly CustomEventRecord[] };

/** Pairs each custom event with the history of its customer at that time: events sent after a merge belong to the merged customer. */
async function activityOf(
  log: EventLog,
  projectId: string,
  histories: readonly EventHistory[],
  until: string,
): Promise<readonly AppHistory[]> {
  const sent = await Promise.all(
    histories.map(async (history) => {
      const [first] = history;
      if (!first) return [];
      const since = first.meta.recordedAt;
      const customerId = customerIdOf(first.stream);
      const events = await customEventsOf(log, { projectId, customerId, since, until });
      return events.map((event) => ({ event, of: historyAt(histories, history, event.position) }));
    }),
  );
  return histories.map((history) => {
    const own = sent.flatMap((some) => some.filter(({ of }) => of === history));
    return { history, events: sortByPosition(own.map(({ event }) => event)) };
  });
}

function historyAt(histories: readonly EventHistory[], history: EventHistory, position: LogPosition): EventHistory {
  const merge = history.find((e) => e.type === 'CustomerMergedInto' && e.position < position);
  if (merge?.type !== 'CustomerMergedInto') return history;
  const next = histories.find(([first]) => first && customerIdOf(first.stream) === merge.data.customerId);
  return next ? historyAt(histories, next, position) : history;
}

/** Custom events do not change access: it is the same before and after, as known at the time of recording. */
function appEntries(
  history: EventHistory,
  events: readonly CustomEventRecord[],
  rules: EntitlementRules,
  ids: ReadonlySet<string>,
): readonly Entry[] {
  let profile: Profile = noProfile;
  let passed = 0;
  return events
    .filter((e) => ids.has(e.id))
    .map(({ id, position, type, data, meta: { at, recordedAt, actor, correlationId } }) => {
      for (; passed < history.length; passed++) {
        const event = history[passed];
        if (!event || event.position > position) break;
        profile = evolveProfile(profile, event);
      }
      const current = accessOf(profile, at, rules);
      const summary = `The app recorded ${data.name}.`;
      const access = { before: current, after: current };
      const worded = { summary, summaryFor: () => summary };
      return { id, position, at, recordedAt, type, ...worded, actor, correlationId, access, data };
    });
}

function sortByPosition<E extends RecordedEvent>(events: readonly E[]): readonly E[] {
  return events.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}

type Notes = { readonly superseded: ReadonlySet<string>; readonly unanswered: ReadonlySet<string> };

function withNote(entry: Entry, { superseded, unanswered }: Notes): TimelineEntry {
  const isSuperseded = superseded.has(entry.id);
  if (!isSuperseded && !unanswered.has(entry.id)) return { ...entry, isSuperseded };
  const note = isSuperseded ? 'Later contradicted by the store.' : 'No answer was sent.';
  return { ...entry, isSuperseded, ...summaryFields((visibility) => `${entry.summaryFor(visibility)} ${note}`) };
}

function summaryFields(summaryFor: TimelineEntry['summaryFor']): Pick<TimelineEntry, 'summary' | 'summaryFor'> {
  return { summary: summaryFor(FULL_VISIBILITY), summaryFor };
}

type Entry = Omit<TimelineEntry, 'isSuperseded'>;

function storeEntries(history: EventHistory, rules: EntitlementRules, ids: ReadonlySet<string>): readonly Entry[] {
  const entries: Entry[] = [];
  let profile: Profile = noProfile;
  for (const eventGroup of groupEvents(history)) {
    if (!eventGroup.some((e) => ids.has(e.id))) {
      for (const event of eventGroup) profile = evolveProfile(profile, event);
      continue;
    }
    const { at } = eventGroup[0].meta;
    const before = accessOf(profile, isoFromMs(msFromIso(at) - 1), rules);
    const steps = eventGroup.map((event) => {
      profile = evolveProfile(profile, event);
      return accessOf(profile, at, rules);
    });
    entries.push(...entriesOf(eventGroup, before, steps, rules));
  }
  return entries;
}

/** Adds the product of a purchase even if the product was created after it (decisions.md, fine print 16). */
function withCatalogueProduct(data: SubscriberEvent['data'], rules: EntitlementRules): TimelineEntry['data'] {
  if (!('purchase' in data)) return data;
  return { ...data, purchase: { ...data.purchase, productId: productOf(data.purchase, rules) } };
}

type EventGroup = readonly [RecordedEvent<SubscriberEvent>, ...RecordedEvent<SubscriberEvent>[]];

/** Groups events of one command with equal times, which take effect together. */
function groupEvents(events: EventHistory): EventGroup[] {
  const all: [RecordedEvent<SubscriberEvent>, ...RecordedEvent<SubscriberEvent>[]][] = [];
  for (const event of events) {
    const last = all.at(-1);
    const { commandId, at } = event.meta;
    if (last?.[0].meta.commandId === commandId && last[0].meta.at === at) last.push(event);
    else all.push([event]);
  }
  return all;
}

/** A group changes access at most once: intermediate access between its events never existed. */
function entriesOf(eventGroup: EventGroup, before: Access, steps: readonly Access[], rules: EntitlementRules): Entry[] {
  const end = JSON.stringify(steps.at(-1));
  const reached = steps.map((step) => (JSON.stringify(step) === end ? step : before));
  return eventGroup.map((event, i) => {
    return entryOf(event, { before: reached[i - 1] ?? before, after: reached[i] ?? before }, rules);
  });
}

function entryOf(event: EventGroup[0], access: TimelineEntry['access'], rules: EntitlementRules): Entry {
  const { id, position, type } = event;
  const { at, recordedAt, actor, correlationId } = event.meta;
  const worded = summaryFields((visibility) => summaryOf(event, visibility));
  const entry = { id, position, at, recordedAt, type, ...worded, actor, correlationId, access };
  return { ...entry, data: withCatalogueProduct(event.data, rules) };
}

export function accessOf(profile: Profile, now: string, rules: EntitlementRules): Access {
  const active = entitlementsAt(profile, now, rules).filter((h) => h.isActive);
  return Object.fromEntries(active.map((h) => [h.lookupKey, h.expiresAt]));
}

// One document per customer with all facts that bear on a chart; sums of what each person adds to every measure follow from it. An event
// that cannot be folded stops the whole of it: a figure that silently lacks something is worse than one that is late.
import { nobody, type History, type Merged, type Person, type Stamp } from '../../domain/charts/history.js';
import { record, stampOf } from '../../domain/charts/record.js';
import { customerIdOf, familyOf } from '../../domain/streams.js';
import type { ActivityEvent, SubscriberEvent } from '../../domain/subscriber/events.js';
import { ofFamily } from '../events-of.js';
import { replace, type Derived, type Projection } from '../projection.js';
import { chartSums } from './cells.js';

/** Its size grows with a life's length, a few kB a year of daily use: a person is read whole or not at all. */
export type PersonDoc = Person & { readonly projectId: string; readonly customerId: string };

/**
 * Instants at which time alone will change what a person adds (`end`), or at which a fact that is known already takes effect (`ahead`).
 * Only those behind the latest fact: earlier ones are the past of every question. UTC ms.
 */
export type MomentDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly kind: 'end' | 'ahead';
  readonly at: number;
};

const moments: Derived<PersonDoc, MomentDoc> = {
  name: 'chart_moments',
  indexes: [{ name: 'due', fields: ['projectId', 'kind', 'at'] }],
  of: (doc) => {
    if (!doc || doc.movedTo) return new Map();
    const { projectId, customerId } = doc;
    const histories = [doc.own, ...doc.merged.map((m) => m.history)];
    const stamps = histories.flatMap(stampsOf);
    const latest = stamps.reduce((max, { known }) => Math.max(max, known), 0);
    const found = new Map<string, MomentDoc>();
    const add = (kind: MomentDoc['kind'], at: number) => {
      if (at > latest) found.set(`${customerId}|${kind}|${at}`, { projectId, customerId, kind, at });
    };
    for (const { at } of stamps) add('ahead', at);
    for (const at of histories.flatMap(endsOf)) add('end', at);
    return found;
  },
  apply: replace,
};

function stampsOf({ created, seen, lines, adjustments }: History): readonly Stamp[] {
  const ofLines = Object.values(lines).flatMap((l) => [...l.periods, ...l.marks]);
  return [...(created ? [created] : []), ...seen, ...ofLines, ...Object.values(adjustments).flat()];
}

function endsOf({ lines }: History): readonly number[] {
  return Object.values(lines).flatMap(({ periods, marks }) => [
    ...periods.flatMap((p) => p.until ?? []),
    ...marks.flatMap((m) => (m.kind === 'grace' || m.kind === 'extended' ? [m.until] : [])),
  ]);
}

export const chartPeople: Projection<PersonDoc> = {
  name: 'chart_people',
  version: 3,
  families: ['subscriber', 'activity'],
  indexes: [{ name: 'project', fields: ['projectId'] }],
  onPoison: 'halt',
  isPartitioned: true,
  keys: (stored) => {
    if (familyOf(stored.stream) === 'activity' && stored.type !== 'CustomerSeen') return [];
    const customerId = customerIdOf(stored.stream);
    const event = ofFamily<SubscriberEvent>(stored, 'subscriber');
    // The survivor first: it takes over what the other holds.
    return event?.type === 'CustomerMerged' ? [customerId, event.data.mergedCustomerId] : [customerId];
  },
  fold: (doc, stored, customerId, peer) => {
    const event = ofFamily<SubscriberEvent>(stored, 'subscriber') ?? ofFamily<ActivityEvent>(stored, 'activity');
    // A merged person stays as the survivor took it over, so that it can be taken over again.
    if (!event || doc?.movedTo) return doc;
    const before = doc ?? { ...nobody, projectId: event.meta.projectId ?? '', customerId };
    if (event.type !== 'CustomerMerged') {
      const own = record(before.own, event);
      return own === before.own ? doc : { ...before, own };
    }
    const stamp = stampOf(event);
    const survivorId = customerIdOf(stored.stream);
    if (customerId !== survivorId) return { ...before, movedTo: { ...stamp, customerId: survivorId } };
    const { mergedCustomerId } = event.data;
    return { ...before, merged: [...before.merged, ...takenOver(mergedCustomerId, peer(mergedCustomerId), stamp)] };
  },
  derived: [moments],
  sums: chartSums,
};

function takenOver(customerId: string, other: Person | undefined, stamp: Stamp): readonly Merged[] {
  return other ? [{ ...stamp, customerId, history: other.own }, ...other.merged] : [];
}

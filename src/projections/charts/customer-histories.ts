// Documents with all chart events of a customer, one per customer; sums of the contributions to every measure are derived. An event that
// cannot be folded halts the projection: a silently incomplete value is worse than a late one.
import {
  emptyCustomerHistory,
  valid,
  type History,
  type MergeRecord,
  type CustomerHistory,
  type Stamp,
} from '../../domain/charts/history/history.js';
import { knownHistoryOf } from '../../domain/charts/history/known-history.js';
import { record, stampOf } from '../../domain/charts/history/record.js';
import { withdraw } from '../../domain/charts/history/withdraw.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { customerIdOf, familyOf } from '../../domain/streams.js';
import { replace, type DerivedProjection, type Projection } from '../runtime/projection.js';
import { chartSums } from './sums/chart-sums.js';
import { OVERVIEW_MS, RECENT_MS } from './sums/contribute.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** History of a customer, always read as a whole. It grows by a few kB per year of daily use. */
export type CustomerHistoryDoc = CustomerHistory & {
  readonly projectId: string;
  readonly customerId: string;
  /** Time of the latest activity, UTC ms; 0 for none. */
  readonly seenAt: number;
  /** Position of the latest event in it. */
  readonly position: string;
};

/**
 * Instant that affects a customer's contributions, UTC ms; the ID contains it, so documents are ordered by instant. `turn`: something may
 * begin or end, by an event or by elapsed time. `first`: first standard payment of a line. `ahead`: an earlier event takes effect; only
 * instants after everything known. Turns are retained for the period that the overview covers.
 */
export type MomentDoc = { readonly customerId: string };
export type MomentKind = 'turn' | 'first' | 'ahead';

/**
 * UTC day on which the customer was first seen, as charts of production count it; null if it never was. A small document for readers of many
 * customers. `movedTo`: customer into which it was merged, whose day counts.
 */
export type FirstSeenDoc = { readonly day: string | null; readonly movedTo?: string };

const firstSeenDays: DerivedProjection<CustomerHistoryDoc, FirstSeenDoc> = {
  name: 'first_seen_days',
  indexes: [],
  of: (doc) => {
    if (!doc) return new Map();
    const { customerId, movedTo } = doc;
    if (movedTo) return new Map([[customerId, { day: null, movedTo: movedTo.customerId }]]);
    const firstSeen = knownHistoryOf(doc, 'production')?.firstSeen ?? null;
    return new Map([[customerId, { day: firstSeen === null ? null : utcDay(isoFromMs(firstSeen)) }]]);
  },
  apply: replace,
};

const DIGITS = 16;

/** Returns the lower bound of the IDs of moments of one kind at or after `at` (UTC ms). */
export function momentsFrom(projectId: string, kind: MomentKind, at: number): string {
  const isBefore1970 = at < 0;
  const place = isBefore1970 ? Number.MAX_SAFE_INTEGER + at : at;
  return `${projectId}|${kind}|${isBefore1970 ? '-' : '0'}${String(place).padStart(DIGITS, '0')}|`;
}

/** Moments of customers, with no index other than the IDs, so that many moments of one time are read in few pages. */
const moments: DerivedProjection<CustomerHistoryDoc, MomentDoc> = {
  name: 'chart_moments',
  indexes: [],
  of: (doc) => {
    if (!doc || doc.movedTo) return new Map();
    const { projectId, customerId } = doc;
    const histories = [doc.own, ...doc.merged.map((m) => m.history)];
    const stamps = histories.flatMap(stampsOf);
    const latest = stamps.reduce((max, { known }) => Math.max(max, known), 0);
    const found = new Map<string, MomentDoc>();
    const add = (kind: MomentKind, at: number) => {
      found.set(momentsFrom(projectId, kind, at) + customerId, { customerId });
    };
    for (const { at } of stamps) if (at > latest) add('ahead', at);
    const turn = (at: number) => {
      if (at >= latest - OVERVIEW_MS) add('turn', at);
    };
    for (const h of histories) {
      turnsOf(h).forEach(turn);
      seenTurnsOf(h, doc.seenAt).forEach(turn);
      for (const at of firstPaymentsOf(h)) add('first', at);
    }
    return found;
  },
  apply: replace,
};

function stampsOf({ created, seen, lines, adjustments }: History): readonly Stamp[] {
  const ofLines = Object.values(lines).flatMap((l) => [...l.periods, ...l.marks]);
  return [...(created ? [created] : []), ...seen, ...valid([...ofLines, ...Object.values(adjustments).flat()])];
}

function turnsOf({ lines, adjustments }: History): readonly number[] {
  const found: number[] = [];
  for (const { periods, marks } of Object.values(lines)) {
    for (const { at, until } of valid(periods)) found.push(at, ...(until === null ? [] : [until]));
    for (const m of valid(marks)) {
      if (m.kind === 'cut') found.push(m.at);
      if (m.kind === 'grace' || m.kind === 'extended') found.push(m.until);
    }
  }
  for (const all of Object.values(adjustments)) for (const a of all) if (a.kind !== 'corrected') found.push(a.at);
  return found;
}

/** Returns where recent activity begins and ends, except for its last end, which every sighting changes: see `seenAt`. */
function seenTurnsOf({ created, seen }: History, seenAt: number): readonly number[] {
  const found: number[] = [];
  const sorted = [...(created ? [created] : []), ...seen].map((s) => s.at).sort((a, b) => a - b);
  for (const [i, at] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before === undefined || at - before > RECENT_MS) found.push(at);
    if (before !== undefined && at - before > RECENT_MS) found.push(before + RECENT_MS);
  }
  const last = sorted.at(-1);
  if (last !== undefined && last !== seenAt) found.push(last + RECENT_MS);
  return found;
}

function firstPaymentsOf({ lines }: History): readonly number[] {
  return Object.values(lines).flatMap(({ periods }) => {
    const paid = valid(periods)
      .filter((p) => p.type === 'normal')
      .map((p) => p.at);
    return paid.length === 0 ? [] : [Math.min(...paid)];
  });
}

export const customerHistories: Projection<CustomerHistoryDoc> = {
  name: 'customer_histories',
  formerNames: ['chart_people'],
  version: 13,
  families: ['subscriber', 'activity'],
  indexes: [
    { name: 'project', fields: ['projectId'] },
    { name: 'seen', fields: ['projectId', 'seenAt'] },
    { name: 'position', fields: ['projectId', 'position'] },
  ],
  onPoison: 'halt',
  isPartitioned: true,
  hasSnapshots: true,
  keys: (stored) => {
    if (familyOf(stored.stream) === 'activity' && stored.type !== 'CustomerSeen') return [];
    const customerId = customerIdOf(stored.stream);
    const event = ofFamily(stored, 'subscriber');
    // The survivor comes first: it takes over the data of the other.
    return event?.type === 'CustomerMerged' ? [customerId, event.data.mergedCustomerId] : [customerId];
  },
  fold: (doc, stored, customerId, peer) => {
    const event = ofFamily(stored, 'subscriber') ?? ofFamily(stored, 'activity');
    // A merged customer remains as the survivor took it over, so that the merge can be repeated.
    if (!event || doc?.movedTo) return doc;
    const { position } = stored;
    const before = doc ?? emptyDoc(event.meta.projectId ?? '', customerId, position);
    if (event.type === 'CustomerMerged') {
      const stamp = stampOf(event);
      const survivorId = customerIdOf(stored.stream);
      if (customerId !== survivorId) return { ...before, position, movedTo: { ...stamp, customerId: survivorId } };
      const { mergedCustomerId } = event.data;
      const other = peer(mergedCustomerId);
      const seenAt = Math.max(before.seenAt, other?.seenAt ?? 0);
      const merged = [...before.merged, ...mergedFrom(mergedCustomerId, other, stamp)];
      return { ...before, position, seenAt, merged };
    }
    if (event.type === 'PurchaseHistoryRevised') return { ...withdrawEvent(before, event), position };
    const own = record(before.own, event);
    if (own === before.own) return doc;
    const isSighting = own.created !== before.own.created || own.seen !== before.own.seen;
    const seenAt = isSighting ? Math.max(before.seenAt, stampOf(event).at) : before.seenAt;
    // By name: this runs for every event, and a spread takes three times as long.
    const { merged, movedTo, projectId } = before;
    return { own, merged, movedTo, projectId, customerId, seenAt, position };
  },
  derived: [moments, firstSeenDays],
  sums: chartSums,
};

function emptyDoc(projectId: string, customerId: string, position: string): CustomerHistoryDoc {
  return { ...emptyCustomerHistory, projectId, customerId, seenAt: 0, position };
}

/** Withdraws events, which may also belong to a customer that was merged in. */
function withdrawEvent(doc: CustomerHistoryDoc, event: Parameters<typeof withdraw>[1]): CustomerHistoryDoc {
  const merged = doc.merged.map((m) => ({ ...m, history: withdraw(m.history, event) }));
  return { ...doc, own: withdraw(doc.own, event), merged };
}

/**
 * Returns the histories taken over by a merge. Those merged into the other customer count here from now on, not from their own merge on.
 */
function mergedFrom(customerId: string, other: CustomerHistory | undefined, stamp: Stamp): readonly MergeRecord[] {
  if (!other) return [];
  const since = (m: MergeRecord): MergeRecord => ({
    ...m,
    at: Math.max(m.at, stamp.at),
    known: Math.max(m.known, stamp.known),
  });
  return [{ ...stamp, customerId, history: other.own }, ...other.merged.map(since)];
}

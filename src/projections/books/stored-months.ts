// Stored results of large months, so that they are read at once while newer facts are compared. The comparisons are in parts of equal app,
// currency and cause. A result is written beside the one that is read, and takes its place at the end; everything can be computed again.
import { packText, unpackText } from '../../adapters/books/packed-text.js';
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import {
  buildReplacement,
  readRecord,
  recordsNamed,
  replaceRecord,
  type StoredRecord,
} from '../../adapters/documents/records.js';
import { RetryLater } from '../../domain/errors.js';
import type { BookEntry } from '../../domain/books/entries.js';
import type { SettledCohort } from '../../domain/books/settled-days.js';
import type { BooksMonth } from './compute-month.js';
import { isSelected, summaryOf, type EntryPlace, type MonthSummary, type MonthView } from './month-view.js';

/** Entries with the same app, currency and cause, from the place `from` on, in parts from `part` on. */
type Group = Pick<BookEntry, 'appId' | 'currency' | 'cause'> & {
  readonly from: number;
  readonly count: number;
  readonly part: number;
};

/** `cohorts`: number of their parts, of which months of earlier versions have none. `summary` and `groups` are JSON. `slot`: one of two places of the parts, of which the other is written next. */
type MonthRecord = {
  readonly version: string;
  readonly slot: number;
  readonly generation: string;
  readonly computedAt: number;
  readonly tookMs: number;
  readonly buckets: number;
  readonly cohorts?: number;
  readonly summary: string;
  readonly groups: string;
};

export const bookMonthCollection = { name: recordsNamed<MonthRecord>('book_months'), indexes: [] };
/** `packed`: entries, or the places of transactions, as JSON. */
type PartRecord = Doc & { readonly generation: string; readonly packed: string };
export const bookPartCollection = { name: recordsNamed<PartRecord>('book_month_parts'), indexes: [] };

export type StoredMonth = {
  readonly version: string;
  /** UTC ms. */
  readonly computedAt: number;
  readonly tookMs: number;
  readonly view: MonthView;
};

export type MonthStore = {
  read(projectId: string, month: string): Promise<StoredMonth | null>;
  /** Stores a result, unless another one is being stored, or was meanwhile. */
  put(
    projectId: string,
    month: BooksMonth,
    about: Pick<StoredMonth, 'version' | 'computedAt' | 'tookMs'>,
  ): Promise<void>;
};

const PART_ENTRIES = 500;
const BUCKET_TRANSACTIONS = 2000;
const PART_COHORTS = 5000;
/** Parts that are written at a time. */
const PARTS_PER_WRITE = 10;

export function createMonthStore(
  docs: DocStore,
  { slice, newId }: { readonly slice: () => Promise<void>; readonly newId: (prefix: string) => string },
): MonthStore {
  const idOf = (projectId: string, month: string) => `${projectId}|${month}`;
  return {
    read: async (projectId, month) => {
      const { doc } = await readRecord(docs, bookMonthCollection.name, idOf(projectId, month));
      if (!doc) return null;
      const { version, computedAt, tookMs } = doc;
      return { version, computedAt, tookMs, view: openView(docs, idOf(projectId, month), doc) };
    },
    put: async (projectId, month, about) => {
      const id = idOf(projectId, month.month);
      const before = await readRecord(docs, bookMonthCollection.name, id);
      const [slot, generation] = [before.doc?.slot === 0 ? 1 : 0, newId('gen')];
      const { ordered, groups } = groupsOf(month);
      const buckets = countBuckets(ordered);
      let claim: MonthClaim | null = before;
      let batch: NewPart[] = [];
      const cohorts = partsOfCohorts(month);
      for await (const { name, content } of partsOf(ordered, groups, buckets, cohorts, slice)) {
        const packed = await packText(JSON.stringify(content));
        batch.push({ id: `${id}|${slot}|${name}`, doc: { generation, packed } });
        if (batch.length < PARTS_PER_WRITE) continue;
        claim = await writeParts(docs, claim, batch);
        if (!claim) return;
        batch = [];
      }
      claim = await writeParts(docs, claim, batch);
      if (!claim) return;
      const [summary, stated] = [JSON.stringify(summaryOf(month)), JSON.stringify(groups)];
      const record = { ...about, slot, generation, buckets, cohorts: cohorts.length, summary, groups: stated };
      await replaceRecord(docs, bookMonthCollection.name, claim, record);
    },
  };
}

type MonthClaim = StoredRecord<MonthRecord>;
type NewPart = { readonly id: string; readonly doc: PartRecord };

/**
 * Writes parts of a result that is not read yet. Each time the month's record is written again as it is: of two results that are stored at
 * the same time, only the one that wrote it last continues. Returns null for the other.
 */
async function writeParts(docs: DocStore, claim: MonthClaim, parts: readonly NewPart[]): Promise<MonthClaim | null> {
  const ids = parts.map(({ id }) => id);
  const found = await docs.get(bookPartCollection.name, ids);
  const renewal = buildReplacement(bookMonthCollection.name, claim, claim.doc);
  const writes = parts.map(({ id, doc }) =>
    buildReplacement(bookPartCollection.name, { id, guard: found.get(id)?.guard ?? null }, doc),
  );
  return (await docs.write([[renewal], writes])) === 'ok' ? { ...claim, guard: renewal.guard } : null;
}

/** Orders the entries by app, currency and cause. */
function groupsOf({ entries }: BooksMonth): {
  readonly ordered: readonly BookEntry[];
  readonly groups: readonly Group[];
} {
  const byKey = new Map<string, BookEntry[]>();
  for (const entry of entries) {
    const key = `${entry.appId ?? '~'}|${entry.currency}|${entry.cause}`;
    const group = byKey.get(key);
    if (group) group.push(entry);
    else byKey.set(key, [entry]);
  }
  const groups: Group[] = [];
  let [from, part] = [0, 0];
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  for (const group of sorted) {
    const [first] = group;
    if (!first) continue;
    const { appId, currency, cause } = first;
    groups.push({ appId, currency, cause, from, count: group.length, part });
    from += group.length;
    part += Math.ceil(group.length / PART_ENTRIES);
  }
  return { ordered: sorted.flat(), groups };
}

function partsOfCohorts({ settledCohorts }: BooksMonth): readonly (readonly SettledCohort[])[] {
  const parts: (readonly SettledCohort[])[] = [];
  for (let at = 0; at < settledCohorts.length; at += PART_COHORTS)
    parts.push(settledCohorts.slice(at, at + PART_COHORTS));
  return parts;
}

function countBuckets(ordered: readonly BookEntry[]): number {
  const total = ordered.reduce((sum, { transactionIds }) => sum + transactionIds.length, 0);
  return Math.max(1, Math.ceil(total / BUCKET_TRANSACTIONS));
}

/** Yields the parts with the entries of each group, then where each transaction is, in buckets by its ID, and the cohorts. */
async function* partsOf(
  ordered: readonly BookEntry[],
  groups: readonly Group[],
  buckets: number,
  cohorts: readonly (readonly SettledCohort[])[],
  slice: () => Promise<void>,
): AsyncGenerator<{ readonly name: string; readonly content: unknown }> {
  let number = 0;
  for (const { from, count } of groups) {
    for (let at = 0; at < count; at += PART_ENTRIES) {
      const entries = ordered.slice(from + at, from + Math.min(count, at + PART_ENTRIES));
      yield { name: String(number++), content: entries };
      await slice();
    }
  }
  const places = Array.from({ length: buckets }, (): [string, number][] => []);
  for (const [index, { transactionIds }] of ordered.entries()) {
    for (const id of new Set(transactionIds)) places[bucketOf(id, buckets)]?.push([id, index]);
    if (index % PART_ENTRIES === 0) await slice();
  }
  for (const [bucket, found] of places.entries()) yield { name: `of${bucket}`, content: found };
  for (const [part, some] of cohorts.entries()) yield { name: `cohorts${part}`, content: some };
}

function bucketOf(id: string, buckets: number): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) >>> 0;
  return hash % buckets;
}

type ListedReport = MonthSummary['reports'][number];
/** Summary as an earlier version stored it: without payments, and without reasons of reports that do not count. */
type StoredSummary = Omit<MonthSummary, 'payments' | 'reports'> &
  Partial<Pick<MonthSummary, 'payments'>> & {
    readonly reports: readonly (Omit<ListedReport, 'uncountedReason'> &
      Partial<Pick<ListedReport, 'uncountedReason'>>)[];
  };

function readSummary(text: string): MonthSummary {
  const { payments = [], reports, ...summary } = JSON.parse(text) as StoredSummary;
  // Only a newer report of the same place took the place of another then.
  const withReason = (report: StoredSummary['reports'][number]): ListedReport => {
    return { ...report, uncountedReason: report.uncountedReason ?? (report.isCounted ? null : 'replaced') };
  };
  return { ...summary, payments, reports: reports.map(withReason) };
}

function openView(docs: DocStore, id: string, record: MonthRecord): MonthView {
  const { slot, generation, buckets, cohorts = 0, summary, groups } = record;
  const all = JSON.parse(groups) as readonly Group[];
  const readPart = async <T>(name: string): Promise<T> => {
    const { doc } = await readRecord(docs, bookPartCollection.name, `${id}|${slot}|${name}`);
    if (doc?.generation !== generation)
      throw new RetryLater('the month was compared again while it was read; retry in 1 second', 1);
    return JSON.parse(await unpackText(doc.packed)) as T;
  };
  const readEntries = async (group: Group, part: number): Promise<readonly EntryPlace[]> => {
    const entries = await readPart<readonly BookEntry[]>(String(group.part + part));
    return entries.map((entry, i) => ({ index: group.from + part * PART_ENTRIES + i, entry }));
  };
  return {
    summary: readSummary(summary),
    entries: async function* (selection, after) {
      for (const group of all) {
        if (!isSelected(group, selection) || group.from + group.count <= after + 1) continue;
        const first = Math.max(0, Math.floor((after + 1 - group.from) / PART_ENTRIES));
        for (let part = first; part * PART_ENTRIES < group.count; part++)
          yield (await readEntries(group, part)).filter(({ index }) => index > after);
      }
    },
    entriesOf: async (transactionId) => {
      const places = await readPart<readonly (readonly [string, number])[]>(`of${bucketOf(transactionId, buckets)}`);
      const found: BookEntry[] = [];
      for (const [, index] of places.filter(([one]) => one === transactionId)) {
        const group = all.find(({ from, count }) => index >= from && index < from + count);
        const part = group && (await readEntries(group, Math.floor((index - group.from) / PART_ENTRIES)));
        const entry = part?.find((one) => one.index === index)?.entry;
        if (entry) found.push(entry);
      }
      return found;
    },
    settledCohorts: async () => {
      const found: SettledCohort[] = [];
      for (let part = 0; part < cohorts; part++)
        for (const one of await readPart<readonly SettledCohort[]>(`cohorts${part}`)) found.push(one);
      return found;
    },
  };
}

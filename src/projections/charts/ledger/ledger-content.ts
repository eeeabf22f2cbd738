// The customers of a ledger: loaded from a snapshot or from another ledger, followed in the histories of its build, and converted again
// when rates changed. Callers run one at a time.
import { scanPages, recordsNamed, readRecords, scanRecords } from '../../../adapters/documents/records.js';
import type { Scan } from '../../../adapters/documents/port.js';
import type { ConversionTerms } from '../../../domain/charts/currency.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import { ledgerRowsOf } from '../../../domain/charts/ledger/customer/rows.js';
import {
  createLedger,
  customersAt,
  partOfCustomer,
  type LedgerColumns,
  type LedgerParts,
} from '../../../domain/charts/ledger/ledger.js';
import { historyUnder, type WhatIf } from '../../../domain/charts/what-if.js';
import { collectionOf, type Build } from '../../runtime/projection.js';
import { readCheckpoint } from '../../runtime/runner.js';
import type { CustomerHistoryDoc } from '../customer-histories.js';
import type { LedgerRates } from './ledger-rates.js';
import { LedgerTooLarge, type LedgerDeps } from './limits.js';
import { createSnapshotWriter } from './snapshot-writer.js';
import { loadLedger } from './snapshots.js';

/** Initial state for another ledger of the same customers. */
export type LedgerSeed = {
  readonly parts: LedgerParts;
  readonly upTo: string;
  readonly ahead: ReadonlyMap<string, string>;
  readonly terms: ConversionTerms | undefined;
};

type ContentOf = {
  readonly build: Build;
  readonly projectId: string;
  readonly environment: Environment;
  readonly whatIf: WhatIf | undefined;
};

type LedgerContent = {
  loadLike(seed: LedgerSeed): Promise<void>;
  loadSnapshot(): Promise<void>;
  /** Adds what the build contains at this time. Throws {@link LedgerTooLarge}. */
  follow(): Promise<void>;
  /** Converts the customers with transactions on days whose rates changed. The next call continues after an interruption. */
  convertOutdated(): Promise<void>;
  read(): LedgerColumns;
  seed(): LedgerSeed;
  rows(): number;
  snapshotWritten(): Promise<void>;
};

const PAGE = 500;
/** Maximum number of stale rows per valid row. */
const MAX_STALE_SHARE = 0.5;
/** Minimum progress that allows an estimate of the final number of rows. */
const MIN_PROGRESS = 0.25;
const nothing = { rows: [], renewals: [], early: [] };

export function createLedgerContent(
  { docs, snapshots, turn, maxRows, leastChanged, part, parts }: LedgerDeps,
  { build, projectId, environment, whatIf }: ContentOf,
  rates: LedgerRates,
  fill: Fill,
): LedgerContent {
  const collection = recordsNamed<CustomerHistoryDoc>(collectionOf(build));
  const place = { collection, projectId, environment, part, parts };
  const writer = createSnapshotWriter(snapshots, place, leastChanged);
  let ledger = createLedger();
  /** Position up to which all events are in the ledger; later ones may be. */
  let upTo = '';
  /** Positions of the customers that are ahead of it. */
  let ahead: ReadonlyMap<string, string> = new Map();
  const put = (id: string, doc: CustomerHistoryDoc): void =>
    ledger.put(id, ledgerRowsOf(historyUnder(doc, whatIf), environment, rates.convert()));

  const putStored = async (customerIds: readonly string[]): Promise<void> => {
    for (let i = 0; i < customerIds.length; i += PAGE) {
      for (const [id, doc] of await readRecords(docs, collection, customerIds.slice(i, i + PAGE))) put(id, doc);
      await turn();
    }
  };
  const convertOutdated = async (): Promise<void> => {
    if (rates.outdatedDays.size === 0) return;
    await putStored(customersAt(ledger.read(), rates.outdatedDays));
    rates.outdatedDays.clear();
  };
  const loadLike = async (seed: LedgerSeed): Promise<void> => {
    ledger = createLedger(seed.parts);
    upTo = seed.upTo;
    ahead = seed.ahead;
    rates.addDaysConvertedBy(seed.terms);
    await convertOutdated();
  };
  const loadSnapshot = async (): Promise<void> => {
    if (!snapshots) return;
    const checkpoint = await readCheckpoint(docs, collection);
    // An unreadable snapshot is treated like a missing one.
    const loaded = await loadLedger(snapshots, place, checkpoint).catch(() => null);
    if (!loaded) return;
    ledger = loaded.ledger;
    upTo = loaded.state.upTo;
    writer.startAt(upTo);
    // Their later events may come from a log that has since been restored to an earlier state.
    for (const id of loaded.state.ahead) ledger.put(id, nothing);
    await putStored(loaded.state.ahead);
  };
  const follow = async (): Promise<void> => {
    // Read first: documents after this position may belong to a partial batch.
    const checkpoint = await readCheckpoint(docs, collection);
    const { position } = checkpoint;
    // The documents were restored to an earlier state.
    if (position < upTo) [ledger, upTo, ahead] = [createLedger(), '', new Map()];
    const next = new Map<string, string>();
    let first: number | undefined;
    const scan: Scan = { index: 'position', eq: [projectId], from: upTo, limit: PAGE };
    for await (const rows of scanPages(scan, (page) => scanRecords(docs, collection, page))) {
      // By ID alone: documents of other parts are not even parsed.
      for (const { id, doc } of rows.filter((row) => partOfCustomer(row.id, parts) === part)) {
        const { position: its } = doc;
        if (its >= position) next.set(id, its);
        if (its === ahead.get(id)) continue;
        put(id, doc);
        writer.countChangedCustomer();
      }
      first ??= Number(rows[0]?.doc.position ?? 0);
      const latest = Number(rows.at(-1)?.doc.position ?? 0);
      fill.reach((latest - first) / Math.max(1, Number(position) - first));
      const { rows: size } = ledger.size();
      const all = (parts * size) / Math.max(fill.progress(), MIN_PROGRESS);
      if (size > maxRows) throw new LedgerTooLarge(all, parts * maxRows);
      fill.addLoaded(rows.length);
      if (rows.length === PAGE) await turn();
    }
    [upTo, ahead] = [position, next];
    const { rows, staleRows } = ledger.size();
    if (staleRows > MAX_STALE_SHARE * (rows - staleRows)) ledger.compact();
    fill.complete();
    writer.offer(ledger, checkpoint, { upTo, ahead: [...ahead.keys()] });
  };
  return {
    loadLike,
    loadSnapshot,
    follow,
    convertOutdated,
    read: () => ledger.read(),
    seed: () => ({ parts: ledger.parts(), upTo, ahead, terms: rates.terms() }),
    rows: () => ledger.size().rows,
    snapshotWritten: writer.written,
  };
}

/** Progress of a ledger that is being filled, and the readers that wait for it. */
type Fill = {
  isComplete(): boolean;
  /** Returns the share of loaded customers, from 0 to 1. */
  progress(): number;
  reach(share: number): void;
  addLoaded(customers: number): void;
  /** Resolves when more than this number of further customers are loaded. */
  manyLoaded(customers: number): Promise<void>;
  complete(): void;
};

export function createFill(): Fill {
  let isComplete = false;
  let share = 0;
  let loadedCount = 0;
  let readers: { readonly loadedTarget: number; readonly resolve: () => void }[] = [];
  return {
    isComplete: () => isComplete,
    progress: () => (isComplete ? 1 : share),
    reach: (latest) => void (share = Math.min(1, Math.max(0, latest))),
    addLoaded: (customers) => {
      loadedCount += customers;
      for (const { loadedTarget, resolve } of readers) if (loadedCount > loadedTarget) resolve();
      readers = readers.filter(({ loadedTarget }) => loadedCount <= loadedTarget);
    },
    manyLoaded: (customers) =>
      new Promise((resolve) => readers.push({ loadedTarget: loadedCount + customers, resolve })),
    complete: () => void (isComplete = true),
  };
}

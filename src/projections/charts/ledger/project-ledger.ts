// In-memory ledger of one project and environment, updated from the customer histories of one build. It is derived from them and contains
// no other data: nothing is lost when the process dies, and nothing needs repair. Snapshots only save the next start from rebuilding what
// has not changed.
import { scanPages, recordsNamed, readRecords, scanRecords } from '../../../adapters/documents/records.js';
import type { Row, Scan } from '../../../adapters/documents/port.js';
import type { SnapshotStore } from '../../../adapters/snapshots/port.js';
import { createConverter, type Convert, type ConversionTerms } from '../../../domain/charts/currency.js';
import { customersAt } from '../../../domain/charts/ledger/ledger.js';
import { createLedger, type LedgerColumns, type LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { partOfCustomer } from '../../../domain/charts/ledger/ledger.js';
import { daysWithChangedRates } from '../../../domain/rates/convert.js';
import { ledgerRowsOf } from '../../../domain/charts/ledger/customer/rows.js';
import { historyUnder, type WhatIf } from '../../../domain/charts/what-if.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import { collectionOf, type Build } from '../../runtime/projection.js';
import { readCheckpoint, type Checkpoint } from '../../runtime/runner.js';
import type { CustomerHistoryDoc } from '../customer-histories.js';
import { LedgerTooLarge, NotReady, type LedgerDeps } from './limits.js';
import { loadLedger, matchesCheckpoint, readSnapshotState, writeSnapshot, type SnapshotState } from './snapshots.js';

export type ProjectLedger = {
  readonly build: Build;
  /**
   * Calls `use` with everything the build contains of the project at the time of the call; no other reader or update runs loadedTarget it returns.
   * Null if the ledger does not have the rates that one of `by` needs. Throws `Unavailable` loadedTarget {@link ProjectLedger.ready} has resolved.
   */
  read<R>(use: (columns: LedgerColumns) => R | Promise<R>, by?: readonly DatedRates[]): Promise<R | null>;
  /** Resolves once all customers are loaded. Throws `Unavailable`, with the progress, if many are missing. */
  ready(): Promise<void>;
  /** Returns whether amounts before the instant are, or would be, converted by these rates. */
  hasRatesOf(by: DatedRates): boolean;
  /** Returns the initial state for another ledger of the same customers. */
  seed(): Promise<LedgerSeed>;
  /** Returns the share of loaded customers, from 0 to 1. */
  progress(): number;
  /** Resolves when all customers are loaded. */
  filled(): Promise<void>;
  /** Resolves when no snapshot is being written. */
  snapshotWritten(): Promise<void>;
  /** Returns the number of rows in memory. */
  rows(): number;
};

/** Rates, and the instant (UTC ms) from which on no transaction is requested. */
export type DatedRates = { readonly terms: ConversionTerms; readonly asOf: number };

type LedgerSeed = {
  readonly parts: LedgerParts;
  readonly upTo: string;
  readonly ahead: ReadonlyMap<string, string>;
  readonly terms: ConversionTerms | undefined;
};

/** Options of a ledger in addition to its customers. */
export type LedgerOptions = {
  /** Hypothetical rules. */
  readonly whatIf?: WhatIf | undefined;
  /** Conversion to a currency other than that of the histories. */
  readonly terms?: ConversionTerms | undefined;
  /** Ledger of the same currency and customers with other rates. */
  readonly like?: ProjectLedger | undefined;
};

const PAGE = 500;
/** Maximum number of stale rows per valid row. */
const MAX_STALE_SHARE = 0.5;
const MIN_CHANGED_SHARE = 0.05;
/** Minimum progress that allows an estimate of the final number of rows. */
const MIN_PROGRESS = 0.25;
const nothing = { rows: [], renewals: [], early: [] };

/** Opens a ledger. Reading throws {@link LedgerTooLarge}. */
export function openProjectLedger(
  { docs, snapshots, turn, maxRows, leastChanged, maxAwaited, part, parts }: LedgerDeps,
  build: Build,
  projectId: string,
  environment: Environment,
  { whatIf, terms: initialTerms, like }: LedgerOptions = {},
): ProjectLedger {
  const collection = recordsNamed<CustomerHistoryDoc>(collectionOf(build));
  const place = { collection, projectId, environment, part, parts };
  let ledger = createLedger();
  let terms = initialTerms;
  let convert: Convert | undefined = terms && createConverter(terms);
  /** Days (UTC ms) whose amounts may still be converted by outdated rates. */
  const outdatedDays = new Set<number>();
  const rowsOf = (doc: CustomerHistoryDoc) => ledgerRowsOf(historyUnder(doc, whatIf), environment, convert);
  /** Position up to which all events are in the ledger; later ones may be. */
  let upTo = '';
  /** Positions of the customers that are ahead of it. */
  let ahead = new Map<string, string>();
  let isFilled = false;
  /** Number of customers loaded since the last snapshot. */
  let changed = 0;
  let savedTo: string | null = null;
  let saving: Promise<void> | null = null;
  /** Number of customers loaded since the ledger was opened, and the share of the log that they cover. */
  let loadedCount = 0;
  let progress = 0;
  let readers: { readonly loadedTarget: number; readonly resolve: () => void }[] = [];
  const manyLoaded = () =>
    new Promise<void>((resolve) => readers.push({ loadedTarget: loadedCount + maxAwaited, resolve }));

  /** Converts the customers with transactions on days whose rates changed. The next reader continues after an interruption. */
  const convertOutdated = async (): Promise<void> => {
    const ids = customersAt(ledger.read(), outdatedDays);
    for (let i = 0; i < ids.length; i += PAGE) {
      for (const [id, doc] of await readRecords(docs, collection, ids.slice(i, i + PAGE))) ledger.put(id, rowsOf(doc));
      await turn();
    }
    outdatedDays.clear();
  };

  const load = async (): Promise<void> => {
    if (like) {
      const seed = await like.seed();
      ledger = createLedger(seed.parts);
      upTo = seed.upTo;
      ahead = new Map(seed.ahead);
      for (const day of daysWithChangedRates(seed.terms?.rates ?? {}, terms?.rates ?? {})) outdatedDays.add(day);
      return convertOutdated();
    }
    if (!snapshots) return;
    const checkpoint = await readCheckpoint(docs, collection);
    // An unreadable snapshot is treated like a missing one.
    const loaded = await loadLedger(snapshots, place, checkpoint).catch(() => null);
    if (!loaded) return;
    ledger = loaded.ledger;
    upTo = savedTo = loaded.state.upTo;
    // Their later events may come from a log that has since been restored to an earlier state.
    for (const id of loaded.state.ahead) ledger.put(id, nothing);
    for (let i = 0; i < loaded.state.ahead.length; i += PAGE) {
      const found = await readRecords(docs, collection, loaded.state.ahead.slice(i, i + PAGE));
      for (const [id, doc] of found) ledger.put(id, rowsOf(doc));
    }
  };
  const saveSnapshot = async (to: SnapshotStore, checkpoint: Checkpoint, run: string): Promise<void> => {
    const state: SnapshotState = { logIdentity: checkpoint.logIdentity, upTo, run, ahead: [...ahead.keys()] };
    const parts = ledger.parts();
    const before = changed;
    changed = 0;
    try {
      // Another process may have written a snapshot since, which serves as well.
      const there = await readSnapshotState(to, place);
      const isNewer =
        there !== null && savedTo !== null && there.upTo > savedTo && matchesCheckpoint(checkpoint, there);
      if (isNewer || (await writeSnapshot(to, place, parts, state))) savedTo = isNewer ? there.upTo : state.upTo;
    } catch {
      // The next start rebuilds what is not in a snapshot; charts do not depend on it.
      changed += before;
    }
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
        ledger.put(id, rowsOf(doc));
        changed++;
      }
      const positionOf = (row: Row | undefined) => Number(row?.doc['position'] ?? 0);
      first ??= positionOf(rows[0]);
      const latest = positionOf(rows.at(-1));
      progress = Math.min(1, Math.max(0, (latest - first) / Math.max(1, Number(position) - first)));
      const { rows: size } = ledger.size();
      const all = (parts * size) / (isFilled ? 1 : Math.max(progress, MIN_PROGRESS));
      if (size > maxRows) throw new LedgerTooLarge(all, parts * maxRows);
      loadedCount += rows.length;
      for (const { loadedTarget, resolve } of readers) if (loadedCount > loadedTarget) resolve();
      readers = readers.filter(({ loadedTarget }) => loadedCount <= loadedTarget);
      if (rows.length === PAGE) await turn();
    }
    [upTo, ahead] = [position, next];
    const { rows, staleRows } = ledger.size();
    if (staleRows > MAX_STALE_SHARE * (rows - staleRows)) ledger.compact();
    isFilled = true;
    const isMuch = changed >= Math.max(leastChanged, MIN_CHANGED_SHARE * ledger.size().customers);
    // Without a run, it could not be determined later whether a snapshot still belongs to the build.
    const run = checkpoint.runs?.at(-1)?.id;
    if (snapshots && run !== undefined && isMuch) {
      saving ??= saveSnapshot(snapshots, checkpoint, run).finally(() => (saving = null));
    }
  };

  /** Updates the ledger to the latest rates; returns false if a requested instant had other rates. */
  const suits = async (by: readonly DatedRates[]): Promise<boolean> => {
    for (const { terms: requested } of by) {
      const days = daysWithChangedRates(terms?.rates ?? {}, requested.rates);
      if (!requested.isLatest || days.size === 0) continue;
      terms = requested;
      convert = createConverter(requested);
      for (const day of days) outdatedDays.add(day);
    }
    if (outdatedDays.size > 0) await convertOutdated();
    return by.every(hasRatesOf);
  };
  const hasRatesOf = ({ terms: requested, asOf }: DatedRates): boolean =>
    [...daysWithChangedRates(terms?.rates ?? {}, requested.rates)].every((day) => day >= asOf);

  const filling = load().then(follow);
  let following = filling;
  following.catch(() => undefined);
  const inTurn = <R>(use: () => R | Promise<R>): Promise<R> => {
    const used = following.catch(() => undefined).then(use);
    following = used.then(
      () => undefined,
      () => undefined,
    );
    return used;
  };
  const ready = async (): Promise<void> => {
    if (isFilled) return;
    await Promise.race([filling, manyLoaded()]);
    if (!isFilled) throw new NotReady(progress);
  };
  return {
    build,
    filled: () => filling,
    snapshotWritten: async () => void (await saving),
    rows: () => ledger.size().rows,
    progress: () => (isFilled ? 1 : progress),
    hasRatesOf,
    ready,
    seed: () => inTurn(() => ({ parts: ledger.parts(), upTo, ahead: new Map(ahead), terms })),
    read: async (use, by = []) => {
      await ready();
      return inTurn(async () => {
        if (!(await suits(by))) return null;
        await follow();
        return use(ledger.read());
      });
    },
  };
}

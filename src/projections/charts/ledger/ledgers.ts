// Queries over the ledgers in the memory of this process: one, or two times compared.
import {
  customersToRecompute,
  type LedgerComparison,
  type HistoryPair,
} from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { historyUnder, whatIfText, type WhatIf } from '../../../domain/charts/what-if.js';
import { RetryLater } from '../../../domain/errors.js';
import type { LedgerColumns } from '../../../domain/charts/ledger/ledger.js';
import type { Serving } from '../../rebuild/serving.js';
import { customerHistories, type CustomerHistoryDoc } from '../customer-histories.js';
import type { ReadModels } from '../../queries/read-models.js';
import { createLedgerCache, type CachedLedger, type LedgerRequest } from './ledger-cache.js';
import { parseSnapshotName } from './snapshots.js';
import type { LedgerDeps } from './limits.js';

/**
 * Access to the ledgers. Both queries throw `Unavailable` while customers are being loaded, and if the project is too large. `use` must be
 * synchronous.
 */
export type Ledgers = {
  one<R>(projectId: string, q: ChartQuery, use: (ledger: LedgerColumns) => R): Promise<R>;
  compare<R>(projectId: string, then: ChartQuery, now: ChartQuery, use: (compare: LedgerComparison) => R): Promise<R>;
  progress(projectId: string): readonly LedgerProgress[];
  /** Loads the customers of a project before the first request, for as many projects as memory allows. */
  warm(projectId: string): Promise<void>;
  /** Removes snapshots of builds that are no longer served, and of deleted projects. */
  sweep(isThere: (projectId: string) => Promise<boolean>): Promise<void>;
};

/** Ledger that is being filled. `currency` is null for US dollars, `progress` from 0 to 1. */
export type LedgerProgress = {
  readonly environment: ChartQuery['environment'];
  readonly currency: string | null;
  /** Hypothetical rules; omitted for the rules that applied. */
  readonly whatIf?: WhatIf;
  readonly progress: number;
};

export function createLedgers(
  deps: LedgerDeps,
  serving: Pick<Serving, 'build'>,
  readModels: Pick<ReadModels, 'getMany'>,
): Ledgers {
  const { find, using, evict, hasRoomFor, entries: openEntries } = createLedgerCache(deps, serving);
  /** Calls `use` with the columns of each requested ledger; the same columns if requests share a ledger. */
  const withColumns = async <R>(
    requests: readonly LedgerRequest[],
    use: (columns: readonly LedgerColumns[]) => R,
  ): Promise<R> => {
    for (let i = 0; i < MAX_READS; i++) {
      const entries: CachedLedger[] = [];
      for (const one of requests) {
        const entry = await find(one);
        // Before any ledger is locked: a ledger with other rates starts from another's rows, and would wait for that one's lock.
        await using(entry, (ledger) => ledger.ready());
        entries.push(entry);
      }
      // A fixed order prevents deadlocks.
      const distinct = [...new Set(entries)].sort((a, b) => (a.key < b.key ? -1 : 1));
      const read = (
        columns: ReadonlyMap<CachedLedger, LedgerColumns>,
      ): Promise<{ readonly result: R } | null> | { result: R } => {
        const entry = distinct[columns.size];
        if (!entry) return { result: use(entries.map((one) => columns.get(one) as LedgerColumns)) };
        const by = requests.flatMap(({ rated }, n) => (rated && entries[n] === entry ? [rated] : []));
        return using(entry, (ledger) => ledger.read((own) => read(new Map([...columns, [entry, own]])), by));
      };
      const found = await read(new Map());
      evict(distinct);
      if (found) return found.result;
    }
    throw new RetryLater('exchange rates changed while this chart was computed; retry', 1);
  };
  const historiesOf = async (customerIds: readonly string[]) => {
    const found = new Map<string, CustomerHistoryDoc>();
    for (let i = 0; i < customerIds.length; i += PAGE) {
      const page = await readModels.getMany(customerHistories, customerIds.slice(i, i + PAGE));
      for (const [id, doc] of page) found.set(id, doc);
    }
    return found;
  };
  return {
    one: (projectId, q, use) =>
      withColumns([ledgerRequestOf(projectId, q, q)], ([columns]) => use(columns as LedgerColumns)),
    compare: async (projectId, then, now, use) => {
      const isForward = then.range.asOf <= now.range.asOf;
      const [earlier, later] = isForward ? [then, now] : [now, then];
      const requests = [
        ledgerRequestOf(projectId, earlier, earlier),
        ledgerRequestOf(projectId, later, earlier),
        ledgerRequestOf(projectId, later, later),
      ];
      const pairs = new Map<string, HistoryPair>();
      for (let i = 0; i < MAX_READS; i++) {
        const found = await withColumns(requests, ([first, inEarlier = null, last]) => {
          const [a, b] = [first, last] as [LedgerColumns, LedgerColumns];
          const sides = {
            then: { ledger: isForward ? a : b, q: then },
            now: { ledger: isForward ? b : a, q: now },
          };
          const missing = customersToRecompute(sides.then, sides.now).filter((id) => !pairs.has(id));
          return missing.length > 0 ? { missing } : { result: use({ ...sides, inEarlier, pairs }) };
        });
        if ('result' in found) return found.result;
        const { missing } = found;
        const histories = await historiesOf(missing);
        const isSame = whatIfText(then.whatIf) === whatIfText(now.whatIf);
        for (const id of missing) {
          const history = histories.get(id);
          const after = history && historyUnder(history, now.whatIf);
          const before = isSame ? after : history && historyUnder(history, then.whatIf);
          pairs.set(id, { then: before, now: after });
        }
      }
      throw new RetryLater('customers changed while this comparison was computed; retry', 1);
    },
    progress: (projectId) =>
      openEntries().flatMap((entry) => {
        const progress = entry.ledger.progress();
        if (entry.projectId !== projectId || progress === 1) return [];
        const { environment, whatIf, rated } = entry;
        return [{ environment, currency: rated?.terms.currency ?? null, ...(whatIf && { whatIf }), progress }];
      }),
    warm: async (projectId) => {
      const production: LedgerRequest = { projectId, environment: 'production', whatIf: undefined, rated: null };
      if (!hasRoomFor(production)) return;
      const entry = await find(production);
      await using(entry, async (ledger) => {
        await ledger.filled();
        await ledger.read(() => undefined);
        await ledger.snapshotWritten();
      });
      evict([entry]);
    },
    sweep: async (isThere) => {
      if (!deps.snapshots) return;
      const { projection, generation } = await serving.build(customerHistories);
      for (const name of await deps.snapshots.names()) {
        const of = parseSnapshotName(name);
        // A newer version may belong to a process that replaces this one.
        if (of && of.version > projection.version) continue;
        const isServed = of?.version === projection.version && of.generation === generation && of.parts === deps.parts;
        if (of && isServed && (await isThere(of.projectId))) continue;
        await deps.snapshots.remove(name);
      }
    },
  };
}

function ledgerRequestOf(
  projectId: string,
  { environment, whatIf }: ChartQuery,
  { conversion, range }: ChartQuery,
): LedgerRequest {
  const rated = conversion ? { terms: conversion, asOf: range.asOf } : null;
  return { projectId, environment, whatIf, rated };
}

/**
 * Maximum number of reads of one query. New events rarely change the rates, or add a customer whose history must be read, between two
 * reads.
 */
const MAX_READS = 8;
const PAGE = 500;

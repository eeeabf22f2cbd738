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
import { createLedgerCache, type CachedLedger, type LedgerCache, type LedgerRequest } from './ledger-cache.js';
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
  const cache = createLedgerCache(deps, serving);
  return {
    one: (projectId, q, use) => {
      const request = ledgerRequestOf(projectId, q, q);
      return readColumns(cache, [request], (columnsOf) => use(columnsOf(request)));
    },
    compare: (projectId, then, now, use) => compareTimes({ cache, readModels }, { projectId, then, now }, use),
    progress: (projectId) =>
      cache.entries().flatMap((entry) => {
        const progress = entry.ledger.progress();
        if (entry.projectId !== projectId || progress === 1) return [];
        const { environment, whatIf, rated } = entry;
        return [{ environment, currency: rated?.terms.currency ?? null, ...(whatIf && { whatIf }), progress }];
      }),
    warm: async (projectId) => {
      const production: LedgerRequest = { projectId, environment: 'production', whatIf: undefined, rated: null };
      if (!cache.hasRoomFor(production)) return;
      const entry = await cache.find(production);
      await cache.using(entry, async (ledger) => {
        await ledger.filled();
        await ledger.read(() => undefined);
        await ledger.snapshotWritten();
      });
      cache.evict([entry]);
    },
    sweep: (isThere) => sweepSnapshots(deps, serving, isThere),
  };
}

/** Calls `use` with the columns of each requested ledger; the same columns if requests share a ledger. */
async function readColumns<R>(
  { find, using, evict }: LedgerCache,
  requests: readonly LedgerRequest[],
  use: (columnsOf: (request: LedgerRequest) => LedgerColumns) => R,
): Promise<R> {
  for (let i = 0; i < MAX_READS; i++) {
    const entries = new Map<LedgerRequest, CachedLedger>();
    for (const one of requests) {
      const entry = await find(one);
      // Before any ledger is locked: a ledger with other rates starts from another's rows, and would wait for that one's lock.
      await using(entry, (ledger) => ledger.ready());
      entries.set(one, entry);
    }
    // A fixed order prevents deadlocks.
    const distinct = [...new Set(entries.values())].sort((a, b) => (a.key < b.key ? -1 : 1));
    const read = (
      columns: ReadonlyMap<CachedLedger, LedgerColumns>,
    ): Promise<{ readonly result: R } | null> | { result: R } => {
      const entry = distinct[columns.size];
      if (!entry) {
        const columnsOf = (request: LedgerRequest) => {
          const requested = entries.get(request);
          const found = requested && columns.get(requested);
          if (!found) throw new Error('the columns of a ledger were read without requesting them');
          return found;
        };
        return { result: use(columnsOf) };
      }
      const by = requests.flatMap((one) => (one.rated && entries.get(one) === entry ? [one.rated] : []));
      return using(entry, (ledger) => ledger.read((own) => read(new Map([...columns, [entry, own]])), by));
    };
    const found = await read(new Map());
    evict(distinct);
    if (found) return found.result;
  }
  throw new RetryLater('exchange rates changed while this chart was computed; retry', 1);
}

type TwoTimes = { readonly projectId: string; readonly then: ChartQuery; readonly now: ChartQuery };

/** `use` is synchronous: the histories that the comparison needs are read between two reads of the ledgers. */
async function compareTimes<R>(
  { cache, readModels }: { readonly cache: LedgerCache; readonly readModels: Pick<ReadModels, 'getMany'> },
  { projectId, then, now }: TwoTimes,
  use: (compare: LedgerComparison) => R,
): Promise<R> {
  const isForward = then.range.asOf <= now.range.asOf;
  const [earlier, later] = isForward ? [then, now] : [now, then];
  const first = ledgerRequestOf(projectId, earlier, earlier);
  const between = ledgerRequestOf(projectId, later, earlier);
  const last = ledgerRequestOf(projectId, later, later);
  const isSame = whatIfText(then.whatIf) === whatIfText(now.whatIf);
  const pairs = new Map<string, HistoryPair>();
  for (let i = 0; i < MAX_READS; i++) {
    const found = await readColumns(cache, [first, between, last], (columnsOf) => {
      const sides = {
        then: { ledger: columnsOf(isForward ? first : last), q: then },
        now: { ledger: columnsOf(isForward ? last : first), q: now },
      };
      const missing = customersToRecompute(sides.then, sides.now).filter((id) => !pairs.has(id));
      if (missing.length > 0) return { missing };
      return { result: use({ ...sides, inEarlier: columnsOf(between), pairs }) };
    });
    if ('result' in found) return found.result;
    const { missing } = found;
    const histories = await readHistories(readModels, missing);
    for (const id of missing) {
      const history = histories.get(id);
      const after = history && historyUnder(history, now.whatIf);
      const before = isSame ? after : history && historyUnder(history, then.whatIf);
      pairs.set(id, { then: before, now: after });
    }
  }
  throw new RetryLater('customers changed while this comparison was computed; retry', 1);
}

async function readHistories(
  readModels: Pick<ReadModels, 'getMany'>,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, CustomerHistoryDoc>> {
  const found = new Map<string, CustomerHistoryDoc>();
  for (let i = 0; i < customerIds.length; i += PAGE) {
    const page = await readModels.getMany(customerHistories, customerIds.slice(i, i + PAGE));
    for (const [id, doc] of page) found.set(id, doc);
  }
  return found;
}

async function sweepSnapshots(
  { snapshots, parts }: LedgerDeps,
  serving: Pick<Serving, 'build'>,
  isThere: (projectId: string) => Promise<boolean>,
): Promise<void> {
  if (!snapshots) return;
  const { projection, generation } = await serving.build(customerHistories);
  for (const name of await snapshots.names()) {
    const of = parseSnapshotName(name);
    // A newer version may belong to a process that replaces this one.
    if (of && of.version > projection.version) continue;
    const isServed = of?.version === projection.version && of.generation === generation && of.parts === parts;
    if (of && isServed && (await isThere(of.projectId))) continue;
    await snapshots.remove(name);
  }
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

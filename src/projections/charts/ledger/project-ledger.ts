// In-memory ledger of one project and environment, updated from the customer histories of one build. It is derived from them and contains
// no other data: nothing is lost when the process dies, and nothing needs repair. Snapshots only save the next start from rebuilding what
// has not changed.
import type { ConversionTerms } from '../../../domain/charts/currency.js';
import type { LedgerColumns } from '../../../domain/charts/ledger/ledger.js';
import type { WhatIf } from '../../../domain/charts/what-if.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import type { Build } from '../../runtime/projection.js';
import { createFill, createLedgerContent, type LedgerSeed } from './ledger-content.js';
import { createLedgerRates, type DatedRates } from './ledger-rates.js';
import { NotReady, type LedgerDeps } from './limits.js';

export type ProjectLedger = {
  readonly build: Build;
  /**
   * Calls `use` with everything the build contains of the project at the time of the call; no other reader or update runs until it returns.
   * Null if the ledger does not have the rates that one of `by` needs. Throws `Unavailable` until {@link ProjectLedger.ready} has resolved.
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

/** Options of a ledger in addition to its customers. */
export type LedgerOptions = {
  /** Hypothetical rules. */
  readonly whatIf?: WhatIf | undefined;
  /** Conversion to a currency other than that of the histories. */
  readonly terms?: ConversionTerms | undefined;
  /** Ledger of the same currency and customers with other rates. */
  readonly like?: ProjectLedger | undefined;
};

/** Opens a ledger. Reading throws {@link LedgerTooLarge}. */
export function openProjectLedger(
  deps: LedgerDeps,
  build: Build,
  projectId: string,
  environment: Environment,
  { whatIf, terms, like }: LedgerOptions = {},
): ProjectLedger {
  const rates = createLedgerRates(terms);
  const fill = createFill();
  const content = createLedgerContent(deps, { build, projectId, environment, whatIf }, rates, fill);
  const inTurn = createTurns();
  const filling = inTurn(async () => {
    await (like ? content.loadLike(await like.seed()) : content.loadSnapshot());
    await content.follow();
  });
  // Whoever reads or waits gets the error.
  filling.catch(() => undefined);
  const ready = async (): Promise<void> => {
    if (fill.isComplete()) return;
    await Promise.race([filling, fill.manyLoaded(deps.maxAwaited)]);
    if (!fill.isComplete()) throw new NotReady(fill.progress());
  };
  return {
    build,
    filled: () => filling,
    snapshotWritten: content.snapshotWritten,
    rows: content.rows,
    progress: fill.progress,
    hasRatesOf: rates.includes,
    ready,
    seed: () => inTurn(content.seed),
    read: async (use, by = []) => {
      await ready();
      return inTurn(async () => {
        rates.update(by);
        await content.convertOutdated();
        if (!by.every(rates.includes)) return null;
        await content.follow();
        return use(content.read());
      });
    },
  };
}

/** Returns a function that runs tasks one at a time, in the order of the calls, also after one that failed. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <R>(task: () => R | Promise<R>): Promise<R> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

// Open ledgers in the memory of this process, by project, environment, rules and currency, and by rates if they differed. Their total size is
// limited: the least recently used one is evicted first.
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { whatIfText, type WhatIf } from '../../../domain/charts/what-if.js';
import type { Serving } from '../../rebuild/serving.js';
import type { Build } from '../../runtime/projection.js';
import { customerHistories } from '../customer-histories.js';
import type { DatedRates } from './ledger-rates.js';
import { LedgerTooLarge, NotReady, type LedgerDeps } from './limits.js';
import { openProjectLedger, type ProjectLedger } from './project-ledger.js';

/** Identifies a ledger by project, rules and rates; null rates for US dollars. */
export type LedgerRequest = {
  readonly projectId: string;
  readonly environment: ChartQuery['environment'];
  readonly whatIf: WhatIf | undefined;
  readonly rated: DatedRates | null;
};
export type CachedLedger = LedgerRequest & { readonly key: string; readonly ledger: ProjectLedger };

/** Open ledgers, limited in total size. `used`: those that must stay. */
export type LedgerCache = {
  /** Finds or opens the ledger of a request, which becomes the most recently used one. Throws {@link LedgerTooLarge}. */
  find(request: LedgerRequest): Promise<CachedLedger>;
  /** Throws what `use` throws; after a failed fill, the next request creates the ledger again. */
  using<R>(entry: CachedLedger, use: (ledger: ProjectLedger) => Promise<R>): Promise<R>;
  evict(used: readonly CachedLedger[]): void;
  /** Returns whether a ledger may be filled before anybody asks for it. */
  hasRoomFor(request: LedgerRequest): boolean;
  entries(): readonly CachedLedger[];
};

export function createLedgerCache(deps: LedgerDeps, serving: Pick<Serving, 'build'>): LedgerCache {
  /** Ledgers, the least recently used first. */
  const cached = new Map<string, CachedLedger>();
  const tooLarge = new Map<string, LedgerTooLarge>();
  let frozen = 0;
  const rows = () => [...cached.values()].reduce((sum, { ledger }) => sum + ledger.rows(), 0);
  const open = (build: Build, request: LedgerRequest, key: string, like?: ProjectLedger): CachedLedger => {
    const { projectId, environment, whatIf, rated } = request;
    // Other ledgers have no snapshots: nothing records when they were last used.
    const own = { ...deps, ...((whatIf || rated) && { snapshots: null }) };
    const ledger = openProjectLedger(own, build, projectId, environment, { whatIf, terms: rated?.terms, like });
    return { ...request, key, ledger };
  };
  return {
    find: async (request) => {
      const { rated } = request;
      const key = keyOf(request);
      const reason = tooLarge.get(key);
      if (reason) throw reason;
      const build = await serving.build(customerHistories);
      const served = (entry: CachedLedger | undefined) =>
        entry?.ledger.build.generation === build.generation ? entry : undefined;
      const latest = served(cached.get(key));
      let found = latest;
      if (rated && !rated.terms.isLatest) {
        const same = [...cached.values()].filter((entry) => entry.key === key || entry.key.startsWith(`${key}@`));
        found = same.find((entry) => served(entry) && entry.ledger.hasRatesOf(rated));
      }
      const isFrozen = rated !== null && !rated.terms.isLatest;
      const entry =
        found ?? open(build, request, isFrozen ? `${key}@${++frozen}` : key, isFrozen ? latest?.ledger : undefined);
      cached.delete(entry.key);
      cached.set(entry.key, entry);
      return entry;
    },
    using: async (entry, use) => {
      try {
        return await use(entry.ledger);
      } catch (err) {
        const isLost = err instanceof LedgerTooLarge || (entry.ledger.progress() < 1 && !(err instanceof NotReady));
        if (isLost && cached.get(entry.key) === entry) cached.delete(entry.key);
        if (err instanceof LedgerTooLarge) tooLarge.set(keyOf(entry), err);
        throw err;
      }
    },
    evict: (used) => {
      for (const [key, entry] of cached) {
        if (rows() <= deps.maxRows) return;
        if (!used.includes(entry)) cached.delete(key);
      }
    },
    hasRoomFor: (request) => {
      const key = keyOf(request);
      return !tooLarge.has(key) && (cached.has(key) || rows() < deps.maxRows / 2);
    },
    entries: () => [...cached.values()],
  };
}

/** Returns the key of the ledger with the latest rates. */
function keyOf({ projectId, environment, whatIf, rated }: LedgerRequest): string {
  return [projectId, environment, whatIfText(whatIf), rated?.terms.currency ?? ''].join('|');
}

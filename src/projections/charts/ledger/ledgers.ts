// The ledgers that this process has in memory, by project, environment and source. Together they are bounded: the one that was asked least
// recently goes first, and a project that is too large by itself is not kept at all.
import { askedThemselves, type Compare, type Pair } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { CustomerHistory } from '../../../domain/charts/history/history.js';
import { isInLedger, readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { LedgerColumns } from '../../../domain/charts/ledger/ledger.js';
import type { Serving } from '../../build/serving.js';
import type { Build, Projection } from '../../runtime/projection.js';
import { chartsOfCopies } from '../copied.js';
import { customerHistories } from '../customer-histories.js';
import type { ChartSource, Compute, CopiedDocs } from '../source.js';
import { keepLedger, LedgerTooLarge, type KeptLedger, type LedgerDeps } from './kept-ledger.js';

/** What is asked, of which source. */
type Asked = { readonly source: ChartSource; readonly chartQuery: ChartQuery };

/** All are null for what is not in a ledger, or not yet: it must be asked of the customers. `use` must not wait for anything. */
export type Ledgers = {
  /** Of what is live. */
  readonly read: Compute;
  readOf(copy: CopiedDocs): Compute;
  one<R>(projectId: string, asked: Asked, use: (ledger: LedgerColumns) => R): Promise<R | null>;
  compare<R>(projectId: string, then: Asked, now: Asked, use: (compare: Compare) => R): Promise<R | null>;
  /** Takes in the customers of a project before somebody asks; of as many projects as there is room for. */
  warm(projectId: string): Promise<void>;
  /** Removes what is kept of builds that are not served any more, and of projects that are gone. */
  sweep(isThere: (projectId: string) => Promise<boolean>): Promise<void>;
};

export function createLedgers(deps: LedgerDeps, serving: Pick<Serving, 'build'>): Ledgers {
  /** Asked least recently first. */
  const kept = new Map<string, KeptLedger>();
  const tooLarge = new Set<string>();
  const rows = () => [...kept.values()].reduce((sum, ledger) => sum + ledger.rows(), 0);
  const forgetSome = (latest: KeptLedger): void => {
    for (const [key, ledger] of kept) {
      if (rows() <= deps.mostRows || ledger === latest) return;
      kept.delete(key);
    }
  };
  const buildOf = (copy: CopiedDocs | null): Promise<Build> =>
    copy ? Promise.resolve(chartsOfCopies) : serving.build(customerHistories as unknown as Projection);
  /** With the ledger as it is served now. Null for a project that is too large. */
  const withLedger = async <R>(
    projectId: string,
    of: Pick<ChartQuery, 'environment' | 'conversion'>,
    copy: CopiedDocs | null,
    use: (ledger: KeptLedger) => Promise<R>,
  ): Promise<R | null> => {
    const terms = of.conversion?.terms;
    const key = keyOf(projectId, of, copy);
    if (tooLarge.has(key)) return null;
    const build = await buildOf(copy);
    const before = kept.get(key);
    const isServed = before?.build.generation === build.generation;
    // A copy is read seldom, and its generation says nothing of which copy it is. Rates say nothing of when a currency was asked for last.
    const own = { ...deps, ...(copy && { docs: copy.docs }), ...((copy || terms) && { snapshots: null }) };
    const ledger = isServed ? before : keepLedger(own, build, projectId, of.environment, terms);
    kept.delete(key);
    kept.set(key, ledger);
    try {
      const used = await use(ledger);
      forgetSome(ledger);
      return used;
    } catch (err) {
      if (kept.get(key) === ledger) kept.delete(key);
      if (!(err instanceof LedgerTooLarge)) throw err;
      tooLarge.add(key);
      return null;
    }
  };
  const isPlain = (q: ChartQuery): boolean => isInLedger(q) && !q.conversion;
  const withColumns = <R>(
    projectId: string,
    q: ChartQuery,
    copy: CopiedDocs | null,
    use: (columns: LedgerColumns) => R | Promise<R>,
  ): Promise<R | null> =>
    isPlain(q) ? withLedger(projectId, q, copy, (ledger) => ledger.read(use)) : Promise.resolve(null);
  /** Null where rates of an earlier instant are asked for, and there is no ledger of the currency yet: the first has those that are known now. */
  const inCurrency = async <R>(
    projectId: string,
    q: ChartQuery,
    use: (columns: LedgerColumns) => R,
  ): Promise<R | null> => {
    const terms = q.conversion?.terms;
    if (!terms || !isInLedger(q)) return null;
    if (!terms.isLatest && !kept.has(keyOf(projectId, q, null))) return null;
    return withLedger(projectId, q, null, (ledger) => ledger.read(use, { terms, asOf: q.range.asOf }));
  };
  const readFrom =
    (copy: CopiedDocs | null): Compute =>
    async (projectId, q, also) => {
      const use = (columns: LedgerColumns) => readLedger(columns, q, also);
      if (q.conversion) return copy ? null : inCurrency(projectId, q, use);
      return withColumns(projectId, q, copy, use);
    };
  /** Of two ledgers one is waited for inside of the other, always in the same order, so that no two wait for each other. */
  const withBoth = async <R>(
    projectId: string,
    then: Asked,
    now: Asked,
    use: (thens: LedgerColumns, nows: LedgerColumns) => R,
  ): Promise<R | null> => {
    const read = <T>({ source, chartQuery }: Asked, by: (columns: LedgerColumns) => T | Promise<T>) =>
      withColumns(projectId, chartQuery, source.copy, by);
    if (placeOf(then.source) === placeOf(now.source))
      return isPlain(then.chartQuery) ? read(now, (both) => use(both, both)) : null;
    const isThenFirst = placeOf(then.source) < placeOf(now.source);
    const [first, second] = isThenFirst ? [then, now] : [now, then];
    return read(first, (a) => read(second, (b) => (isThenFirst ? use(a, b) : use(b, a))));
  };
  return {
    read: readFrom(null),
    readOf: readFrom,
    one: (projectId, { source, chartQuery }, use) => withColumns(projectId, chartQuery, source.copy, use),
    compare: async (projectId, then, now, use) => {
      const pairs = new Map<string, Pair>();
      for (let i = 0; i < MOST_READINGS; i++) {
        const found = await withBoth(projectId, then, now, (thens, nows) => {
          const sides = { then: { ledger: thens, q: then.chartQuery }, now: { ledger: nows, q: now.chartQuery } };
          const missing = askedThemselves(sides.then, sides.now).filter((id) => !pairs.has(id));
          if (missing.length > 0) return { missing };
          return { result: use({ ...sides, also: [], inEarlier: null, pairs }) };
        });
        if (!found) return null;
        if ('result' in found) return found.result;
        const { missing } = found;
        const nows = await historiesOf(now.source, missing);
        const thens = then.source === now.source ? nows : await historiesOf(then.source, missing);
        for (const id of missing) pairs.set(id, { then: thens.get(id), now: nows.get(id) });
      }
      return null;
    },
    warm: async (projectId) => {
      const production = { environment: 'production' } as const;
      if (!kept.has(keyOf(projectId, production, null)) && rows() >= deps.mostRows / 2) return;
      await withLedger(projectId, production, null, async (ledger) => {
        await ledger.filled();
        await ledger.read(() => undefined);
        await ledger.kept();
      });
    },
    sweep: async (isThere) => {
      if (!deps.snapshots) return;
      const { projection, generation } = await serving.build(customerHistories as unknown as Projection);
      for (const name of await deps.snapshots.names()) {
        const [, version, kept, projectId] = /_v(\d+)_g(\d+)\.([^.]+)\./.exec(name) ?? [];
        // A newer version may be that of a process which takes this one's place.
        const isNewer = Number(version) > projection.version;
        const isServed = Number(version) === projection.version && Number(kept) === generation;
        if (isNewer || (isServed && projectId !== undefined && (await isThere(projectId)))) continue;
        await deps.snapshots.remove(name);
      }
    },
  };
}

/** Whose ledger it is, of what, and in which currency; US dollars where none is named. */
function keyOf(
  projectId: string,
  { environment, conversion }: Pick<ChartQuery, 'environment' | 'conversion'>,
  copy: CopiedDocs | null,
): string {
  return [projectId, environment, copy?.id ?? '', conversion?.currency ?? ''].join('|');
}

/** Copies by their ids, and what is live behind them. */
function placeOf({ copy }: ChartSource): string {
  return copy ? `copy ${copy.id}` : 'live';
}

/** Between two readings events come in, and rarely one that makes another customer to be asked itself. */
const MOST_READINGS = 4;
const PAGE = 500;

async function historiesOf(
  source: ChartSource,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, CustomerHistory>> {
  const found = new Map<string, CustomerHistory>();
  for (let i = 0; i < customerIds.length; i += PAGE) {
    for (const doc of await source.byIds(customerIds.slice(i, i + PAGE))) found.set(doc.customerId, doc);
  }
  return found;
}

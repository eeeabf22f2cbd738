// The ledgers that this process has in memory, by project and environment. Together they are bounded: the one that was asked least recently
// goes first, and a project that is too large by itself is not kept at all.
import { isInLedger, readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import type { Serving } from '../../build/serving.js';
import type { Projection } from '../../runtime/projection.js';
import { customerHistories } from '../customer-histories.js';
import type { Compute } from '../source.js';
import { keepLedger, LedgerTooLarge, type KeptLedger, type LedgerDeps } from './kept-ledger.js';

export type Ledgers = {
  /** Null for what is not in a ledger, or not yet: it must be asked of the customers. */
  readonly read: Compute;
  /** Takes in the customers of a project before somebody asks; of as many projects as there is room for. */
  warm(projectId: string): Promise<void>;
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
  /** With the ledger as it is served now. Null for a project that is too large. */
  const withLedger = async <R>(
    projectId: string,
    environment: Environment,
    use: (ledger: KeptLedger) => Promise<R>,
  ): Promise<R | null> => {
    const key = `${projectId}|${environment}`;
    if (tooLarge.has(key)) return null;
    const build = await serving.build(customerHistories as unknown as Projection);
    const before = kept.get(key);
    const isServed = before?.build.generation === build.generation;
    const ledger = isServed ? before : keepLedger(deps, build, projectId, environment);
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
  return {
    read: async (projectId, q, also) => {
      if (!isInLedger(q)) return null;
      return withLedger(projectId, q.environment, async (ledger) => {
        const columns = await ledger.read();
        return columns && readLedger(columns, q, also);
      });
    },
    warm: async (projectId) => {
      if (rows() < deps.mostRows / 2) await withLedger(projectId, 'production', (ledger) => ledger.filled());
    },
  };
}

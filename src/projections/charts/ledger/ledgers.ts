// The ledgers that this process has in memory, by project and environment. Together they are bounded: the one that was asked least recently
// goes first, and a project that is too large by itself is not kept at all.
import { isInLedger, readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { Serving } from '../../build/serving.js';
import type { Projection } from '../../runtime/projection.js';
import { customerHistories } from '../customer-histories.js';
import type { Compute } from '../source.js';
import { keepLedger, LedgerTooLarge, type KeptLedger, type LedgerDeps } from './kept-ledger.js';

export type Ledgers = {
  /** Null for what is not in a ledger, or not yet: it must be asked of the customers. */
  readonly read: Compute;
};

export function createLedgers(deps: LedgerDeps, serving: Pick<Serving, 'build'>): Ledgers {
  /** Asked least recently first. */
  const kept = new Map<string, KeptLedger>();
  const tooLarge = new Set<string>();
  const forgetSome = (latest: KeptLedger): void => {
    let rows = [...kept.values()].reduce((sum, ledger) => sum + ledger.rows(), 0);
    for (const [key, ledger] of kept) {
      if (rows <= deps.mostRows || ledger === latest) return;
      kept.delete(key);
      rows -= ledger.rows();
    }
  };
  return {
    read: async (projectId, q, also) => {
      const key = `${projectId}|${q.environment}`;
      if (!isInLedger(q) || tooLarge.has(key)) return null;
      const build = await serving.build(customerHistories as unknown as Projection);
      const before = kept.get(key);
      const isServed = before?.build.generation === build.generation;
      const ledger = isServed ? before : keepLedger(deps, build, projectId, q.environment);
      kept.delete(key);
      kept.set(key, ledger);
      try {
        const columns = await ledger.read();
        forgetSome(ledger);
        return columns && readLedger(columns, q, also);
      } catch (err) {
        if (kept.get(key) === ledger) kept.delete(key);
        if (!(err instanceof LedgerTooLarge)) throw err;
        tooLarge.add(key);
        return null;
      }
    },
  };
}

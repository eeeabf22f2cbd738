// Dependencies of ledgers, and the reasons why one is unavailable: its customers are being loaded, or it is too large.
import type { DocStore } from '../../../adapters/documents/port.js';
import type { SnapshotStore } from '../../../adapters/snapshots/port.js';
import { RetryLater } from '../../../domain/errors.js';

const RETRY_SECONDS = 5;

export type LedgerDeps = {
  readonly docs: DocStore;
  /** Snapshots; null for none between starts. */
  readonly snapshots: SnapshotStore | null;
  /** Yields to other tasks. */
  readonly turn: () => Promise<void>;
  /** Part of the customers to load, from 0 on, and the number of parts, each with the same limits. */
  readonly part: number;
  readonly parts: number;
  /** Maximum number of rows in all ledgers of the part together, see `rowsIn`. */
  readonly maxRows: number;
  /**
   * Minimum number of changed customers for a new snapshot, in addition to a twentieth of all customers: the next start loads them again.
   */
  readonly leastChanged: number;
  /** Number of customers that a reader waits for before it fails because the ledger is not ready. */
  readonly maxAwaited: number;
};

/** Memory per row: 32 bytes, and about as much for its shared data. */
const ROW_BYTES = 64;
const MIB = 1 << 20;

export function rowsIn(mebibytes: number): number {
  return Math.floor((mebibytes * MIB) / ROW_BYTES);
}

/** Thrown if a ledger has more rows than memory allows. Both numbers cover all parts together. */
export class LedgerTooLarge extends RetryLater {
  constructor(rows: number, maxRows: number) {
    const [needed, allowed] = [rows, maxRows].map((n) => Math.ceil((n * ROW_BYTES) / MIB));
    super(
      `this chart needs about ${needed} MB of memory, and CHART_MEMORY_MB allows ${allowed}; ` +
        `set CHART_MEMORY_MB to ${needed} or more and restart the service`,
      60,
    );
  }
}

/** Thrown while the customers of a ledger are being loaded. */
export class NotReady extends RetryLater {
  constructor(progress: number) {
    const percent = Math.min(99, Math.floor(100 * progress));
    super(
      `the data of this chart is being prepared (${percent} % done); retry in ${RETRY_SECONDS} seconds. ` +
        'Charts in US dollars without filters, segments and asOf are already available',
      RETRY_SECONDS,
    );
  }
}

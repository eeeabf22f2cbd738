// What ledgers are given, and why one has no answer: its customers are being taken in, or there is no room for it.
import type { DocStore } from '../../../adapters/documents/port.js';
import type { SnapshotStore } from '../../../adapters/snapshots/port.js';
import { Unavailable } from '../../../domain/errors.js';

const RETRY_SECONDS = 5;

export type LedgerDeps = {
  readonly docs: DocStore;
  /** Null: nothing is kept between starts. */
  readonly snapshots: SnapshotStore | null;
  /** Lets others have their turn. */
  readonly turn: () => Promise<void>;
  /** The part of the customers that is taken in, from 0 on, and how many parts there are, each with the same limits. */
  readonly part: number;
  readonly parts: number;
  /** Of all ledgers of the part together, see `rowsIn`. */
  readonly maxRows: number;
  /**
   * A snapshot is written when so many customers have changed since the last, and a twentieth of all: the next start takes them in again.
   */
  readonly leastChanged: number;
  /** So many customers more each reader waits for before it is answered that the ledger is not ready. */
  readonly maxAwaited: number;
};

/** A row takes 32 bytes, and about as much again with all that belongs to it. */
const ROW_BYTES = 64;
const MIB = 1 << 20;

export function rowsIn(mebibytes: number): number {
  return Math.floor((mebibytes * MIB) / ROW_BYTES);
}

/** It has more rows than there is room for. Both are of all parts together. */
export class LedgerTooLarge extends Unavailable {
  constructor(rows: number, maxRows: number) {
    const [needed, allowed] = [rows, maxRows].map((n) => Math.ceil((n * ROW_BYTES) / MIB));
    super(
      `this chart needs about ${needed} MB of memory, and CHART_MEMORY_MB allows ${allowed}; ` +
        `set CHART_MEMORY_MB to ${needed} or more and restart the service`,
      60,
    );
  }
}

/** Its customers are being taken in. */
export class NotReady extends Unavailable {
  constructor(progress: number) {
    const percent = Math.min(99, Math.floor(100 * progress));
    super(
      `the data of this chart is being prepared (${percent} % so far); retry in ${RETRY_SECONDS} seconds. ` +
        'Charts in US dollars without filters, segments and asOf are available meanwhile',
      RETRY_SECONDS,
    );
  }
}

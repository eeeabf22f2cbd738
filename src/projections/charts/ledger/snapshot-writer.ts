// Decides when a ledger is worth a new snapshot, and writes one at a time.
import type { SnapshotStore } from '../../../adapters/snapshots/port.js';
import type { Ledger } from '../../../domain/charts/ledger/ledger.js';
import type { Checkpoint } from '../../runtime/runner.js';
import {
  matchesCheckpoint,
  readSnapshotState,
  writeSnapshot,
  type SnapshotPlace,
  type SnapshotState,
} from './snapshots.js';

/** Minimum share of customers that changed since the last snapshot. */
const MIN_CHANGED_SHARE = 0.05;

type SnapshotWriter = {
  /** The ledger was loaded from a snapshot up to this position. */
  startAt(upTo: string): void;
  countChangedCustomer(): void;
  /** Starts to write a snapshot if enough customers changed, and none is being written. */
  offer(ledger: Ledger, checkpoint: Checkpoint, content: Pick<SnapshotState, 'upTo' | 'ahead'>): void;
  /** Resolves when no snapshot is being written. */
  written(): Promise<void>;
};

/** `snapshots` null: nothing is written. `leastChanged`: minimum number of changed customers. */
export function createSnapshotWriter(
  snapshots: SnapshotStore | null,
  place: SnapshotPlace,
  leastChanged: number,
): SnapshotWriter {
  /** Number of customers loaded since the last snapshot. */
  let changed = 0;
  let savedTo: string | null = null;
  let saving: Promise<void> | null = null;
  const save = async (to: SnapshotStore, ledger: Ledger, checkpoint: Checkpoint, state: SnapshotState) => {
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
  return {
    startAt: (upTo) => void (savedTo = upTo),
    countChangedCustomer: () => void changed++,
    offer: (ledger, checkpoint, content) => {
      const isMuch = changed >= Math.max(leastChanged, MIN_CHANGED_SHARE * ledger.size().customers);
      // Without a run, it could not be determined later whether a snapshot still belongs to the build.
      const run = checkpoint.runs?.at(-1)?.id;
      if (!snapshots || run === undefined || !isMuch) return;
      const state = { logIdentity: checkpoint.logIdentity, run, ...content };
      saving ??= save(snapshots, ledger, checkpoint, state).finally(() => (saving = null));
    },
    written: async () => void (await saving),
  };
}

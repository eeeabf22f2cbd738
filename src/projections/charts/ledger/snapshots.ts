// Snapshots of ledgers between starts. One is valid if its bytes are intact, its rules are those of this code, and its build is the current
// one: not one of another log, and not one that was restored to an earlier state and then continued.
import {
  DamagedSnapshot,
  isSnapshotName,
  type SnapshotReader,
  type SnapshotStore,
} from '../../../adapters/snapshots/port.js';
import { createLedger, type Ledger, type LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { continuesRun, type Checkpoint } from '../../runtime/runner.js';
import { bytesOf, readParts, readState, type SnapshotState } from './snapshot-format.js';

/** Identifies a snapshot. `part` is one of `parts`: with another number of parts, the customers differ. */
export type SnapshotPlace = {
  readonly collection: string;
  readonly projectId: string;
  readonly environment: string;
  readonly part: number;
  readonly parts: number;
};

export function snapshotName({ collection, projectId, environment, part, parts }: SnapshotPlace): string {
  return [collection, projectId, environment, ...(parts === 1 ? [] : [`${part}of${parts}`])].join('.');
}

const NAME = /_v(\d+)_g(\d+)\.([^.]+)\.[^.]+(?:\.\d+of(\d+))?$/;

/** Parses the name of a snapshot; null if no ledger has such a name. */
export function parseSnapshotName(name: string) {
  const [, version, generation, projectId, parts = '1'] = NAME.exec(name) ?? [];
  if (projectId === undefined) return null;
  return { version: Number(version), generation: Number(generation), projectId, parts: Number(parts) };
}

/** Loads the valid snapshot at the checkpoint; null if there is none. Throws `OtherColumns`, and read errors. */
export async function loadLedger(
  snapshots: SnapshotStore,
  place: SnapshotPlace,
  checkpoint: Checkpoint,
): Promise<{ readonly ledger: Ledger; readonly state: SnapshotState } | null> {
  return readSnapshot(snapshots, place, async (reader) => {
    const state = await readState(reader);
    if (!state || !matchesCheckpoint(checkpoint, state)) return null;
    return { ledger: createLedger(await readParts(reader, state)), state };
  });
}

/** Writes a snapshot; returns false if another process is writing it. */
export async function writeSnapshot(
  snapshots: SnapshotStore,
  place: SnapshotPlace,
  parts: LedgerParts,
  state: SnapshotState,
): Promise<boolean> {
  const name = snapshotName(place);
  return isSnapshotName(name) && (await snapshots.write(name, bytesOf(parts, state)));
}

/** Reads the state of the stored snapshot; null if there is none with these rules. */
export async function readSnapshotState(snapshots: SnapshotStore, place: SnapshotPlace): Promise<SnapshotState | null> {
  return readSnapshot(snapshots, place, readState);
}

export function matchesCheckpoint(checkpoint: Checkpoint, { logIdentity, run, upTo }: SnapshotState): boolean {
  return checkpoint.logIdentity === logIdentity && continuesRun(checkpoint, run, upTo);
}

async function readSnapshot<R>(
  snapshots: SnapshotStore,
  place: SnapshotPlace,
  read: (reader: SnapshotReader) => Promise<R | null>,
): Promise<R | null> {
  const name = snapshotName(place);
  const reader = isSnapshotName(name) ? await snapshots.open(name) : null;
  if (!reader) return null;
  try {
    return await read(reader);
  } catch (err) {
    if (err instanceof DamagedSnapshot) return null;
    throw err;
  } finally {
    await reader.close();
  }
}

// Ledgers as they are kept between starts. One is believed when its bytes are whole, its rules are those of this code, and the build is the one
// that it was made of: not one from another log, and not one that was put back to an earlier instant and went on from there.
import {
  DamagedSnapshot,
  isSnapshotName,
  type SnapshotReader,
  type SnapshotStore,
} from '../../../adapters/snapshots/port.js';
import { createLedger, type Ledger, type LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { goesOnFrom, type Checkpoint } from '../../runtime/runner.js';
import { bytesOf, readParts, readState, type KeptState } from './kept-parts.js';

/** `part` of as many `parts`: one of another number of them has other customers. */
export type Place = {
  readonly collection: string;
  readonly projectId: string;
  readonly environment: string;
  readonly part: number;
  readonly parts: number;
};

export function snapshotName({ collection, projectId, environment, part, parts }: Place): string {
  return [collection, projectId, environment, ...(parts === 1 ? [] : [`${part}of${parts}`])].join('.');
}

const NAME = /_v(\d+)_g(\d+)\.([^.]+)\.[^.]+(?:\.\d+of(\d+))?$/;

/** What the name of a snapshot says; null for one that no ledger was written under. */
export function parseSnapshotName(name: string) {
  const [, version, generation, projectId, parts = '1'] = NAME.exec(name) ?? [];
  if (projectId === undefined) return null;
  return { version: Number(version), generation: Number(generation), projectId, parts: Number(parts) };
}

/** Null when there is none that may be believed at the checkpoint. Throws `OtherColumns`, and what reading throws. */
export async function loadLedger(
  snapshots: SnapshotStore,
  place: Place,
  checkpoint: Checkpoint,
): Promise<{ readonly ledger: Ledger; readonly state: KeptState } | null> {
  return readSnapshot(snapshots, place, async (reader) => {
    const state = await readState(reader);
    if (!state || !isMadeOf(checkpoint, state)) return null;
    return { ledger: createLedger(await readParts(reader, state)), state };
  });
}

/** False when another process was writing it. */
export async function keepParts(
  snapshots: SnapshotStore,
  place: Place,
  parts: LedgerParts,
  state: KeptState,
): Promise<boolean> {
  const name = snapshotName(place);
  return isSnapshotName(name) && (await snapshots.write(name, bytesOf(parts, state)));
}

/** What the one that is there says of itself; null when there is none of these rules. */
export async function keptState(snapshots: SnapshotStore, place: Place): Promise<KeptState | null> {
  return readSnapshot(snapshots, place, readState);
}

export function isMadeOf(checkpoint: Checkpoint, { logIdentity, run, upTo }: KeptState): boolean {
  return checkpoint.logIdentity === logIdentity && goesOnFrom(checkpoint, run, upTo);
}

async function readSnapshot<R>(
  snapshots: SnapshotStore,
  place: Place,
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

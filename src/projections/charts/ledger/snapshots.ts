// Snapshots of ledgers between starts. One is valid if its bytes are intact, its rules are those of this code, and its build is the current
// one: not one of another log, and not one that was restored to an earlier state and then continued.
import {
  DamagedSnapshot,
  isSnapshotName,
  type SnapshotReader,
  type SnapshotStore,
} from '../../../adapters/snapshots/port.js';
import { ROWS_VERSION, type Numbers } from '../../../domain/charts/ledger/ledger-column.js';
import { createLedger, type Ledger, type LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { entryNames } from '../../../domain/charts/ledger/measure-codes.js';
import { continuesRun, type Checkpoint } from '../../runtime/runner.js';

/** Position and origin of a snapshot. */
export type SnapshotState = {
  readonly logIdentity: string;
  /** Position up to which all events are included; later ones may be. */
  readonly upTo: string;
  /** Run that last advanced the build until then. */
  readonly run: string;
  /** Customers that may include later events. */
  readonly ahead: readonly string[];
};

/** Identifies a snapshot. `part` is one of `parts`: with another number of parts, the customers differ. */
export type SnapshotPlace = {
  readonly collection: string;
  readonly projectId: string;
  readonly environment: string;
  readonly part: number;
  readonly parts: number;
};

function snapshotName({ collection, projectId, environment, part, parts }: SnapshotPlace): string {
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

/** Version of the format; increment it when the bytes change. */
const FORMAT = 1;
const MAX_HEADER_BYTES = 1 << 28;

type Header = SnapshotState & {
  /** Name, type and length of each column; their values follow this header in sequence. */
  readonly columns: readonly (readonly [name: string, type: 'float64' | 'int32', length: number])[];
  readonly idBytes: number;
} & Pick<LedgerParts, 'attributes' | 'renewalKinds'>;

/** Returns the rules that other versions of the code may change. */
function rules(): string {
  return JSON.stringify({ format: FORMAT, rows: ROWS_VERSION, entries: entryNames() });
}

function* bytesOf(parts: LedgerParts, state: SnapshotState): Generator<Uint8Array, undefined> {
  const { attributes, renewalKinds, customerIds } = parts;
  const ids = Buffer.from(customerIds.join('\n'));
  const all = Object.entries(parts.columns);
  const columns = all.map(([name, c]) => [name, c instanceof Float64Array ? 'float64' : 'int32', c.length] as const);
  const header: Header = { ...state, attributes, renewalKinds, columns, idBytes: ids.length };
  for (const text of [rules(), JSON.stringify(header)]) {
    const bytes = Buffer.from(text);
    yield new Uint8Array(Uint32Array.of(bytes.length).buffer);
    yield bytes;
  }
  yield ids;
  for (const [, { buffer, byteOffset, byteLength }] of all) yield new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads the header; null if the snapshot was written with other rules. Throws {@link DamagedSnapshot}. */
async function readState(reader: SnapshotReader): Promise<Header | null> {
  if ((await readText(reader)) !== rules()) return null;
  return JSON.parse(await readText(reader));
}

/** Reads what follows the header. Throws {@link DamagedSnapshot}. */
async function readParts(reader: SnapshotReader, header: Header): Promise<LedgerParts> {
  const { attributes, renewalKinds } = header;
  const ids = Buffer.from(await reader.read(header.idBytes)).toString();
  const columns: Record<string, Numbers> = {};
  for (const [name, type, length] of header.columns) {
    const { buffer } = await reader.read(length * (type === 'float64' ? 8 : 4));
    columns[name] = type === 'float64' ? new Float64Array(buffer) : new Int32Array(buffer);
  }
  await reader.end();
  return { customerIds: ids === '' ? [] : ids.split('\n'), attributes, renewalKinds, columns };
}

async function readText(reader: SnapshotReader): Promise<string> {
  const length = new DataView((await reader.read(4)).buffer).getUint32(0, true);
  if (length > MAX_HEADER_BYTES) throw new DamagedSnapshot('invalid header length');
  return Buffer.from(await reader.read(length)).toString();
}

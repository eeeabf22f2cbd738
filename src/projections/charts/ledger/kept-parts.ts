// The bytes in which the parts of a ledger are kept, with all that says whether they may be believed.
import { DamagedSnapshot, type SnapshotReader } from '../../../adapters/snapshots/port.js';
import { entryNames } from '../../../domain/charts/ledger/entries.js';
import type { Numbers } from '../../../domain/charts/ledger/growing.js';
import type { LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { ROWS_VERSION } from '../../../domain/charts/ledger/parts.js';

/** Changes when the bytes do. */
const FORMAT = 1;
const MOST_HEADER_BYTES = 1 << 28;

/** Up to where the parts are right, and of what they were made. */
export type KeptState = {
  readonly logIdentity: string;
  /** All events up to here are in them; later ones may be. */
  readonly upTo: string;
  /** The last that had moved the build until then. */
  readonly run: string;
  /** Customers that later events may be in. */
  readonly ahead: readonly string[];
};

type Header = KeptState & {
  /** How many columns there are of which name and type, one behind the other behind this. */
  readonly columns: readonly (readonly [name: string, type: 'float64' | 'int32', length: number])[];
  readonly idBytes: number;
} & Pick<LedgerParts, 'attributes' | 'renewalKinds'>;

/** What another version of the code would make in another way. */
function rules(): string {
  return JSON.stringify({ format: FORMAT, rows: ROWS_VERSION, entries: entryNames() });
}

export function* bytesOf(parts: LedgerParts, state: KeptState): Generator<Uint8Array, undefined> {
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

/** Null when they were made by other rules. Throws {@link DamagedSnapshot}. */
export async function readState(reader: SnapshotReader): Promise<Header | null> {
  if ((await readText(reader)) !== rules()) return null;
  return JSON.parse(await readText(reader)) as Header;
}

/** What comes behind the state. Throws {@link DamagedSnapshot}. */
export async function readParts(reader: SnapshotReader, header: Header): Promise<LedgerParts> {
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
  if (length > MOST_HEADER_BYTES) throw new DamagedSnapshot('no length');
  return Buffer.from(await reader.read(length)).toString();
}

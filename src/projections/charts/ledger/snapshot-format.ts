// Binary format of ledger snapshots, with everything needed to validate them.
import { DamagedSnapshot, type SnapshotReader } from '../../../adapters/snapshots/port.js';
import { entryNames } from '../../../domain/charts/ledger/measure-codes.js';
import type { Numbers } from '../../../domain/charts/ledger/growable-column.js';
import type { LedgerParts } from '../../../domain/charts/ledger/ledger.js';
import { ROWS_VERSION } from '../../../domain/charts/ledger/column-serialization.js';

/** Version of the format; increment it when the bytes change. */
const FORMAT = 1;
const MAX_HEADER_BYTES = 1 << 28;

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

type Header = SnapshotState & {
  /** Name, type and length of each column; their values follow this header in sequence. */
  readonly columns: readonly (readonly [name: string, type: 'float64' | 'int32', length: number])[];
  readonly idBytes: number;
} & Pick<LedgerParts, 'attributes' | 'renewalKinds'>;

/** Returns the rules that other versions of the code may change. */
function rules(): string {
  return JSON.stringify({ format: FORMAT, rows: ROWS_VERSION, entries: entryNames() });
}

export function* bytesOf(parts: LedgerParts, state: SnapshotState): Generator<Uint8Array, undefined> {
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
export async function readState(reader: SnapshotReader): Promise<Header | null> {
  if ((await readText(reader)) !== rules()) return null;
  return JSON.parse(await readText(reader)) as Header;
}

/** Reads what follows the header. Throws {@link DamagedSnapshot}. */
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
  if (length > MAX_HEADER_BYTES) throw new DamagedSnapshot('invalid header length');
  return Buffer.from(await reader.read(length)).toString();
}

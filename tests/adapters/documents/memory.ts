// Document store in memory, for simulations and fast tests. Like a store without transactions it applies writes one by one: an interruption
// or a lost guard leaves the same state as in such a store.
import {
  describeCollection,
  fieldsOfScan,
  keysOf,
  type Collection,
} from '../../../src/adapters/documents/collections.js';
import { freezeJson } from '../../../src/adapters/event-log/frozen-json.js';
import { decodeCursor, encodeCursor, compareKeys, compareScalars } from '../../../src/adapters/documents/index-keys.js';
import type {
  BulkWrites,
  CollectionSpec,
  Doc,
  DocStore,
  Page,
  Row,
  Scalar,
  Scan,
  StoredDocument,
  Write,
} from '../../../src/adapters/documents/port.js';

/** Stored document. Documents are frozen JSON copies: all readers share one object. */
type Entry = {
  readonly id: string;
  readonly guard: string;
  readonly doc: Doc | null;
  readonly keys: readonly Scalar[];
};
type Table = { collection: Collection; readonly entries: Map<string, Entry> };

export type MemoryDocumentsOptions = {
  /** Called before each single write. If it throws, `write` rejects with its error, and earlier writes stay. */
  readonly onWrite?: (write: Write) => void;
  /** False for a store without `bulk`, like one without transactions. */
  readonly hasBulk?: boolean;
};

/** Creates the store. Documents live as long as the object; pass the same object on to simulate a restart. */
export function createMemoryDocuments({ onWrite, hasBulk = true }: MemoryDocumentsOptions = {}): DocStore {
  const tables = new Map<string, Table>();
  const known = (c: string) => {
    const table = tables.get(c);
    if (!table) throw new Error(`collection ${c} is not ensured`);
    return table;
  };
  return {
    ensure: async (specs) => {
      const made = specs.map((spec) =>
        withCollection(describeCollection(spec, tables.get(spec.name)?.collection), tables),
      );
      for (const table of made) tables.set(table.collection.name, table);
    },
    get: async (c, ids) => {
      const table = known(c);
      const found = new Map<string, StoredDocument>();
      for (const id of ids) {
        const stored = findStored(table, id);
        if (stored) found.set(id, stored);
      }
      return found;
    },
    write: async (stages) => {
      const prepared = stages.map((stage) => stage.map((write) => prepareWrite(known(write.c), write)));
      for (const stage of prepared) {
        // Other writes of a stage continue after a lost guard, as in an unordered bulk write.
        let lost = false;
        for (const { write, table, entry } of stage) {
          onWrite?.(write);
          if ((table.entries.get(write.id)?.guard ?? null) === write.expect) table.entries.set(write.id, entry);
          else lost = true;
        }
        if (lost) return 'lost';
      }
      return 'ok';
    },
    scan: async (c, scan) => scanTable(known(c), scan),
    drop: async (c) => {
      tables.delete(c);
    },
    local: null,
    bulk: hasBulk ? bulkWrites(tables, onWrite) : null,
  };
}

function findStored({ entries }: Table, id: string): StoredDocument | undefined {
  const entry = entries.get(id);
  return entry && { guard: entry.guard, doc: entry.doc };
}

function bulkWrites(tables: Map<string, Table>, onWrite: MemoryDocumentsOptions['onWrite']): BulkWrites {
  const make = async (specs: readonly CollectionSpec[]) => {
    for (const spec of specs) tables.set(spec.name, withCollection(describeCollection(spec), tables));
  };
  return {
    begin: make,
    put: async (rows) => {
      const prepared = rows.map((row) => {
        const table = tables.get(row.c);
        if (!table) throw new Error(`collection ${row.c} is not open for bulk writes`);
        return prepareWrite(table, { ...row, expect: null });
      });
      for (const { write } of prepared) onWrite?.(write);
      for (const { write, table, entry } of prepared) table.entries.set(write.id, entry);
    },
    finish: make,
    adopt: () => Promise.reject(new Error('the in-memory document store cannot adopt a file')),
  };
}

function prepareWrite(table: Table, write: Write): { write: Write; table: Table; entry: Entry } {
  const { id, guard, doc } = write;
  const keys = keysOf(table.collection, id, doc);
  return { write, table, entry: { id, guard, doc: doc && freezeJson(doc), keys } };
}

/** Returns the table with keys in the order of the collection's fields, which a new index changes. */
function withCollection(collection: Collection, tables: ReadonlyMap<string, Table>): Table {
  const known = tables.get(collection.name);
  if (known?.collection.fields.join('|') === collection.fields.join('|')) return { ...known, collection };
  const entries = new Map<string, Entry>();
  for (const entry of known?.entries.values() ?? []) {
    const keys = keysOf(collection, entry.id, entry.doc);
    entries.set(entry.id, { ...entry, keys });
  }
  return { collection, entries };
}

function scanTable({ collection, entries }: Table, scan: Scan): Page {
  const fields = fieldsOfScan(collection, scan);
  const after = decodeCursor(scan, fields);
  const places = fields.map((field) => collection.fields.indexOf(field));
  const sign = scan.reverse ? -1 : 1;
  const found: { readonly row: Row; readonly rest: Scalar[] }[] = [];
  const wanted = scan.eq.map((value, i) => ({ value, place: places[i] ?? 0 }));
  const others = places.slice(scan.eq.length);
  for (const { id, guard, doc, keys } of entries.values()) {
    if (doc === null) continue;
    if (wanted.some(({ value, place }) => compareScalars(value, keys[place] ?? '') !== 0)) continue;
    const rest = others.map((place) => keys[place] ?? '');
    rest.push(id);
    const [next = id] = rest;
    if (scan.from !== undefined && compareScalars(next, scan.from) < 0) continue;
    if (scan.to !== undefined && compareScalars(next, scan.to) >= 0) continue;
    if (after && sign * compareKeys(rest, after) <= 0) continue;
    found.push({ row: { id, guard, doc }, rest });
  }
  found.sort((a, b) => sign * compareKeys(a.rest, b.rest));
  const rows = found.slice(0, scan.limit).map(({ row }) => row);
  const last = rows.at(-1);
  return found.length > rows.length && last ? { rows, next: encodeCursor(scan.index, fields, last) } : { rows };
}

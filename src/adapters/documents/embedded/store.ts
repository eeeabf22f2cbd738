// Embedded document store: one SQLite file, written by a separate thread and read on this one. It must be the only writer of its file.
import { startWriter } from '../../sqlite/writer.js';
import { Unavailable } from '../../../domain/errors.js';
import { describeCollection, keysOf, type Collection } from '../collections.js';
import { openDocumentReader, type DocumentReader } from './reader.js';
import type { BulkRows } from './bulk.js';
import { indexName, toSqlValue, type SqlValue } from './sql.js';
import type { DocumentsResult, DocumentsOperation, RowWrites } from './writer.js';
import type { BulkRow, BulkWrites, CollectionSpec, DocStore, ChangeListener, Write } from '../port.js';

export type EmbeddedDocuments = DocStore & { close(): Promise<void> };
/** Store whose `apply` runs the operations of another thread of this process, which uses {@link openDocumentsInThread}. */
export type WritableDocuments = EmbeddedDocuments & { readonly file: string; readonly apply: ApplyOperation };
export type ApplyOperation = (operation: DocumentsOperation) => Promise<DocumentsResult>;
type Send = (operation: DocumentsOperation) => Promise<'ok' | 'lost' | number>;

/** Opens the store and creates a missing file. Its directory must exist and belong to this process. */
export async function openEmbeddedDocuments({ file }: { readonly file: string }): Promise<WritableDocuments> {
  const writer = await startWriter(file, new URL('./writer', import.meta.url));
  const store = openStore(file, (operation) => writer.run(operation));
  return {
    ...store,
    file,
    apply: async (operation) => {
      if (operation.kind !== 'drop') return writer.run(operation);
      await store.drop(operation.c);
      return 'ok';
    },
    local: store.local && { ...store.local, probe: writer.probe },
    // The reader is closed first: only the last connection merges the write-ahead log into the file, and the reader must not write.
    close: async () => {
      await store.close();
      await writer.close();
    },
  };
}

/** Opens the store in another thread than the writing one, which runs the operations sent to `apply`. */
export function openDocumentsInThread({ file, apply }: { file: string; apply: ApplyOperation }): EmbeddedDocuments {
  return openStore(file, apply);
}

function openStore(file: string, apply: ApplyOperation): EmbeddedDocuments {
  const reader = openDocumentReader(file);
  const collections = new Map<string, Collection>();
  const listeners: ChangeListener[] = [];
  const changed: ChangeListener = (c, ids) => listeners.forEach((listener) => listener(c, ids));
  const send = async (operation: DocumentsOperation) => {
    const result = await apply(operation).finally(reader.leaveSnapshot);
    if (typeof result === 'object') throw new Error(result.refused);
    return result;
  };
  return {
    ...readMethods(reader, collections),
    ensure: async (specs) => {
      const before = new Map(collections);
      const described = specs.map((spec) => {
        const collection = describeCollection(spec, collections.get(spec.name));
        // Registered before the response: a write sent in the meantime arrives after the new index and must contain its field.
        collections.set(spec.name, collection);
        return collection;
      });
      await send({ kind: 'ensure', collections: described }).catch((err: unknown) => {
        for (const { name } of described) restoreCollection(collections, name, before.get(name));
        throw err;
      });
    },
    write: async (stages) => {
      const rows = stages.map((stage) => toRowWrites(collections, stage));
      if (!rows.some((stage) => stage.length > 0)) return 'ok';
      // A failed write may have had its effect.
      const notify = () => stages.forEach((stage) => stage.forEach(({ c, id }) => changed(c, [id])));
      return (await send({ kind: 'write', stages: rows }).finally(notify)) === 'lost' ? 'lost' : 'ok';
    },
    drop: async (c) => {
      const { name } = describeCollection({ name: c, indexes: [] });
      collections.delete(name);
      reader.forget(name);
      await send({ kind: 'drop', c: name }).finally(() => changed(name, null));
    },
    // The thread that opened the file checks that it is writable.
    local: { onWritten: (listener) => void listeners.push(listener), probe: () => Promise.resolve() },
    bulk: bulkWrites(send, collections),
    close: async () => reader.close(),
  };
}

/**
 * Opens the store for a process next to the service. `ensure` only checks that the service has created the collections; a write is a bug.
 */
export function openEmbeddedDocumentsForReading({ file }: { readonly file: string }): EmbeddedDocuments {
  const reader = openDocumentReader(file);
  const collections = new Map<string, Collection>();
  const refuse = async () => {
    throw new Error(`${file} is open for reading only`);
  };
  return {
    ...readMethods(reader, collections),
    ensure: async (specs) => {
      for (const spec of specs) {
        const collection = describeCollection(spec, collections.get(spec.name));
        const needed = [spec.name, ...spec.indexes.map(({ fields }) => indexName(spec.name, fields))];
        const missing = needed.find((name) => !reader.hasIndex(name));
        if (missing) throw new Unavailable(`${file} has no ${missing} yet; start the service of this version first`);
        collections.set(spec.name, collection);
      }
    },
    write: refuse,
    drop: refuse,
    local: null,
    bulk: null,
    close: async () => reader.close(),
  };
}

function readMethods(
  reader: DocumentReader,
  collections: ReadonlyMap<string, Collection>,
): Pick<DocStore, 'get' | 'scan'> {
  return {
    get: async (c, ids) => reader.get(requireCollection(collections, c).name, ids),
    scan: async (c, scan) => reader.scan(requireCollection(collections, c), scan),
  };
}

function requireCollection(collections: ReadonlyMap<string, Collection>, name: string): Collection {
  const collection = collections.get(name);
  if (!collection) throw new Error(`collection ${name} is not ensured`);
  return collection;
}

function restoreCollection(collections: Map<string, Collection>, name: string, before: Collection | undefined): void {
  if (before) collections.set(name, before);
  else collections.delete(name);
}

function bulkWrites(send: Send, collections: Map<string, Collection>): BulkWrites {
  const describe = (specs: readonly CollectionSpec[]) => specs.map((spec) => describeCollection(spec));
  return {
    begin: async (specs) => {
      const tables = specs.map((spec) => ({
        collection: describeCollection(spec),
        isPutOnce: spec.isPutOnce === true,
      }));
      await send({ kind: 'begin', begun: tables });
      for (const { collection } of tables) collections.set(collection.name, collection);
    },
    put: async (rows) => {
      if (rows.length > 0) await send({ kind: 'fill', fillings: toBulkRows(collections, rows) });
    },
    finish: async (specs) => {
      await send({ kind: 'finish', collections: describe(specs) });
    },
    adopt: async (file, specs) => {
      for (const collection of describe(specs)) {
        let after: unknown = -1;
        while (typeof after === 'number' && after !== 0) after = await send({ kind: 'adopt', file, collection, after });
      }
    },
  };
}

function toBulkRows(collections: ReadonlyMap<string, Collection>, rows: readonly BulkRow[]): BulkRows[] {
  const byCollection = new Map<string, { readonly collection: Collection; readonly values: (SqlValue | null)[] }>();
  for (const { c, id, guard, doc } of rows) {
    let filling = byCollection.get(c);
    if (!filling) byCollection.set(c, (filling = { collection: requireCollection(collections, c), values: [] }));
    const { collection, values } = filling;
    const keys = keysOf(collection, id, doc);
    values.push(id, guard, doc === null ? null : JSON.stringify(doc));
    for (const i of collection.fields.keys()) values.push(doc === null ? null : toSqlValue(keys[i] ?? ''));
  }
  return [...byCollection].map(([c, { values }]) => ({ c, values }));
}

/** Serialises immediately, so that the caller may change the documents afterwards. */
function toRowWrites(collections: ReadonlyMap<string, Collection>, writes: readonly Write[]): RowWrites {
  const cells: (SqlValue | null)[] = [];
  for (const { c, id, expect, guard, doc } of writes) {
    const keys = keysOf(requireCollection(collections, c), id, doc);
    cells.push(c, id, expect, guard, doc === null ? null : JSON.stringify(doc), keys.length);
    for (const key of keys) cells.push(toSqlValue(key));
  }
  return cells;
}

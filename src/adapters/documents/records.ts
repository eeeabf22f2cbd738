// Records: documents that are the source of truth (secrets, deliveries, leases). Every change is guarded by a counter of writes, which
// survives removal. Uses only the port, so that all stores behave the same.
import { RetryLater } from '../../domain/errors.js';
import type { Doc, DocStore, Row, Scan, Write } from './port.js';

/** Name of a collection of records of the type `R`: the functions of this file read and write that type under it. */
export type RecordsName<R extends Doc> = string & { readonly __record: R };

/** Declares the type of the records of a collection, in the only place where its name is written. */
export function recordsNamed<R extends Doc>(name: string): RecordsName<R> {
  return name as RecordsName<R>;
}

/** Type of the records of a collection; any document under a name that declares none. */
type RecordOf<C extends string> = C extends { readonly __record: infer R extends Doc } ? R : Doc;

/** Stored state of an id. `guard` null: nothing, not even a tombstone. `doc` null: nothing, or it was removed. */
export type StoredRecord<R = Doc> = { readonly id: string; readonly guard: string | null; readonly doc: R | null };
type RecordRef = Pick<StoredRecord, 'id' | 'guard'>;
type RecordRow<R> = { readonly id: string; readonly guard: string; readonly doc: R };
type RecordPage<R> = { readonly rows: readonly RecordRow<R>[]; readonly next?: string };

/** Maximum tries of a change after concurrent writes; more than the number of concurrent writers of one record. */
const MAX_TRIES = 100;

export async function readRecord<C extends string>(
  docs: DocStore,
  c: C,
  id: string,
): Promise<StoredRecord<RecordOf<C>>> {
  const { guard = null, doc = null } = (await docs.get(c, [id])).get(id) ?? {};
  return { id, guard, doc: doc && recordIn(c, doc) };
}

/** Returns the records with these ids; missing ones are not in the map. */
export async function readRecords<C extends string>(
  docs: DocStore,
  c: C,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordOf<C>>> {
  const found = await docs.get(c, ids);
  return new Map([...found].flatMap(([id, { doc }]) => (doc ? [[id, recordIn(c, doc)] as const] : [])));
}

/** Returns a page of the records. */
export async function scanRecords<C extends string>(
  docs: DocStore,
  c: C,
  scan: Scan,
): Promise<RecordPage<RecordOf<C>>> {
  const { rows, next } = await docs.scan(c, scan);
  return { rows: rows.map((row) => rowIn(c, row)), ...(next !== undefined && { next }) };
}

/** A stored document is parsed when it is first read. */
function rowIn<C extends string>(c: C, row: Row): RecordRow<RecordOf<C>> {
  return {
    id: row.id,
    guard: row.guard,
    get doc() {
      return recordIn(c, row.doc);
    },
  };
}

/** The only place where a stored document is taken for a record of its collection. */
function recordIn<C extends string>(_c: C, doc: Doc): RecordOf<C> {
  return doc as RecordOf<C>;
}

/** Returns the write that replaces a record as it was read; `doc` null removes it. */
export function buildReplacement<C extends string>(c: C, { id, guard }: RecordRef, doc: RecordOf<C> | null): Write {
  return { c, id, expect: guard, guard: String(Number(guard ?? 0) + 1), doc };
}

/** Returns the write that creates a record which has never existed. */
export function buildInsertion<C extends string>(c: C, id: string, doc: RecordOf<C>): Write {
  return buildReplacement(c, { id, guard: null }, doc);
}

/** Tries once to replace a record. Returns the new guard; null after a concurrent write. */
export async function replaceRecord<C extends string>(
  docs: DocStore,
  c: C,
  read: RecordRef,
  doc: RecordOf<C> | null,
): Promise<string | null> {
  const write = buildReplacement(c, read, doc);
  return (await docs.write([[write]])) === 'ok' ? write.guard : null;
}

/** Tries once to create a record. Returns false when it exists, or after a concurrent write; a removed record is created again. */
export async function createRecord<C extends string>(
  docs: DocStore,
  c: C,
  id: string,
  doc: RecordOf<C>,
): Promise<boolean> {
  const current = await readRecord(docs, c, id);
  return current.doc === null && (await replaceRecord(docs, c, current, doc)) !== null;
}

/** Tries once to remove a record. Returns false when it does not exist, or after a concurrent write. */
export async function removeRecord(docs: DocStore, c: string, id: string): Promise<boolean> {
  const current = await readRecord(docs, c, id);
  return current.doc !== null && (await replaceRecord(docs, c, current, null)) !== null;
}

/**
 * Updates a record, retrying after concurrent writes. `change` gets the stored document and its guard at each try, and returns the
 * replacement: null removes it, undefined leaves it; what it throws ends the update. Returns the state stored afterwards. Throws
 * {@link RetryLater} after too many concurrent writes.
 */
export async function updateRecord<C extends string>(
  docs: DocStore,
  c: C,
  id: string,
  change: (doc: RecordOf<C> | null, guard: string | null) => RecordOf<C> | null | undefined,
): Promise<StoredRecord<RecordOf<C>> & { readonly isChanged: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const current = await readRecord(docs, c, id);
    const doc = change(current.doc, current.guard);
    if (doc === undefined || (doc === null && current.doc === null)) return { ...current, isChanged: false };
    const guard = await replaceRecord(docs, c, current, doc);
    if (guard !== null) return { id, guard, doc, isChanged: true };
  }
  throw new RetryLater('too many requests change this at the same time; retry in 1 second', 1);
}

/** Removes the results of the scan, `limit` at a time, until there are none; returns the number of removed records. */
export async function removeMatching(docs: DocStore, c: string, scan: Scan, signal: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const { rows } = await docs.scan(c, scan);
    if (rows.length === 0 || signal.aborted) break;
    // A record changed at this moment stays, with the others of its batch, until the next call.
    if ((await docs.write([rows.map((row) => buildReplacement(c, row, null))])) === 'lost') break;
    removed += rows.length;
  }
  return removed;
}

/** Yields the pages of a scan, `limit` rows each. Each page is read after the previous one was processed. */
export async function* scanPages<R>(
  scan: Scan,
  read: (scan: Scan) => Promise<{ readonly rows: R; readonly next?: string }>,
): AsyncGenerator<R, undefined> {
  for (let after = scan.after; ;) {
    const { rows, next } = await read({ ...scan, ...(after !== undefined && { after }) });
    yield rows;
    if (next === undefined) return;
    after = next;
  }
}

/** Reads the rows of all pages of a scan. */
export async function collectRows<R>(
  scan: Scan,
  read: (scan: Scan) => Promise<{ readonly rows: readonly R[]; readonly next?: string }>,
): Promise<R[]> {
  const found: R[] = [];
  for await (const rows of scanPages(scan, read)) found.push(...rows);
  return found;
}

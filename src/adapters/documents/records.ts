// Records: documents that are themselves the truth (secrets, deliveries, leases). Every change of one goes through its guard, which counts
// its writes and holds on after a removal. Over the port alone, so that all stores behave the same.
import { Unavailable } from '../../domain/errors.js';
import type { Doc, DocStore, Scan, Write } from './port.js';

/** What is stored under an id. `guard` null: nothing, not even a tombstone. `doc` null: nothing, or it was removed. */
export type StoredRecord = { readonly id: string; readonly guard: string | null; readonly doc: Doc | null };
type Place = Pick<StoredRecord, 'id' | 'guard'>;

/** So often a change is tried again after others came first: more than write one record at once. */
const MAX_TRIES = 100;

export async function readRecord(docs: DocStore, c: string, id: string): Promise<StoredRecord> {
  const { guard = null, doc = null } = (await docs.get(c, [id])).get(id) ?? {};
  return { id, guard, doc };
}

/** Takes the place of what was read; `doc` null removes it. */
export function replacement(c: string, { id, guard }: Place, doc: Doc | null): Write {
  return { c, id, expect: guard, guard: String(Number(guard ?? 0) + 1), doc };
}

/** Where nothing has ever been stored. */
export function insertion(c: string, id: string, doc: Doc): Write {
  return replacement(c, { id, guard: null }, doc);
}

/** One try. Returns the new guard; null when somebody else wrote since it was read. */
export async function replaceRecord(docs: DocStore, c: string, read: Place, doc: Doc | null): Promise<string | null> {
  const write = replacement(c, read, doc);
  return (await docs.write([[write]])) === 'ok' ? write.guard : null;
}

/** One try. False when there is one, or somebody else wrote at the same moment; one that was removed is created again. */
export async function createRecord(docs: DocStore, c: string, id: string, doc: Doc): Promise<boolean> {
  const there = await readRecord(docs, c, id);
  return there.doc === null && (await replaceRecord(docs, c, there, doc)) !== null;
}

/** One try. False when there is none, or somebody else wrote at the same moment. */
export async function removeRecord(docs: DocStore, c: string, id: string): Promise<boolean> {
  const there = await readRecord(docs, c, id);
  return there.doc !== null && (await replaceRecord(docs, c, there, null)) !== null;
}

/**
 * Tried again until nobody else wrote in between. `change` gets what is stored, at each try, and returns what takes its place: null
 * removes it, undefined leaves it; what it throws ends the update. Returns what is stored then. Throws {@link Unavailable} when too many
 * write the record at once.
 */
export async function updateRecord(
  docs: DocStore,
  c: string,
  id: string,
  change: (doc: Doc | null) => Doc | null | undefined,
): Promise<StoredRecord & { readonly isChanged: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const there = await readRecord(docs, c, id);
    const doc = change(there.doc);
    if (doc === undefined || (doc === null && there.doc === null)) return { ...there, isChanged: false };
    const guard = await replaceRecord(docs, c, there, doc);
    if (guard !== null) return { id, guard, doc, isChanged: true };
  }
  throw new Unavailable(`too many write one record of ${c} at once; try again`, 1);
}

/** Removes what the scan finds, `limit` at a time, until it finds nothing; returns how many records went. */
export async function removeAll(docs: DocStore, c: string, scan: Scan, signal: AbortSignal): Promise<number> {
  let gone = 0;
  while (!signal.aborted) {
    const { rows } = await docs.scan(c, scan);
    if (rows.length === 0 || signal.aborted) break;
    // One that changes at this moment stays, with the others of its batch, until the next time.
    if ((await docs.write([rows.map((row) => replacement(c, row, null))])) === 'lost') break;
    gone += rows.length;
  }
  return gone;
}

/** The pages of a scan, `limit` rows each. The next one is read when the one before it has been worked on. */
export async function* allPages<R>(
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

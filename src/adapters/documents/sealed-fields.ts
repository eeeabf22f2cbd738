// Encryption of personal fields of documents with the data key of their person. Erasing that key erases them from every copy of the file,
// whatever the database leaves in it. The rest of the code reads and writes plain text.
import { isSealed, openValue, sealValue, type DataKeys } from '../event-log/sealing.js';
import type { BulkRow, Doc, DocStore, Json, Row, StoredDocument, Write } from './port.js';

/** Replaces one value. `subject` identifies the data key. Returns the replacement; undefined for a stored value whose key was erased. */
export type ReplaceField = <T extends Json>(subject: string, field: string, value: T) => T | undefined;

/** Returns the document with each personal value replaced. Called with documents in plain text and in stored form. */
export type PersonalFields<D extends Doc = Doc> = (doc: D, replace: ReplaceField) => D;

export type FieldSealing = {
  readonly keys: DataKeys;
  readonly randomBytes: (size: number) => Buffer;
  /** True when no other process writes these documents or keys. */
  readonly isAlone: boolean;
};

/** Suffix of read model collections: version and generation. */
const BUILD_SUFFIX = /_v\d+_g\d+$/;

/** Wraps a store. `personal` is by collection name, for read models without version and generation. */
export function sealDocuments(
  docs: DocStore,
  { keys, randomBytes, isAlone }: FieldSealing,
  personal: ReadonlyMap<string, PersonalFields>,
): DocStore {
  const { bulk } = docs;
  const cached = new Map<string, { readonly name: string; readonly fields: PersonalFields } | null>();
  const personalOf = (c: string) => {
    const entry = cached.get(c);
    if (entry !== undefined) return entry;
    const name = c.replace(BUILD_SUFFIX, '');
    const fields = personal.get(name);
    const created = fields ? { name, fields } : null;
    cached.set(c, created);
    return created;
  };

  /** Encrypts personal fields. Data of a subject without a key stays in plain text: it was never encrypted in the log either. */
  const sealAll = async <W extends Write | BulkRow>(writes: readonly W[]): Promise<readonly W[]> => {
    const subjects = collectSubjects(writes.map(({ c, doc }) => ({ fields: personalOf(c)?.fields, doc })));
    if (subjects.length === 0) return writes;
    // A key that another process has rotated must not encrypt: it will soon be erased.
    const found = await keys.forOpening(subjects, { isFresh: !isAlone });
    return writes.map((write) => {
      const own = write.doc && personalOf(write.c);
      return own ? { ...write, doc: own.fields(write.doc, createSealer(found, own.name, randomBytes)) } : write;
    });
  };
  const isPersonal = ({ c, doc }: Write | BulkRow) => doc !== null && personalOf(c) !== null;

  const openAll = async (c: string, all: readonly Doc[]): Promise<readonly Doc[]> => {
    const own = personalOf(c);
    if (!own) return all;
    const { name, fields } = own;
    const subjects = collectSubjects(all.map((doc) => ({ fields, doc })));
    if (subjects.length === 0) return all;
    const found = await keys.forOpening(subjects);
    const unopened = new Set<string>();
    const opened = all.map((doc) =>
      fields(
        doc,
        createOpener((s) => found.get(s), name, unopened),
      ),
    );
    if (unopened.size === 0) return opened;
    // Fields that the cached keys do not open may be sealed with a key that another process has created since.
    const fresh = await keys.forOpening([...unopened], { isFresh: true });
    return all.map((doc) =>
      fields(
        doc,
        createOpener((s) => fresh.get(s) ?? found.get(s), name),
      ),
    );
  };

  return {
    ...docs,
    get: async (c, ids) => {
      const stored = await docs.get(c, ids);
      if (!personalOf(c)) return stored;
      const there = [...stored].flatMap(([id, { guard, doc }]) => (doc ? [{ id, guard, doc }] : []));
      const opened = await openAll(
        c,
        there.map(({ doc }) => doc),
      );
      const all = new Map<string, StoredDocument>(stored);
      for (const [i, { id, guard }] of there.entries()) all.set(id, { guard, doc: opened[i] ?? null });
      return all;
    },
    scan: async (c, scan) => {
      const page = await docs.scan(c, scan);
      const opened = await openAll(
        c,
        page.rows.map(({ doc }) => doc),
      );
      return { ...page, rows: page.rows.map((row, i): Row => ({ ...row, doc: opened[i] ?? row.doc })) };
    },
    write: async (stages) => {
      if (!stages.some((stage) => stage.some(isPersonal))) return docs.write(stages);
      const sealed: (readonly Write[])[] = [];
      for (const stage of stages) sealed.push(await sealAll(stage));
      return docs.write(sealed);
    },
    bulk: bulk && { ...bulk, put: async (rows) => bulk.put(rows.some(isPersonal) ? await sealAll(rows) : rows) },
  };
}

type DocumentFields = { readonly fields: PersonalFields | undefined; readonly doc: Doc | null };

function collectSubjects(all: readonly DocumentFields[]): readonly string[] {
  const subjects = new Set<string>();
  for (const { fields, doc } of all) {
    if (!fields || !doc) continue;
    fields(doc, (subject, _field, value) => {
      subjects.add(subject);
      return value;
    });
  }
  return [...subjects];
}

function createSealer(
  keys: ReadonlyMap<string, readonly Buffer[]>,
  type: string,
  randomBytes: FieldSealing['randomBytes'],
): ReplaceField {
  return <T extends Json>(subject: string, field: string, value: T): T => {
    const [key] = keys.get(subject) ?? [];
    if (!key) return value;
    return sealValue(value, key, { subject, type, field }, randomBytes) as Json as T;
  };
}

/** Returns the replacement that decrypts. It adds to `unopened` the subjects of values that no key decrypts. */
function createOpener(
  keysOf: (subject: string) => readonly Buffer[] | undefined,
  type: string,
  unopened?: Set<string>,
): ReplaceField {
  return <T extends Json>(subject: string, field: string, value: T): T | undefined => {
    if (!isSealed(value)) return value;
    const opened = openValue(value, keysOf(subject) ?? [], { subject, type, field });
    if (opened === undefined) unopened?.add(subject);
    return opened as T | undefined;
  };
}

// Intercepts reads and writes of a document store, for mutations.
import type { Doc, DocStore, Write } from '../../src/adapters/documents/port.js';

export type WriteStages = readonly (readonly Write[])[];

export function withWrite(docs: DocStore, write: (stages: WriteStages) => Promise<'ok' | 'lost'>): DocStore {
  return { ...docs, write };
}

export function withWrites(docs: DocStore, change: (write: Write) => Write): DocStore {
  return withWrite(docs, (stages) => docs.write(stages.map((stage) => stage.map(change))));
}

/** Replaces the documents read from collections with the name prefix `c` by what `change` returns. */
export function withReads(docs: DocStore, c: string, change: (doc: Doc | null, id: string) => Doc | null): DocStore {
  return {
    ...docs,
    get: async (name, ids) => {
      const found = await docs.get(name, ids);
      if (!name.startsWith(c)) return found;
      return new Map([...found].map(([id, { guard, doc }]) => [id, { guard, doc: change(doc, id) }]));
    },
  };
}

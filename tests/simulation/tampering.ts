// What stands between the service and its stores where a fault is planted.
import type { Doc, DocStore, Write } from '../../src/adapters/documents/port.js';

export type Stages = readonly (readonly Write[])[];

export function withWrite(docs: DocStore, write: (stages: Stages) => Promise<'ok' | 'lost'>): DocStore {
  return { ...docs, write };
}

export function withWrites(docs: DocStore, change: (write: Write) => Write): DocStore {
  return withWrite(docs, (stages) => docs.write(stages.map((stage) => stage.map(change))));
}

/** Documents of the collections whose names begin so are read as `change` returns them, by id. */
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

// The documents that a runner wrote last, which the next batch often changes again: sums and counters nearly always. Only for stores where
// a batch is written as a whole: after any other end of a write the cache is emptied and read again; the guards keep writes correct.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { DocStore, Stored, Write } from '../../adapters/documents/port.js';
import type { BatchDocuments } from './fold-batch.js';

export type WrittenDocuments = BatchDocuments & {
  wrote(stages: readonly (readonly Write[])[]): void;
  forget(): void;
};

/** Documents, of one runner. */
const MOST = 2000;

/** Reads like `docs`; nothing else may write these collections there. */
export function rememberWritten(docs: BatchDocuments & Pick<DocStore, 'writesTogether'>): WrittenDocuments {
  if (!docs.writesTogether) {
    return { get: (c, ids) => docs.get(c, ids), wrote: () => undefined, forget: () => undefined };
  }
  const cached = createBoundedCache<string, Stored>(MOST);
  const keyOf = (c: string, id: string) => `${c}|${id}`;
  return {
    writesTogether: true,
    get: async (c, ids) => {
      const missing = ids.filter((id) => cached.get(keyOf(c, id)) === undefined);
      const read = missing.length > 0 ? await docs.get(c, missing) : new Map<string, Stored>();
      const found = new Map<string, Stored>();
      for (const id of ids) {
        const stored = cached.get(keyOf(c, id)) ?? read.get(id);
        if (stored) found.set(id, stored);
      }
      return found;
    },
    wrote: (stages) => {
      for (const { c, id, guard, doc } of stages.flat()) {
        cached.set(keyOf(c, id), { guard, doc });
      }
    },
    forget: () => cached.clear(),
  };
}

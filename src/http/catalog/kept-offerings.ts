// What client SDKs read to sell, as it was made for the last caller who sees the same, until a document that it was made from is written.
// Only where this process writes all documents: elsewhere nobody would notice, and each is made anew.
import { createHash } from 'node:crypto';
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { products } from '../../projections/models/catalogue.js';
import { offerings } from '../../projections/models/offerings.js';

/** Some parts of a response, or all of it; `text` and `etag` of the parts as they are. */
export type ShownOfferings = { readonly body: object; readonly text: string; readonly etag: string };

export type KeptOfferings = {
  find(name: string): ShownOfferings | undefined;
  /** `make` has no side effects: it reads documents of offerings and products, and no others. */
  make(name: string, make: () => Promise<object>): Promise<ShownOfferings>;
};

const MOST = 1000;
const madeFrom = [offerings, products].map(({ name }) => `${name}_v`);
/** Another generation of a read model is read. */
const SERVING = 'serving';

export function createKeptOfferings(docs: Pick<DocStore, 'onWritten'>): KeptOfferings {
  const kept = createBoundedCache<string, ShownOfferings>(MOST);
  let written = 0;
  docs.onWritten?.((c) => {
    if (c !== SERVING && !madeFrom.some((name) => c.startsWith(name))) return;
    written++;
    kept.clear();
  });
  return {
    find: kept.get,
    make: async (name, make) => {
      const before = written;
      const body = await make();
      const text = JSON.stringify(body);
      const shown = { body, text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
      // What was read before a write must not be kept behind it.
      if (docs.onWritten && written === before) kept.set(name, shown);
      return shown;
    },
  };
}

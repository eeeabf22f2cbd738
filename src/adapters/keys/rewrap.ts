// Wraps the data keys anew under the first key of the ring, so that older ones can be dropped. What data keys seal stays as it is.
import type { DocStore } from '../documents/port.js';
import { allPages, updateRecord } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { dataKeyCollection, dataKeyPurpose, openText, sealText, type MasterKeys } from './vault.js';

/** `key`: the id of the ring's first. */
export type Rewrapped = { readonly key: string; readonly dataKeys: number; readonly rewrapped: number };

const PAGE = 500;

/** What is under the first key already is passed over: a run that was cut is simply repeated. Throws `CannotOpen`. */
export async function rewrapDataKeys(
  docs: DocStore,
  masters: MasterKeys,
  runtime: Pick<Runtime, 'randomBytes'>,
): Promise<Rewrapped> {
  const { name: c } = dataKeyCollection;
  const [first] = masters;
  let [dataKeys, rewrapped] = [0, 0];
  for await (const rows of allPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) {
    for (const { id } of rows) {
      if (await rewrapOne(id)) rewrapped++;
      dataKeys++;
    }
  }
  return { key: first.id, dataKeys, rewrapped };

  /** What is erased meanwhile stays so. */
  async function rewrapOne(subject: string): Promise<boolean> {
    const { isChanged } = await updateRecord(docs, c, subject, (doc) => {
      const wrapped = String(doc?.['wrapped']);
      if (!doc || keyIdOf(wrapped) === first.id) return undefined;
      const purpose = dataKeyPurpose(subject);
      return { wrapped: sealText(first, purpose, openText(masters, purpose, wrapped), runtime) };
    });
    return isChanged;
  }
}

/** Which key of the ring sealed a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

// Wraps the data keys anew under the first key of the ring, so that older ones can be dropped. What data keys seal stays as it is.
import type { Doc, DocStore } from '../documents/port.js';
import { allPages, updateRecord } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { dataKeyCollection, dataKeyPurpose, keptKeys, openText, sealText, type MasterKeys } from './vault.js';

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
    const purpose = dataKeyPurpose(subject);
    const again = (wrapped: string) => sealText(first, purpose, openText(masters, purpose, wrapped), runtime);
    const { isChanged } = await updateRecord(docs, c, subject, (doc) => {
      if (!doc || wrappedIn(doc).every((wrapped) => keyIdOf(wrapped) === first.id)) return undefined;
      const { wrapped, former, ...rest } = keptKeys(doc);
      return {
        ...rest,
        wrapped: again(wrapped),
        ...(former && { former: former.map((one) => ({ ...one, wrapped: again(one.wrapped) })) }),
      };
    });
    return isChanged;
  }
}

/** All wrapped keys of a record. */
export function wrappedIn(doc: Doc): readonly string[] {
  const { wrapped, former = [] } = keptKeys(doc);
  return [wrapped, ...former.map((one) => one.wrapped)];
}

/** Which key of the ring sealed a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

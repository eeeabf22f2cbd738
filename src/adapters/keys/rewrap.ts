// Rewraps data keys with the first key of the ring, so that older ones can be removed. Data encrypted with data keys does not change.
import type { Doc, DocStore } from '../documents/port.js';
import { scanPages, updateRecord } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { dataKeyCollection, dataKeyPurpose, parseStoredKeys, openText, sealText, type MasterKeys } from './vault.js';

/** Result of a rewrap. `key` is the id of the first key of the ring. */
export type RewrapResult = { readonly key: string; readonly dataKeys: number; readonly rewrapped: number };

const PAGE = 500;

/** Rewraps all data keys. Keys already wrapped by the first key are skipped, so an interrupted run can be repeated. Throws `CannotOpen`. */
export async function rewrapDataKeys(
  docs: DocStore,
  masters: MasterKeys,
  runtime: Pick<Runtime, 'randomBytes'>,
): Promise<RewrapResult> {
  const { name: c } = dataKeyCollection;
  const [first] = masters;
  let [dataKeys, rewrapped] = [0, 0];
  for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) {
    for (const { id } of rows) {
      if (await rewrapOne(id)) rewrapped++;
      dataKeys++;
    }
  }
  return { key: first.id, dataKeys, rewrapped };

  /** Rewraps one record; one that is erased in the meantime stays erased. */
  async function rewrapOne(subject: string): Promise<boolean> {
    const purpose = dataKeyPurpose(subject);
    const again = (wrapped: string) => sealText(first, purpose, openText(masters, purpose, wrapped), runtime);
    const { isChanged } = await updateRecord(docs, c, subject, (doc) => {
      if (!doc || listWrappedKeys(doc).every((wrapped) => keyIdOf(wrapped) === first.id)) return undefined;
      const { wrapped, former, ...rest } = parseStoredKeys(doc);
      return {
        ...rest,
        wrapped: again(wrapped),
        ...(former && { former: former.map((one) => ({ ...one, wrapped: again(one.wrapped) })) }),
      };
    });
    return isChanged;
  }
}

/** Returns all wrapped keys of a record. */
export function listWrappedKeys(doc: Doc): readonly string[] {
  const { wrapped, former = [] } = parseStoredKeys(doc);
  return [wrapped, ...former.map((one) => one.wrapped)];
}

/** Returns the id of the ring's key that encrypted a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

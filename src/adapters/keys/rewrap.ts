// Wraps the data keys anew under the first key of the ring, so that older ones can be dropped. What data keys seal stays as it is.
import type { DocStore } from '../documents/port.js';
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
  let after: string | undefined;
  do {
    const page = await docs.scan(c, { index: 'id', eq: [], limit: PAGE, ...(after !== undefined && { after }) });
    for (const { id } of page.rows) {
      if (await rewrapOne(id)) rewrapped++;
      dataKeys++;
    }
    after = page.next;
  } while (after !== undefined);
  return { key: first.id, dataKeys, rewrapped };

  /** Again until no erasure came in between; what is erased stays so. */
  async function rewrapOne(subject: string): Promise<boolean> {
    for (;;) {
      const found = (await docs.get(c, [subject])).get(subject);
      const wrapped = String(found?.doc?.['wrapped']);
      if (!found?.doc || keyIdOf(wrapped) === first.id) return false;
      const purpose = dataKeyPurpose(subject);
      const doc = { wrapped: sealText(first, purpose, openText(masters, purpose, wrapped), runtime) };
      const write = { c, id: subject, expect: found.guard, guard: String(Number(found.guard) + 1), doc };
      if ((await docs.write([[write]])) === 'ok') return true;
    }
  }
}

/** Which key of the ring sealed a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

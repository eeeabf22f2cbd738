// Walks a list from page to page as a client does: by `nextPage`.
import { expect } from 'chai';
import type { Credentials, Harness } from './harness.js';

type Item = { readonly id: string };

/** Ids of all pages. `between` runs before each page but the first. */
export async function walk(
  harness: Harness,
  first: string,
  as: Credentials,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const ids: string[] = [];
  let path: string | null = first;
  while (path !== null) {
    if (ids.length > 0) await between();
    const { status, body } = await harness.call('GET', path, undefined, as);
    expect(status, path).to.equal(200);
    expect(body).to.have.all.keys('object', 'items', 'nextPage', 'url');
    expect([body.object, body.url]).to.deep.equal(['list', first.split('?')[0]]);
    ids.push(...body.items.map((item: Item) => item.id));
    path = body.nextPage;
    expect(body.items.length > 0 || path === null, 'an empty page is the last').to.equal(true);
  }
  return ids;
}

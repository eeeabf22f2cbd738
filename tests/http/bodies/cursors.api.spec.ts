// Cursors: a page starts after an item, which may have been deleted, and a cursor of another list is rejected.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

describe('a cursor', () => {
  const { harness, slice } = setUpService();

  const as = () => ({ token: slice.token });
  const get = (path: string) => harness.call('GET', path, undefined, as());
  const base = () => `/v1/projects/${slice.projectId}`;
  type Item = { readonly id: string; readonly lookupKey: string };
  const make = async (path: string, keys: readonly string[]) => {
    for (const lookupKey of keys) {
      const { status } = await harness.call('POST', path, { lookupKey, displayName: lookupKey }, as());
      expect(status).to.equal(201);
    }
  };
  /** All items, each page's last deleted before the next page is asked for. */
  const walkDeleting = async (path: string): Promise<string[]> => {
    const seen: string[] = [];
    for (let next: string | null = `${path}?limit=2`; next !== null;) {
      const { status, body } = await get(next);
      expect(status, next).to.equal(200);
      const items: Item[] = body.items;
      seen.push(...items.map((i) => i.lookupKey));
      const last = items.at(-1);
      if (last) await harness.call('DELETE', `${path}/${last.id}`, undefined, as());
      next = body.nextPage;
    }
    return seen;
  };

  it('continues after a deleted entitlement', async () => {
    await make(`${base()}/entitlements`, ['a', 'b', 'c', 'd', 'e']);
    expect(await walkDeleting(`${base()}/entitlements`)).to.deep.equal(['e', 'd', 'c', 'b', 'a', 'pro']);
  });

  it('continues after a deleted package', async () => {
    await make(`${base()}/offerings`, ['default']);
    const packages = `${base()}/offerings/default/packages`;
    await make(packages, ['$weekly', '$monthly', '$annual', 'x', 'y']);
    expect(await walkDeleting(packages)).to.deep.equal(['$weekly', '$monthly', '$annual', 'x', 'y']);
  });

  it('is refused when it is an id of another kind', async () => {
    for (const list of [
      'apps',
      'products',
      'entitlements',
      'offerings',
      'paywalls',
      'api-keys',
      'customers',
      'webhooks',
    ]) {
      expectRefusal(await get(`${base()}/${list}?startingAfter=txn_${'0'.repeat(26)}`), 400);
    }
    expectRefusal(await get(`/v1/projects?startingAfter=app_${'0'.repeat(26)}`), 400);
    expectRefusal(await get(`${base()}/offerings/default/packages?startingAfter=pkg_${'0'.repeat(26)}`), 400);
  });
});

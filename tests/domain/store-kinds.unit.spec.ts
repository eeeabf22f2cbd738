// A store that is not known is refused by name; it is never taken for another.
import { expect } from 'chai';
import { findCredentials, credentialCollection } from '../../src/commands/projects/credentials.js';
import { findStoreToken, storeTokenCollection } from '../../src/commands/projects/store-tokens.js';
import { storeKindOf, storeKinds, UnknownStore } from '../../src/domain/store-kinds.js';
import { memoryDeps } from '../commands/support/memory-deps.js';

describe('kinds of stores', () => {
  it('are those that there are', () => expect(storeKinds.map(storeKindOf)).to.deep.equal(storeKinds));

  for (const value of ['web-store', 'ios', '', undefined, null, 'toString'])
    it(`refuse ${JSON.stringify(value)}`, () => expect(() => storeKindOf(value)).to.throw(UnknownStore));

  it('refuse a record of another store where it is read', async () => {
    const { deps } = await memoryDeps();
    const doc = { projectId: 'proj_1', appId: 'app_1', store: 'web-store', createdAt: '', terms: {} };
    const write = { expect: null, guard: '1', doc };
    await deps.docs.write([[{ c: storeTokenCollection.name, id: 'token', ...write }]]);
    await deps.docs.write([[{ c: credentialCollection.name, id: 'app_1', ...write }]]);
    for (const read of [() => findStoreToken(deps, 'token'), () => findCredentials(deps, 'app_1')])
      expect(await read().catch((err: unknown) => err)).to.be.instanceOf(UnknownStore);
  });
});

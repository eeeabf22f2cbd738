// Account tokens as keyed hashes: what the log and the read models hold of them.
import { expect } from 'chai';
import { customerId, keyedHash } from '../../../src/domain/ids.js';
import { accountTokenOf } from '../../../src/domain/purchase/account-token.js';

const hash = keyedHash(Buffer.from('naming'));
const UUID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const tokenOf = (text: string, projectId = 'proj_1') => accountTokenOf(hash, projectId, text);
const idOf = (appUserId: string) => customerId(hash, 'proj_1', appUserId);

describe('an account token', () => {
  it('that is a UUID is the same in either letter case', () => {
    const mixed = `6F9619ff${UUID.slice(8)}`;
    const keys = [UUID, UUID.toUpperCase(), mixed].map((text) => tokenOf(text).key);
    expect(new Set(keys).size).to.equal(1);
    expect(tokenOf(UUID).customerIds).to.deep.equal([idOf(UUID), idOf(UUID.toUpperCase())]);
    expect(tokenOf(mixed).customerIds).to.deep.equal([idOf(UUID), idOf(UUID.toUpperCase()), idOf(mixed)]);
  });

  it('that is not a UUID is compared as it is', () => {
    expect(tokenOf('aB').key).to.not.equal(tokenOf('ab').key);
    expect(tokenOf('aB').customerIds).to.deep.equal([idOf('aB')]);
  });

  it('of another project is another one, and is nowhere in clear', () => {
    expect(tokenOf(UUID, 'proj_2').key).to.not.equal(tokenOf(UUID).key);
    expect(JSON.stringify(tokenOf(UUID))).to.not.contain(UUID.slice(0, 8));
  });
});

// Names of products in charts that are split by product.
import { expect } from 'chai';
import { distinctNameOf } from '../../../src/http/charts/segments.js';

describe('names of products in a chart', () => {
  const product = (displayName: string, store: 'ios-store' | 'android-store', storeProductId = 'pro') => ({
    ...{ displayName, store, storeProductId },
  });
  const ios = product('Pro', 'ios-store');
  const android = product('Pro', 'android-store');
  const second = product('Pro', 'ios-store', 'pro.2');
  for (const [what, listed, expected] of [
    ['alone', [ios], ['Pro']],
    ['beside another name', [ios, product('Gold', 'android-store')], ['Pro', 'Gold']],
    ['of both stores', [ios, android], ['Pro (ios-store)', 'Pro (android-store)']],
    ['twice in one store', [ios, second, android], ['Pro (pro)', 'Pro (pro.2)', 'Pro (android-store)']],
  ] as const)
    it(`${what} are told apart`, () =>
      expect(listed.map((one) => distinctNameOf(one, listed))).to.deep.equal(expected));
});

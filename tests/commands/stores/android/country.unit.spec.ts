import { expect } from 'chai';
import { countryOf } from '../../../../src/commands/stores/android/translator/purchase.js';

describe('the country of an android purchase', () => {
  for (const [regionCode, country] of [
    ['DE', 'DE'],
    ['XK', 'XK'],
    ['XKX', 'XK'],
    ['XKS', 'XK'],
    ['Germany', null],
    ['', null],
  ] as const)
    it(`of the region ${JSON.stringify(regionCode)} is ${country}`, () =>
      expect(countryOf({ regionCode })).to.equal(country));

  it('is unknown without a region', () => expect(countryOf({})).to.equal(null));
});

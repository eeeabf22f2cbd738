import { expect } from 'chai';
import isoCountries from 'i18n-iso-countries';
import { isCountry, normalizeKosovo } from '../../src/domain/values/iso-codes.js';

describe('countries', () => {
  it('are those of ISO 3166, and Kosovo as the stores call it', () => {
    const known = Object.keys(isoCountries.getAlpha2Codes());
    expect(known.filter((code) => !isCountry(code))).to.deep.equal([]);
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const all = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
    expect(all).to.have.members([...new Set([...known, 'XK'])]);
  });

  it('include Kosovo under each of its names in three letters', () =>
    expect(['XKX', 'XKS', 'XK', 'DE', 'ZZZ'].map(normalizeKosovo)).to.deep.equal(['XK', 'XK', 'XK', 'DE', 'ZZZ']));

  it('are named in two great letters', () => {
    for (const text of ['de', 'DEU', 'ZZ', '', 'D', 'DE ']) expect(isCountry(text), text).to.equal(false);
  });
});

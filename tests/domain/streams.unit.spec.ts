// Names of streams are taken apart.
import { expect } from 'chai';
import type { StreamName } from '../../src/domain/envelope.js';
import { families, familyOf } from '../../src/domain/streams.js';

describe('the family of a stream', () => {
  it('is the part of its name before the first dash, of every family', () => {
    for (const family of families) {
      expect(familyOf(`${family}-a_b-c` as StreamName)).to.equal(family);
      expect(familyOf(`${family}s-a` as StreamName)).to.equal(`${family}s`);
    }
  });

  it('is distinguished from a name of the same length and first letter', () => {
    for (const family of families) {
      const other = `${family.slice(0, -1)}#`;
      expect(familyOf(`${other}-a` as StreamName)).to.equal(other);
    }
  });
});

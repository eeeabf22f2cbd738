import { expect } from 'chai';
import { addCounts, listSegments } from '../../../src/domain/charts/result/segment-counts.js';

describe('segments of a query', () => {
  const counts = new Map([
    ['DE', 2],
    ['US', 5],
    ['FR', 2],
    ['JP', 1],
  ]);

  it('are the largest, equal ones in the order of their names, and other if there are more', () => {
    expect(listSegments(counts, 2)).to.deep.equal(['US', 'DE', 'other']);
    expect(listSegments(counts, 3)).to.deep.equal(['US', 'DE', 'FR', 'other']);
    expect(listSegments(counts, 4)).to.deep.equal(['US', 'DE', 'FR', 'JP']);
    expect(listSegments(new Map(), 4)).to.deep.equal([]);
  });

  it('never list a value that is itself called other', () => {
    const named = new Map([...counts, ['other', 9]]);
    expect(listSegments(named, 1)).to.deep.equal(['US', 'other']);
    expect(listSegments(named, 10)).to.deep.equal(['US', 'DE', 'FR', 'JP', 'other']);
  });

  it('are those of several sides together', () => {
    const both = addCounts([counts, new Map([['JP', 5]])]);
    expect(listSegments(both, 1)).to.deep.equal(['JP', 'other']);
  });
});

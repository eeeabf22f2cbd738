// The text that shows how much of long work is left.
import { expect } from 'chai';
import { createEstimate } from '../../src/cli/support/progress-bar.js';

const inSeconds = (left: string): number => {
  const found = /^(?:(\d+)m)?(\d+)s$/.exec(left);
  if (!found) throw new Error(`no estimate: ${left}`);
  return Number(found[1] ?? 0) * 60 + Number(found[2]);
};

describe('the estimate of a progress bar', () => {
  it('jumps neither up nor down when steps come in bursts', () => {
    const estimate = createEstimate(0);
    const ends: number[] = [];
    // 20 steps a second on the average: two seconds of 35, then three of 10.
    let done = 0;
    for (let s = 1; s <= 100; s++) {
      done += s % 5 < 2 ? 35 : 10;
      const { left } = estimate.at(s * 1000, done, 2000);
      if (s >= 5 && done < 2000) ends.push(s + inSeconds(left));
    }
    expect(Math.min(...ends), 'earliest end that was foretold').to.be.greaterThan(75);
    expect(Math.max(...ends), 'latest').to.be.lessThan(125);
  });

  it('never shows 60 seconds, and nothing before there is an estimate', () => {
    for (let total = 2; total < 400; total++) {
      const { left } = createEstimate(0).at(1000, 1, total);
      expect(left).not.to.match(/60s/);
    }
    expect(createEstimate(0).at(1000, 1, 61).left).to.equal('1m00s');
    expect(createEstimate(0).at(1000, 1, 3661).left).to.equal('1h01m');
    expect(createEstimate(0).at(10, 1, 100).left).to.equal('?');
    expect(createEstimate(0).at(5000, 0, 100).left).to.equal('?');
    expect(createEstimate(0).at(5000, 100, 100)).to.deep.equal({ rate: '20', left: '0s' });
  });
});

// Moments are found by their ids alone, so the ids must lie in the order of time.
import { expect } from 'chai';
import { momentsFrom } from '../../../src/projections/charts/customer-histories.js';

describe('moments of charts', () => {
  it('have ids in the order of time, also before 1970 and at both ends of it', () => {
    const times = [-8.64e15, -86_400_000, -1, 0, 1, 999, 1_000, 1_763_800_000_000, 8.64e15, Number.MAX_SAFE_INTEGER];
    const ids = times.map((at) => momentsFrom('proj_1', 'turn', at));
    expect([...ids].sort()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(times.length);
  });

  it('are after the start of their instant and before the next', () => {
    const id = `${momentsFrom('proj_1', 'first', 1_000)}cus_zzz`;
    expect(id > momentsFrom('proj_1', 'first', 1_000)).to.equal(true);
    expect(id < momentsFrom('proj_1', 'first', 1_001)).to.equal(true);
  });
});

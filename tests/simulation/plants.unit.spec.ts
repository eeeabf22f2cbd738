// The simulation itself: it finds faults that are put into the service from outside, each within a few worlds.
import { expect } from 'chai';
import { planted, scriptFor } from './planting.js';
import { plants } from './plants.js';
import { judge, watchUncaught } from './simulate.js';

/** Far more worlds than any of them takes. */
const MAX_SEEDS = 300;

describe('the simulation', function () {
  this.timeout(900_000);
  let unwatch: () => void;
  before(() => (unwatch = watchUncaught()));
  after(() => unwatch());

  for (const plant of plants)
    it(`finds that ${plant.name}`, async () => {
      for (let seed = plant.seed; seed < plant.seed + MAX_SEEDS; seed++) {
        const { findings } = await judge(scriptFor(plant, seed), planted(plant));
        if (findings.length > 0) return;
      }
      expect.fail(`${MAX_SEEDS} worlds have not shown it`);
    });
});

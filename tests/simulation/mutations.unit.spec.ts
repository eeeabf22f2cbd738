// Mutation testing of the simulation: it finds each bug that is put into the service from outside within a few runs.
import { expect } from 'chai';
import { createInterceptors, scriptFor } from './mutation.js';
import { mutations } from './mutations.js';
import { simulate, collectUnhandledRejections } from './simulate.js';

/** Far more runs than any mutation needs. */
const MAX_SEEDS = 300;

describe('the simulation', function () {
  this.timeout(900_000);
  let unwatch: () => void;
  before(() => (unwatch = collectUnhandledRejections()));
  after(() => unwatch());

  for (const plant of mutations)
    it(`detects ${plant.name}`, async () => {
      for (let seed = plant.seed; seed < plant.seed + MAX_SEEDS; seed++) {
        const { findings } = await simulate(scriptFor(plant, seed), createInterceptors(plant));
        if (findings.length > 0) return;
      }
      expect.fail(`not detected in ${MAX_SEEDS} runs`);
    });
});

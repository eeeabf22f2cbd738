// Payloads of the ios-store as people report them, each played in every order that its steps can arrive in.
import { expect } from 'chai';
import { createManualClock } from '../../support/manual-clock.js';
import { setUpHarness } from '../../support/setup.js';
import { expectedIn, iosSenders, ordersOf, playSteps, storeCases } from '../store-cases.js';

const NOW = Date.parse('2027-03-15T10:00:00.000Z');

describe('the ios-store sends', function () {
  this.timeout(120_000);
  const harness = setUpHarness({}, createManualClock(NOW).runtime);
  for (const one of storeCases('ios-'))
    it(`${one.title} (${one.name})`, async () => {
      for (const [i, steps] of ordersOf(one).entries())
        expect(await playSteps(harness, iosSenders, one, steps, NOW), `order ${i}`).to.deep.equal(expectedIn(one, i));
    });
});

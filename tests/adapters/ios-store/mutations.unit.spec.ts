// Damaged ios-store data: every changed text is refused.
import { expect } from 'chai';
import fc from 'fast-check';
import { store, verifier, notification, refusal } from './fixture.js';
import { mutation, mutationRuns } from './jws-mutations.js';

const RUNS = mutationRuns(5_000);

describe(`mutated signed data (${RUNS.numRuns} times, seed ${RUNS.seed})`, function () {
  this.timeout(600_000);
  it('gets no other response than InvalidSignedData', async () => {
    const right = notification(store);
    const fresh = verifier();
    const warm = verifier();
    expect(await refusal(right, warm)).to.equal('accepted');
    await fc.assert(
      fc.asyncProperty(mutation(right), fc.boolean(), async (text, isWarm) => {
        fc.pre(text !== right);
        expect(await refusal(text, isWarm ? warm : fresh)).not.to.equal('accepted');
      }),
      RUNS,
    );
  });
});

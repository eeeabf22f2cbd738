// Time for which an app's store has been failing, by which the wait for an unavailable store is limited.
import { expect } from 'chai';
import { createStoreCircuitBreakers } from '../../../src/commands/stores/store-circuit-breaker.js';

describe('circuit breaker of a store', () => {
  it('counts failures from the first, also past tasks that succeed without a request, until a request succeeds', async () => {
    let nowMs = 1000;
    const breakers = createStoreCircuitBreakers({ now: () => nowMs, randomBytes: (size) => Buffer.alloc(size) });
    expect(breakers.failingSince('app_1')).to.equal(null);
    breakers.recordFailure('app_1');
    nowMs = 60_000;
    breakers.reset('app_1');
    breakers.recordFailure('app_1');
    expect(breakers.failingSince('app_1')).to.equal(1000);
    await breakers.track('app_1', async () => undefined);
    expect(breakers.failingSince('app_1')).to.equal(null);
  });
});

// Android purchases that the store still shows as active when their end has just passed: it renews late, or tries to charge first.
import { expect } from 'chai';
import { aboutSubscription } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';

const SECOND = 1 / 86_400;
const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };

describe('an android subscription that is shown as active after its end', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, store, clock, idle } = ground;
  type Scenario = ReturnType<typeof scenario>;

  const readsOf = ({ purchase }: Scenario) =>
    store().requests.filter((path) => path.endsWith(`/tokens/${purchase}`)).length;
  const passTo = async (s: Scenario, day: number) => {
    clock.set(s.ms(day));
    await idle();
  };
  const eventsOf = async (s: Scenario) => (await s.events()).filter((e) => !e.startsWith('SubscriptionConfirmed'));
  /** Bought, and read once more by a message right after its end, while the store shows nothing new. */
  const readAfterItsEnd = async (): Promise<Scenario> => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    clock.set(s.ms(31 + SECOND));
    await s.push(31 + SECOND, aboutSubscription('RESTARTED', s.purchase));
    return s;
  };

  it('is read again after 45 seconds, and gives no access until its renewal is read', async () => {
    const s = await readAfterItsEnd();
    const reads = readsOf(s);
    await s.see(31 + 2 * SECOND, 'expired', false);
    s.show({ n: 1, to: 62 });
    await passTo(s, 31 + 45 * SECOND);
    expect(readsOf(s), 'reads 44 seconds after the first').to.equal(reads);
    await s.see(31 + 45 * SECOND, 'expired', false);
    await passTo(s, 31 + 47 * SECOND);
    expect(readsOf(s), 'reads 46 seconds after the first').to.equal(reads + 1);
    await s.see(31 + 47 * SECOND, 'active', true);
    expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'RENEWAL']);
    await passTo(s, 32);
    expect(readsOf(s), 'reads once it is active again').to.equal(reads + 1);
  });

  it('is read less and less often until the store shows that it is over', async () => {
    const s = await readAfterItsEnd();
    const reads = readsOf(s);
    await passTo(s, 31 + 47 * SECOND);
    await passTo(s, 31 + 100 * SECOND);
    expect(readsOf(s), 'reads in the first 100 seconds').to.equal(reads + 1);
    s.show({ state: 'EXPIRED', willRenew: false, also: CANCELLED_BY_USER });
    await passTo(s, 31 + 140 * SECOND);
    expect(readsOf(s), 'reads in the first 140 seconds').to.equal(reads + 2);
    await s.see(31 + 140 * SECOND, 'expired', false);
    expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
    await passTo(s, 32);
    expect(readsOf(s), 'reads once it is over').to.equal(reads + 2);
  });
});

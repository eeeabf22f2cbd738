// Total spend of a customer: charged money, without sandbox purchases.
import { expect } from 'chai';
import { foldEvents } from '../../../../src/domain/decider.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { customer, day, first, purchaseOf, renewed, second, started, usd } from '../samples.js';

const sandbox = { ...first, sandbox: true };
const spent = (...events: readonly SubscriberEvent[]) =>
  foldEvents(subscriberDecider, [customer, ...events]).profile.spentMicros;
const refunded = (of: typeof first) =>
  e.TransactionRefunded.of({
    purchase: purchaseOf(of),
    transactionId: of.id,
    subscriptionId: 'sub_t1',
    refundedAt: day(3),
    refund: { money: usd(9_990_000), kind: 'full', share: 1 },
    isLatest: true,
    accessRevoked: true,
    policy: 'revoke_immediately',
  });

describe('what a customer spent', () => {
  it('is each charge', () => expect(spent(started(first), renewed(second))).to.equal(19_980_000));

  it('is less what was given back', () => expect(spent(started(first), refunded(first))).to.equal(0));

  it('is nothing in the sandbox, nor is what is given back there', () => {
    expect(spent(started(sandbox), renewed({ ...second, sandbox: true }))).to.equal(0);
    expect(spent(started(sandbox), refunded(sandbox))).to.equal(0);
  });
});

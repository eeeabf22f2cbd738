// Whole histories of one subscription, judged by what is known at their end.
import { expect } from 'chai';
import { decideAll } from '../../../../src/domain/decider.js';
import { stateAt } from '../../../../src/domain/subscriber/access.js';
import type { SubscriberCommand } from '../../../../src/domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import type { Subscription } from '../../../../src/domain/subscriber/state/state.js';
import { storeTimeOf } from '../../../../src/domain/subscriber/state/line.js';
import { autoRenew, expiry, failed, graceOver, refund, reversal, deadlinePassed } from '../store-samples.js';
import { bought, chain, charged, day, first, second, third, type Term } from '../samples.js';

const register = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'store' as const };

function decideEach(...commands: readonly SubscriberCommand[]) {
  const none = subscriberDecider.initial();
  const events = decideAll(subscriberDecider, [register, ...commands], none);
  const { profile, transactions } = events.reduce(subscriberDecider.evolve, none);
  return { types: events.slice(1).map((event) => event.type), profile, transactions };
}

function only(subscriptions: readonly Subscription[]): Subscription {
  const [one, ...others] = subscriptions;
  if (!one || others.length > 0) throw new Error(`${subscriptions.length} subscriptions where one was expected`);
  return one;
}

const recoveredInGrace = charged(second, { signed: 34 });
const late: Term = { id: 't2', from: 50, to: 81 };

describe('a whole history', () => {
  it('of a cancel, a change of mind and a renewal', () => {
    const history = decideEach(bought(first), autoRenew(false, 3), autoRenew(true, 5), charged(second));
    expect(history.types).to.deep.equal([
      'SubscriptionStarted',
      'SubscriptionAutoRenewDisabled',
      'SubscriptionAutoRenewEnabled',
      'SubscriptionRenewed',
    ]);
    expect(only(history.profile.subscriptions).autoRenew.on).to.equal(true);
  });

  it('of a recovery in grace leaves no trace of the failure', () => {
    const one = only(decideEach(bought(first), failed(31, 37), recoveredInGrace).profile.subscriptions);
    expect(one).to.include({ billingIssueAt: null, graceEndsAt: null, retrySince: null, renewalNumber: 1 });
    expect(stateAt(one, day(40))).to.equal('active');
  });

  it('of a recovery after grace continues the same subscription', () => {
    const one = only(decideEach(bought(first), failed(31, 37), graceOver(37), charged(late)).profile.subscriptions);
    expect([stateAt(one, day(60)), one.startedAt]).to.deep.equal(['active', day(0)]);
  });

  it('of failed billing and a new purchase has two subscriptions', () => {
    const again: Term = { id: 't9', from: 120, to: 151 };
    const { profile } = decideEach(bought(first), failed(31, null), expiry(91, 'billing_error'), bought(again));
    expect(profile.subscriptions.map((s) => [s.startReason, stateAt(s, day(121))])).to.deep.equal([
      ['first_purchase', 'expired'],
      ['resubscribe', 'active'],
    ]);
  });

  it('of a refund and its reversal is active again', () => {
    const one = only(decideEach(bought(first), refund('t1', 10), reversal('t1', 20)).profile.subscriptions);
    expect([stateAt(one, day(20)), one.ended]).to.deep.equal(['active', null]);
  });

  it('received backwards ends active, renewed once, with no failure', () => {
    const failure = [bought(first, { signed: 31, inferred: true }), failed(31, 37)];
    const history = decideEach(recoveredInGrace, ...failure, bought(first));
    expect(history.types).to.deep.equal(['SubscriptionStarted', 'SubscriptionRenewed']);
    expect(only(history.profile.subscriptions)).to.include({ renewalNumber: 1, startedAt: day(0) });
  });

  it('with missing and then late notifications continues', () => {
    const history = decideEach(bought(first), deadlinePassed('sub_t1', 31, 32), charged(second, { signed: 33 }));
    expect(history.types.slice(1)).to.deep.equal(['SubscriptionExpired', 'SubscriptionRenewed']);
    expect(only(history.profile.subscriptions).ended).to.equal(null);
  });
});

describe('an older period that arrives late', () => {
  const before = decideEach(charged(second), charged(third)).profile.subscriptions;
  const after = decideEach(charged(second), charged(third), bought(first)).profile.subscriptions;

  it('leaves the latest period and its end as they are', () => {
    const { revenue: _, startedAt, renewalNumber, ...kept } = only(after);
    expect(only(before)).to.deep.include(kept);
    expect([startedAt, renewalNumber]).to.deep.equal([day(0), 2]);
  });

  it('adds its money', () => expect(only(after).revenue.gross).to.equal(3 * 9_990_000));

  it('does not turn the store’s time back', () => {
    const { profile } = decideEach(charged(second), bought(first));
    expect(storeTimeOf(profile, chain)).to.equal(day(31));
  });
});

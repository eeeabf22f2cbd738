// Changes scheduled for the end of a period (product, price, pause), and their results.
import { expect } from 'chai';
import { foldEvents } from '../../../../src/domain/decider.js';
import { accessEndsAt, autoRenewStatusAt, nextDeadline, stateAt } from '../../../../src/domain/subscriber/access.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { confirmed, expired, expiry, deadlinePassed } from '../store-samples.js';
import { alice, chain, charged, customer, day, first, renewed, second, started, subPurchaseOf } from '../samples.js';

const signedOn = (signed: number) => ({ storeChainId: chain, storeTime: day(signed) });
const of = (signed: number) => ({ purchase: subPurchaseOf(first), storeTime: day(signed) });

function only(...events: readonly SubscriberEvent[]) {
  const [s] = foldEvents(subscriberDecider, [customer, ...events]).profile.subscriptions;
  if (!s) throw new Error('the events start no subscription');
  return s;
}

describe('a product planned for the next renewal', () => {
  const next = (signed: number, name: string, inferred = false) => ({
    kind: 'recordNextProduct' as const,
    ...signedOn(signed),
    productId: `prod_${name}`,
    storeProductId: name,
    effectiveAt: null,
    inferred,
  });
  const scheduled = (signed: number, inferred = false) =>
    e.SubscriptionProductChangeScheduled.of(
      { ...of(signed), newProductId: 'prod_app.yearly', newStoreProductId: 'app.yearly', effectiveAt: day(31) },
      { at: day(signed), inferred },
    );

  it('is scheduled for the contract’s end', () =>
    alice(started(first)).when(next(10, 'app.yearly')).then(scheduled(10)));

  it('may be read off a snapshot', () =>
    alice(started(first))
      .when(next(10, 'app.yearly', true))
      .then(scheduled(10, true)));

  it('is withdrawn by naming the present one', () =>
    alice(started(first), scheduled(10))
      .when(next(12, 'app.monthly'))
      .then(e.SubscriptionProductChangeCancelled.of(of(12), { at: day(12) })));

  it('is no news in a snapshot that agrees', () =>
    alice(started(first), scheduled(10))
      .when(next(12, 'app.yearly', true))
      .thenNothing());

  it('is stale when something newer is known', () =>
    alice(started(first), confirmed(first, 11)).when(next(10, 'app.yearly')).thenNothing());

  it('shows until the renewal', () => {
    expect(autoRenewStatusAt(only(started(first), scheduled(10)), day(12))).to.equal('will_change_product');
    expect(autoRenewStatusAt(only(started(first), scheduled(10), renewed(second)), day(32))).to.equal('will_renew');
  });
});

describe('a price increase', () => {
  const newPrice = { currency: 'USD', amountMicros: 12_990_000 };
  const price = (status: 'requested' | 'accepted' | 'changed', signed: number, inferred = false) => ({
    kind: 'recordPriceIncrease' as const,
    ...signedOn(signed),
    status,
    newPrice,
    effectiveAt: day(31),
    respondBy: null,
    inferred,
  });
  const requested = (signed: number) =>
    e.PriceIncreaseConsentRequested.of(
      { ...of(signed), newPrice, effectiveAt: day(31), respondBy: null },
      { at: day(signed) },
    );
  const accepted = (signed: number) =>
    e.PriceIncreaseAccepted.of({ ...of(signed), newPrice, effectiveAt: day(31) }, { at: day(signed) });

  it('requests consent', () => alice(started(first)).when(price('requested', 5)).then(requested(5)));

  it('is accepted', () => alice(started(first), requested(5)).when(price('accepted', 8)).then(accepted(8)));

  it('that was never requested is accepted by its own message only', () => {
    alice(started(first)).when(price('accepted', 8)).then(accepted(8));
    alice(started(first))
      .when(price('accepted', 8, true))
      .thenNothing();
  });

  it('made by the developer is recorded once', () =>
    alice(started(first))
      .when(price('changed', 8))
      .then(e.SubscriptionPriceChanged.of({ ...of(8), newPrice, effectiveAt: day(31) }, { at: day(8) })));

  it('holds the renewal until it is accepted', () => {
    const asked = [started(first), requested(5)];
    expect(autoRenewStatusAt(only(...asked), day(6))).to.equal('requires_price_increase_consent');
    expect(autoRenewStatusAt(only(...asked, accepted(8)), day(9))).to.equal('will_renew');
  });
});

describe('a pause', () => {
  const plan = (signed: number, planned: boolean) => ({
    kind: 'recordPausePlan' as const,
    ...signedOn(signed),
    planned,
    pauseAt: null,
    autoResumeAt: day(61),
    inferred: false,
  });
  const resume = { pauseAt: day(31), autoResumeAt: day(61) };
  const scheduled = e.SubscriptionPauseScheduled.of({ ...of(10), ...resume }, { at: day(10) });
  const begin = {
    kind: 'recordPause' as const,
    ...signedOn(31),
    pausedAt: day(31),
    autoResumeAt: day(61),
    inferred: false,
  };
  const paused = e.SubscriptionPaused.of({ ...of(31), autoResumeAt: day(61) }, { at: day(31) });

  it('is wished for the contract’s end', () => alice(started(first)).when(plan(10, true)).then(scheduled));

  it('is given up again', () =>
    alice(started(first), scheduled)
      .when(plan(12, false))
      .then(e.SubscriptionPauseCancelled.of({ ...of(12), ...resume }, { at: day(12) })));

  it('begins', () => alice(started(first), scheduled).when(begin).then(paused));

  it('ends with the next charge', () =>
    alice(started(first), scheduled, paused)
      .when(charged({ ...second, from: 61, to: 92 }))
      .then(renewed({ ...second, from: 61, to: 92 }, { recoveredFrom: 'paused' })));

  it('that was not notified is the reason for the end', () =>
    alice(started(first), scheduled)
      .when(deadlinePassed('sub_t1', 31, 32))
      .then(expired(first, 31, 'subscription_paused', { signed: null })));

  it('with a final end is the reason, whatever else the store sends', () =>
    alice(started(first), scheduled, paused)
      .when(expiry(61, 'billing_error'))
      .then(expired(first, 31, 'subscription_paused', { signed: 61 })));

  it('may still be received after time had ended the subscription', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(begin)
      .then(paused));

  it('cuts access while it lasts, and no deadline ends it', () => {
    const s = only(started(first), scheduled, paused);
    expect([stateAt(s, day(30)), stateAt(s, day(31)), stateAt(s, day(300))]).to.deep.equal([
      'active',
      'paused',
      'paused',
    ]);
    expect([accessEndsAt(s), nextDeadline(s)]).to.deep.equal([day(31), null]);
    expect(autoRenewStatusAt(only(started(first), scheduled), day(12))).to.equal('will_pause');
  });
});

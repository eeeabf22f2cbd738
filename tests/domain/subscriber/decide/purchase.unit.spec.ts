// Purchases: periods that start a subscription, renew it, or change its product.
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { given } from '../../spec.js';
import { disabled, expired, graceEntered, issueDetected, refunded, retryEntered } from '../store-samples.js';
import {
  alice,
  bought,
  charged,
  converted,
  day,
  first,
  purchaseOf,
  renewed,
  second,
  started,
  subPurchaseOf,
  third,
  trial,
  yearly,
  type Term,
} from '../samples.js';

describe('a first purchase', () => {
  it('starts a subscription', () => alice().when(bought(first)).then(started(first)));

  it('of a free period starts a trial', () => alice().when(bought(trial)).then(started(trial)));

  it('of a paid introductory period starts as such', () => {
    const intro: Term = { ...first, type: 'intro', price: 990_000 };
    alice().when(bought(intro)).then(started(intro));
  });

  it('shared by the family starts as that', () => {
    const shared: Term = { ...first, shared: true, price: 0 };
    alice()
      .when(bought(shared))
      .then(started(shared, { startReason: 'family_share' }));
  });

  it('that is known only by a renewal starts as imported', () =>
    alice()
      .when(charged(second))
      .then(started(second, { startReason: 'imported' })));

  it('from a receipt and from the store is one', () =>
    alice(started(first))
      .when(bought(first, { signed: null }))
      .thenNothing());

  it('keeps in mind that it was read off another message', () =>
    alice()
      .when(bought(first, { signed: 3, inferred: true }))
      .then({ ...started(first, { signed: 3 }), inferred: true }));

  it('needs a customer', () => given(subscriberDecider).when(bought(first)).thenRejected('subscriber-unknown'));
});

describe('a renewal', () => {
  it('renews', () => alice(started(first)).when(charged(second)).then(renewed(second)));

  it('counts on', () =>
    alice(started(first), renewed(second))
      .when(charged(third))
      .then(renewed(third, { renewalNumber: 2 })));

  it('after a trial converts it', () =>
    alice(started(trial))
      .when(charged(converted))
      .then(renewed(converted, { isTrialConversion: true })));

  it('by one more free period converts nothing', () => {
    const more: Term = { ...converted, to: 14, type: 'trial', price: 0 };
    alice(started(trial)).when(charged(more)).then(renewed(more));
  });

  it('after a late cancel does not turn auto-renew on again', () =>
    alice(started(trial), disabled(trial, 6.5))
      .when(charged(converted))
      .then(renewed(converted, { isTrialConversion: true })));

  it('in grace is a recovery', () =>
    alice(started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37))
      .when(charged(second, { signed: 34 }))
      .then(renewed(second, { signed: 34, recoveredFrom: 'grace_period' })));

  it('while the store retries is a recovery of the same subscription, after a gap', () => {
    const recovered: Term = { id: 't2', from: 50, to: 81 };
    alice(started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31))
      .when(charged(recovered))
      .then(renewed(recovered, { recoveredFrom: 'billing_retry' }));
  });

  it('that comes after time had ended the subscription continues it', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(charged(second))
      .then(renewed(second)));
});

describe('an older period that arrives late', () => {
  const imported = started(second, { startReason: 'imported' });

  it('adds money and a number only', () =>
    alice(imported)
      .when(bought(first))
      .then(renewed(first, { of: 'sub_t2' })));

  it('goes to the subscription that had started by then', () => {
    const again: Term = { id: 't9', from: 120, to: 151 };
    const chainOfTwo = [
      started(first),
      expired(first, 31, 'unsubscribe'),
      started(again, { startReason: 'resubscribe' }),
    ];
    alice(...chainOfTwo)
      .when(charged(second))
      .then(renewed(second));
  });

  it('that the customer had bought is a subscription of its own before another that was bought', () => {
    const again: Term = { id: 't9', from: 120, to: 151 };
    alice(started(again)).when(bought(first)).then(started(first));
  });

  it('of another product gave way to the one that is known', () => {
    const gaveWay = { purchase: subPurchaseOf(first), storeTime: day(0) };
    const change = {
      fromStoreProductId: 'app.monthly',
      toStoreProductId: 'app.yearly',
      fromProductId: 'prod_app.monthly',
      toProductId: 'prod_app.yearly',
      mode: 'immediate' as const,
      toSubscriptionId: 'sub_t2',
    };
    const meta = { at: day(10), inferred: true };
    alice(started(yearly))
      .when(bought(first))
      .then(
        started(first),
        e.SubscriptionProductChanged.of({ ...gaveWay, ...change }, meta),
        e.SubscriptionExpired.of({ ...gaveWay, reason: 'product_change', by: 'store' }, meta),
      );
  });

  it('that was the trial of another product joins what it became', () =>
    alice(started(yearly))
      .when(bought({ ...trial, to: 14 }))
      .then(renewed({ ...trial, to: 14 }, { of: 'sub_t2' })));

  it('recovers nothing', () =>
    alice(imported, e.SubscriptionBillingIssueDetected.of(issueOf(second), { at: day(62) }), graceOf(second))
      .when(bought(first))
      .then(renewed(first, { of: 'sub_t2' })));

  function issueOf(t: Term) {
    return { purchase: subPurchaseOf(t, 'sub_t2'), storeTime: day(62), gracePeriodExpiresAt: day(68) };
  }
  function graceOf(t: Term) {
    return e.SubscriptionGracePeriodEntered.of(issueOf(t), { at: day(62) });
  }
});

describe('a purchase by the customer', () => {
  const again: Term = { id: 't9', from: 120, to: 151 };
  const resubscribed = started(again, { startReason: 'resubscribe', previousSubscriptionId: 'sub_t1' });

  it('after the subscription lapsed starts a new one', () =>
    alice(started(first), expired(first, 31, 'unsubscribe'))
      .when(bought(again))
      .then(resubscribed));

  it('after an end that was not notified starts a new one', () =>
    alice(started(first)).when(bought(again)).then(resubscribed));

  it('after a refund starts a new one', () => {
    const soon: Term = { id: 't9', from: 12, to: 43 };
    alice(started(first), refunded(first, 10, { isLatest: true, accessRevoked: true }))
      .when(bought(soon))
      .then(started(soon, { startReason: 'resubscribe', previousSubscriptionId: 'sub_t1' }));
  });

  it('while the store retries ends what it retried and starts a new one', () => {
    const soon: Term = { id: 't9', from: 40, to: 71 };
    alice(started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31))
      .when(bought(soon))
      .then(
        { ...expired(first, 40, 'billing_error'), inferred: true },
        started(soon, { startReason: 'resubscribe', previousSubscriptionId: 'sub_t1' }),
      );
  });
});

describe('a pending payment', () => {
  const waiting = e.SubscriptionPending.of(
    { purchase: subPurchaseOf(first), storeTime: day(0), expectedProductId: 'prod_app.monthly' },
    { at: day(0) },
  );
  const message = { storeChainId: 't1', storeTime: day(0) };
  const recordPending = {
    kind: 'recordPending' as const,
    ...message,
    purchase: purchaseOf(first),
    newSubscriptionId: 'sub_t1',
    pendingSince: day(0),
  };

  it('is known and gives nothing yet', () => alice().when(recordPending).then(waiting));

  it('that is paid starts the subscription that waited', () =>
    alice(waiting)
      .when({ ...bought({ ...first, id: 't2' }), newSubscriptionId: 'sub_t2' })
      .then(startedAs({ ...first, id: 't2' }, 'sub_t1')));

  it('that is never paid is cancelled', () => {
    const cancel = { kind: 'recordPendingCancelled' as const, ...message, purchase: null, reason: 'cancelled' };
    const over = { purchase: subPurchaseOf(first), storeTime: day(0) };
    alice(waiting)
      .when(cancel)
      .then(e.SubscriptionPendingCancelled.of(over, { at: day(0) }));
  });

  function startedAs(t: Term, subscriptionId: string) {
    const event = started(t);
    if (event.type !== 'SubscriptionStarted') throw new Error('no start');
    return e.SubscriptionStarted.of(
      { ...event.data, purchase: { ...event.data.purchase, subscriptionId } },
      { at: day(0) },
    );
  }
});

describe('a change of product', () => {
  const change = {
    fromStoreProductId: 'app.monthly',
    toStoreProductId: 'app.yearly',
    fromProductId: 'prod_app.monthly',
    toProductId: 'prod_app.yearly',
  };

  it('of a paid subscription at once ends it and starts another', () => {
    const data = { purchase: subPurchaseOf(first), storeTime: day(10), ...change, mode: 'immediate' as const };
    alice(started(first))
      .when(bought(yearly))
      .then(
        e.SubscriptionProductChanged.of({ ...data, toSubscriptionId: 'sub_t2' }, { at: day(10) }),
        expired(first, 10, 'product_change'),
        started(yearly, { startReason: 'product_change', previousSubscriptionId: 'sub_t1' }),
      );
  });

  it('of a paid subscription at its renewal does the same then', () => {
    const atRenewal: Term = { ...yearly, from: 31, to: 396 };
    const data = { purchase: subPurchaseOf(first), storeTime: day(31), ...change, mode: 'at_renewal' as const };
    alice(started(first))
      .when(charged(atRenewal))
      .then(
        e.SubscriptionProductChanged.of({ ...data, toSubscriptionId: 'sub_t2' }, { at: day(31) }),
        expired(first, 31, 'product_change'),
        started(atRenewal, { startReason: 'product_change', previousSubscriptionId: 'sub_t1', atRenewal: true }),
      );
  });

  it('in a trial continues the same subscription', () => {
    const freeYearly: Term = { ...yearly, from: 3, to: 10, type: 'trial', price: 0 };
    const data = { purchase: subPurchaseOf(freeYearly), storeTime: day(3), ...change, mode: 'immediate' as const };
    alice(started(trial))
      .when(bought(freeYearly))
      .then(
        e.SubscriptionProductChanged.of({ ...data, toSubscriptionId: 'sub_t1' }, { at: day(3) }),
        renewed(freeYearly),
      );
  });
});

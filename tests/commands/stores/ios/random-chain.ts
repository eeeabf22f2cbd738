// Random ios-store subscription chains, as the notifications that the store sends about them, in the order of their signing.
// Days are whole numbers of days since the first purchase; each message is signed a little after the change it reports.
import fc from 'fast-check';
import type { IosNotification, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import { dayMs, notificationOf, renewalOf, transactionOf } from './samples.js';

const PERIOD = 31;
const TRIAL = 7;
const GRACE = 6;
const SIGNING_DELAY = 1 / 1440;
const PRODUCTS = ['app.monthly', 'app.yearly'];

/** Transitions from a period to the next, and endings. */
const passages = ['renewal', 'downgrade', 'recovery in grace', 'recovery in retry', 'recovery after grace'] as const;
const endings = [
  'expiry',
  'expiry after retry',
  'expiry after grace',
  'no consent',
  'refund in grace',
  'revocation',
  'open',
] as const;

type PeriodPlan = {
  /** Days into the period on which the customer turns auto-renewal off and on, in turns. */
  readonly toggles: readonly number[];
  readonly refundsFormer: boolean;
  /** The developer gives so many days; 0: none. */
  readonly extension: number;
  /** The customer agrees to a higher price, before all else of the period. Later snapshots show that, some without the price. */
  readonly isPriceRaised: boolean;
  /** True if the customer changes to the other product on the seventh day. */
  readonly isUpgraded: boolean;
  readonly passage: (typeof passages)[number];
};

export type StintPlan = {
  readonly beginsWithTrial: boolean;
  readonly periods: readonly PeriodPlan[];
  readonly ending: (typeof endings)[number];
  /** The last period is refunded on this day of it, and the refund taken back so many days later. */
  readonly refund: { readonly on: number; readonly reversedAfter: number | null } | null;
  readonly pause: number;
};

export type ChainPlan = { readonly stints: readonly StintPlan[] };

export function chainPlans(): fc.Arbitrary<ChainPlan> {
  const period = fc.record({
    toggles: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
    refundsFormer: fc.boolean(),
    extension: fc.constantFrom(0, 0, 0, 4),
    isPriceRaised: fc.constantFrom(false, false, false, true),
    isUpgraded: fc.constantFrom(false, false, false, true),
    passage: fc.constantFrom(...passages),
  });
  const reversedAfter = fc.option(fc.integer({ min: 1, max: 40 }));
  const stint = fc.record({
    beginsWithTrial: fc.boolean(),
    periods: fc.array(period, { minLength: 1, maxLength: 4 }),
    ending: fc.constantFrom(...endings),
    refund: fc.option(fc.record({ on: fc.integer({ min: 8, max: 12 }), reversedAfter })),
    pause: fc.integer({ min: 1, max: 60 }),
  });
  return fc.record({ stints: fc.array(stint, { minLength: 1, maxLength: 3 }) });
}

type Failing = { readonly graceTo: number | null };

/** The store's side of one chain: what it would sign, one message after another. */
export function notificationsOf({ stints }: ChainPlan): readonly IosNotification[] {
  const sent: IosNotification[] = [];
  let count = 0;
  let now = 0;
  let autoRenews = true;
  let product = 0;
  let next = 0;
  let failing: Failing | null = null;
  let agreed: object = {};
  let isSoon = false;
  let current = buy(0, PERIOD, 'PURCHASE');

  for (const [index, stint] of stints.entries()) notify(stint, index);
  return sent;

  function send(on: number, type: string, subtype: string | null, transaction = current, more: object = {}): void {
    now = Math.max(on, now) + SIGNING_DELAY;
    const grace = failing?.graceTo == null ? {} : { gracePeriodExpiresDate: dayMs(failing.graceTo) };
    const billing = failing === null ? {} : { isInBillingRetryPeriod: true, ...grace };
    const plans = { autoRenewStatus: autoRenews ? 1 : 0, autoRenewProductId: PRODUCTS[next] ?? '' };
    const consent = autoRenews ? agreed : { ...agreed, renewalPrice: undefined };
    const renewal = renewalOf({ ...plans, ...consent, ...billing, ...more });
    sent.push(notificationOf(type, subtype, now, { transaction, renewal }));
  }

  function buy(from: number, days: number, reason: 'PURCHASE' | 'RENEWAL', more: object = {}): IosTransaction {
    return transactionOf({
      transactionId: `${1000 + count++}`,
      productId: PRODUCTS[product] ?? '',
      purchaseDate: dayMs(from),
      expiresDate: dayMs(from + days),
      transactionReason: reason,
      ...more,
    });
  }

  function notify(stint: StintPlan, index: number): void {
    autoRenews = true;
    let start = Math.ceil(now) + (index === 0 ? 0 : stint.pause);
    let end = start + (stint.beginsWithTrial ? TRIAL : PERIOD);
    const offer = { offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 };
    count = index === 0 ? 0 : count;
    current = buy(start, end - start, 'PURCHASE', stint.beginsWithTrial ? offer : {});
    let former: IosTransaction | null = null;
    send(start, 'SUBSCRIBED', index === 0 ? 'INITIAL_BUY' : 'RESUBSCRIBE');
    for (const [place, planned] of stint.periods.entries()) {
      const plan = isSoon && place === 0 ? calm(planned) : planned;
      agreed = {};
      if (plan.isPriceRaised) {
        const raised = { renewalPrice: 12_990, currency: 'USD', renewalDate: dayMs(end) };
        send(start, 'PRICE_INCREASE', 'PENDING', current, { ...raised, priceIncreaseStatus: 0 });
        agreed = { ...raised, priceIncreaseStatus: 1 };
        send(start, 'PRICE_INCREASE', 'ACCEPTED');
      }
      for (const day of plan.toggles) {
        autoRenews = !autoRenews;
        send(start + day, 'DID_CHANGE_RENEWAL_STATUS', autoRenews ? 'AUTO_RENEW_ENABLED' : 'AUTO_RENEW_DISABLED');
      }
      if (plan.refundsFormer && former) {
        send(start + 6, 'REFUND', null, { ...former, revocationDate: dayMs(Math.max(start + 6, now)) });
        former = null;
      }
      if (plan.isUpgraded && end > start + TRIAL) {
        start = Math.ceil(Math.max(now, start + TRIAL));
        product = next = 1 - product;
        agreed = {};
        [former, current] = [current, buy(start, PERIOD, 'PURCHASE')];
        end = start + PERIOD;
        send(start, 'DID_CHANGE_RENEWAL_PREF', 'UPGRADE');
      }
      if (plan.extension > 0 && end > now) {
        end += plan.extension;
        current = { ...current, expiresDate: dayMs(end) };
        send(now, 'RENEWAL_EXTENDED', null);
      }
      if (place === stint.periods.length - 1) break;
      former = current;
      start = pass(plan.passage, end);
      product = next;
      failing = null;
      agreed = {};
      current = buy(start, PERIOD, 'RENEWAL');
      const isPlain = plan.passage === 'renewal' || plan.passage === 'downgrade';
      send(now, 'DID_RENEW', isPlain ? null : 'BILLING_RECOVERY');
      end = start + PERIOD;
    }
    if (stint.refund) refund(stint.refund, start);
    else close(stint.ending, end);
    failing = null;
    // A refund leaves room to buy anew while the refunded period would still run.
    isSoon = stint.refund !== null && stint.refund.reversedAfter === null;
    if (!isSoon) now = Math.max(now, end);
  }

  /** Whoever buys anew within a refunded period stays with the product for a while: which of them lasts longer is anybody's guess else. */
  function calm(plan: PeriodPlan): PeriodPlan {
    return { ...plan, isUpgraded: false, passage: plan.passage === 'downgrade' ? 'renewal' : plan.passage };
  }

  /** Adds the messages before a renewal; returns the first day of the next period. */
  function pass(passage: PeriodPlan['passage'], end: number): number {
    if (passage === 'downgrade') {
      next = 1 - product;
      send(now, 'DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE', current, { renewalDate: dayMs(end) });
    }
    now = Math.max(now, end);
    if (passage === 'renewal' || passage === 'downgrade') return end;
    if (passage === 'recovery in retry') {
      fail(end, null);
      now = end + 20;
      return now;
    }
    fail(end, end + GRACE);
    if (passage === 'recovery in grace') {
      now = end + 3;
      return end;
    }
    send(end + GRACE, 'GRACE_PERIOD_EXPIRED', null);
    now = end + 20;
    return now;
  }

  function fail(on: number, graceTo: number | null): void {
    failing = { graceTo };
    send(on, 'DID_FAIL_TO_RENEW', graceTo === null ? null : 'GRACE_PERIOD');
  }

  function close(ending: StintPlan['ending'], end: number): void {
    if (ending === 'open') return;
    if (ending === 'expiry') return send(end, 'EXPIRED', 'VOLUNTARY');
    if (ending === 'no consent') {
      const asked = { renewalPrice: 12_990, currency: 'USD', renewalDate: dayMs(end), priceIncreaseStatus: 0 };
      send(now + 1, 'PRICE_INCREASE', 'PENDING', current, asked);
      return send(end, 'EXPIRED', 'PRICE_INCREASE', current, asked);
    }
    if (ending === 'revocation') {
      const on = now + 1;
      current = { ...current, revocationDate: dayMs(on), revocationType: 'FAMILY_REVOKE' };
      return send(on, 'REVOKE', null);
    }
    if (ending === 'refund in grace') {
      fail(end, end + GRACE);
      current = { ...current, revocationDate: dayMs(Math.max(now, end + 2)) };
      return send(end + 2, 'REFUND', null);
    }
    if (ending === 'expiry after retry') fail(end, null);
    else {
      fail(end, end + GRACE);
      send(end + GRACE, 'GRACE_PERIOD_EXPIRED', null);
    }
    failing = null;
    send(end + 60, 'EXPIRED', 'BILLING_RETRY');
  }

  function refund(plan: NonNullable<StintPlan['refund']>, start: number): void {
    const on = Math.max(start + plan.on, now);
    const whole = current;
    current = { ...current, revocationDate: dayMs(on) };
    send(on, 'REFUND', null);
    current = whole;
    if (plan.reversedAfter !== null) send(now + plan.reversedAfter, 'REFUND_REVERSED', null);
  }
}

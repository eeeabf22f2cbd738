// Random lives of one ios-store subscription chain, as the notifications that the store sends about them, in the order of their signing.
// Days are whole numbers of days since the first purchase; each message is signed a little after what it tells.
import fc from 'fast-check';
import type { IosNotification, IosTransaction } from '../../src/adapters/ios-store/port.js';
import { dayMs, notificationOf, renewalOf, transactionOf } from './ios-samples.js';

const PERIOD = 31;
const TRIAL = 7;
const GRACE = 6;
const SIGNING_DELAY = 1 / 1440;

/** How a period goes over into the next, or does not. */
const passages = ['renewal', 'recovery in grace', 'recovery in retry', 'recovery after grace'] as const;
const endings = ['expiry', 'expiry after retry', 'expiry after grace', 'open'] as const;

type PeriodPlan = {
  /** Days into the period on which the customer turns auto-renewal off and on, in turns. */
  readonly toggles: readonly number[];
  readonly refundsFormer: boolean;
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

export type LifePlan = { readonly stints: readonly StintPlan[] };

export function lifePlans(o: { readonly reversals: boolean }): fc.Arbitrary<LifePlan> {
  const period = fc.record({
    toggles: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
    refundsFormer: fc.boolean(),
    passage: fc.constantFrom(...passages),
  });
  const reversedAfter = o.reversals ? fc.option(fc.integer({ min: 1, max: 40 })) : fc.constant(null);
  const stint = fc.record({
    beginsWithTrial: fc.boolean(),
    periods: fc.array(period, { minLength: 1, maxLength: 4 }),
    ending: fc.constantFrom(...endings),
    refund: fc.option(fc.record({ on: fc.integer({ min: 1, max: 6 }), reversedAfter })),
    pause: fc.integer({ min: 1, max: 60 }),
  });
  return fc.record({ stints: fc.array(stint, { minLength: 1, maxLength: 3 }) });
}

/** The store's side of one chain: what it would sign, one message after another. */
export function notificationsOf({ stints }: LifePlan): readonly IosNotification[] {
  const sent: IosNotification[] = [];
  let count = 0;
  let now = 0;
  let autoRenews = true;

  const send = (on: number, type: string, subtype: string | null, transaction: IosTransaction, graceTo?: number) => {
    now = Math.max(on, now) + SIGNING_DELAY;
    const grace = graceTo === undefined ? {} : { gracePeriodExpiresDate: dayMs(graceTo) };
    const renewal = renewalOf({ autoRenewStatus: autoRenews ? 1 : 0, ...grace });
    sent.push(notificationOf(type, subtype, now, { transaction, renewal }));
  };
  const buy = (from: number, reason: 'PURCHASE' | 'RENEWAL', isTrial = false): IosTransaction => {
    const offer = isTrial ? { offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 } : {};
    return transactionOf({
      transactionId: `${1000 + count++}`,
      purchaseDate: dayMs(from),
      expiresDate: dayMs(from + (isTrial ? TRIAL : PERIOD)),
      transactionReason: reason,
      ...offer,
    });
  };

  for (const [index, stint] of stints.entries()) {
    autoRenews = true;
    let start = Math.ceil(now) + (index === 0 ? 0 : stint.pause);
    let current = buy(start, 'PURCHASE', stint.beginsWithTrial);
    let former: IosTransaction | null = null;
    let end = start + (stint.beginsWithTrial ? TRIAL : PERIOD);
    send(start, 'SUBSCRIBED', index === 0 ? 'INITIAL_BUY' : 'RESUBSCRIBE', current);
    for (const [place, plan] of stint.periods.entries()) {
      for (const day of plan.toggles) {
        autoRenews = !autoRenews;
        const subtype = autoRenews ? 'AUTO_RENEW_ENABLED' : 'AUTO_RENEW_DISABLED';
        send(start + day, 'DID_CHANGE_RENEWAL_STATUS', subtype, current);
      }
      if (plan.refundsFormer && former) {
        send(start + 6, 'REFUND', null, { ...former, revocationDate: dayMs(Math.max(start + 6, now)) });
        former = null;
      }
      if (place === stint.periods.length - 1) break;
      former = current;
      start = pass(plan.passage, end, current);
      current = buy(start, 'RENEWAL');
      send(now, 'DID_RENEW', plan.passage === 'renewal' ? null : 'BILLING_RECOVERY', current);
      end = start + PERIOD;
    }
    if (stint.refund) refund(stint.refund, start, current);
    else close(stint.ending, end, current);
    if (index < stints.length - 1) now = Math.max(now, end);
  }
  return sent;

  /** What comes before a renewal; its answer is the day on which the next period begins. */
  function pass(passage: PeriodPlan['passage'], end: number, current: IosTransaction): number {
    now = Math.max(now, end);
    if (passage === 'renewal') return end;
    if (passage === 'recovery in retry') {
      send(end, 'DID_FAIL_TO_RENEW', null, current);
      now = end + 20;
      return now;
    }
    send(end, 'DID_FAIL_TO_RENEW', 'GRACE_PERIOD', current, end + GRACE);
    if (passage === 'recovery in grace') {
      now = end + 3;
      return end;
    }
    send(end + GRACE, 'GRACE_PERIOD_EXPIRED', null, current);
    now = end + 20;
    return now;
  }

  function close(ending: StintPlan['ending'], end: number, current: IosTransaction): void {
    if (ending === 'open') return;
    if (ending === 'expiry') return send(end, 'EXPIRED', 'VOLUNTARY', current);
    if (ending === 'expiry after retry') send(end, 'DID_FAIL_TO_RENEW', null, current);
    else {
      send(end, 'DID_FAIL_TO_RENEW', 'GRACE_PERIOD', current, end + GRACE);
      send(end + GRACE, 'GRACE_PERIOD_EXPIRED', null, current);
    }
    send(end + 60, 'EXPIRED', 'BILLING_RETRY', current);
  }

  function refund(plan: NonNullable<StintPlan['refund']>, start: number, current: IosTransaction): void {
    const on = Math.max(start + plan.on, now);
    send(on, 'REFUND', null, { ...current, revocationDate: dayMs(on) });
    if (plan.reversedAfter !== null) send(now + plan.reversedAfter, 'REFUND_REVERSED', null, current);
  }
}

// Some customers' histories in the normal form, drawn at random: with everything that the definitions make a difference of.
import type { NormalEvent } from '../domain/charts/normal-form.js';
import type { Chance } from '../projections/support/seeded-random.js';
import { DAY, plusDuration } from './time.js';

const BEGIN = Date.UTC(2025, 0, 1);
const SPAN_DAYS = 240;
const iso = (t: number) => new Date(t).toISOString();

export function randomHistory(random: Chance): NormalEvent[] {
  const events: NormalEvent[] = [];
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const often = (percent: number) => random.below(100) < percent;
  let drawn = 0;
  /** Instants of events that are no payments are all different; payments often fall on borders. */
  const moment = (t: number) => t + 1 + ++drawn;
  const add = (e: Omit<NormalEvent, 'at'>, t: number, canBeLate = true) => {
    const lag = canBeLate && often(25) ? 1 + random.below(40 * DAY) : 0;
    events.push({ ...e, id: `e${++drawn}`, at: iso(t), recordedAt: iso(t + lag + (lag === 0 ? 0 : drawn)) });
  };
  const day = () => BEGIN + random.below(SPAN_DAYS) * DAY;
  const instant = () => day() + (often(40) ? 0 : random.below(DAY));
  const names = ['ann', 'ben', 'cleo'].slice(0, 1 + random.below(3));
  const price = () => (often(8) ? null : pick([0.99, 4.99, 9.99, 10, 59.99]));

  const money = (customerId: string, transactionId: string, t: number) => {
    if (often(15))
      add(
        { type: 'TransactionPriceCorrected', customerId, transactionId, revenueUsd: pick([3, 7.77, 0]) },
        moment(t + random.below(30 * DAY)),
      );
    let at = t;
    for (let n = often(25) ? 1 + random.below(3) : 0; n > 0; n--) {
      at += 1 + random.below(25 * DAY);
      const part = often(30) ? { refundUsd: pick([1, 2.5, 9.99]) } : {};
      const cut = often(40) ? { accessRevoked: often(30) } : {};
      add({ type: 'TransactionRefunded', customerId, transactionId, ...part, ...cut }, moment(at));
      at += 1 + random.below(25 * DAY);
      if (often(50)) add({ type: 'TransactionRefundReversed', customerId, transactionId }, moment(at));
    }
  };

  const subscription = (customerId: string, s: number) => {
    const subscriptionId = `${customerId}.s${s}`;
    const productDuration = pick(['P1M', 'P1M', 'P1M', 'P1W', 'P1Y', 'P3M', 'P3D']);
    const about = {
      ...{
        store: pick(['ios-store', 'android-store']),
        appId: pick(['app_1', 'app_2']),
        productId: pick(['prod_1', 'prod_2', null]),
      },
      ...{
        offeringId: pick(['ofr_1', null]),
        offerType: pick(['introductory', null]),
        country: pick(['US', 'DE', null]),
      },
      ...{ startReason: pick(['first_purchase', 'resubscribe']), environment: often(10) ? 'sandbox' : 'production' },
      ...{ ownership: often(7) ? 'family_shared' : 'purchased', productDuration },
    };
    let t = instant();
    const periods = 1 + random.below(7);
    for (let n = 0; n < periods; n++) {
      const isFirst = n === 0;
      const periodType = isFirst
        ? pick(['trial', 'trial', 'intro', 'normal', 'normal', 'prepaid'] as const)
        : often(90)
          ? 'normal'
          : pick(['intro', 'prepaid', 'trial'] as const);
      const length = periodType === 'trial' ? 'P1W' : productDuration;
      const end = plusDuration(t, 1, length);
      const transactionId = `${subscriptionId}.t${n}`;
      const terms = {
        ...{
          periodType,
          periodDuration: often(10) ? null : length,
          expiresAt: iso(end),
          transactionId,
          subscriptionId,
          customerId,
        },
        ...{
          revenueUsd: periodType === 'trial' ? 0 : price(),
          taxRate: pick([0, 0.1, 0.19]),
          commissionRate: pick([0.3, 0.15]),
        },
      };
      if (isFirst) add({ type: 'SubscriptionStarted', ...about, ...terms }, t, false);
      else add({ type: 'SubscriptionRenewed', ...terms }, t);
      money(customerId, transactionId, t);
      const during = () => moment(t + random.below(end - t + 10 * DAY));
      const ofIt = { customerId, subscriptionId };
      if (often(20)) add({ type: 'SubscriptionAutoRenewDisabled', ...ofIt }, during());
      if (often(12)) add({ type: 'SubscriptionAutoRenewEnabled', ...ofIt }, during());
      if (often(15))
        add(
          { type: 'SubscriptionGracePeriodEntered', ...ofIt, gracePeriodExpiresAt: iso(end + random.below(16) * DAY) },
          often(50) ? end : during(),
        );
      if (often(8))
        add({ type: 'SubscriptionExtended', ...ofIt, expiresAt: iso(end + random.below(20) * DAY) }, during());
      if (often(20)) {
        const type = pick(['SubscriptionExpired', 'SubscriptionExpired', 'SubscriptionPaused', 'SubscriptionRevoked']);
        const why =
          type === 'SubscriptionExpired'
            ? { reason: pick(['unsubscribe', 'customer_support']), by: pick(['store', 'sweeper']) }
            : {};
        add({ type, ...ofIt, ...why }, often(50) ? end : during());
      }
      t = often(70) ? end : often(50) ? end + random.below(30 * DAY) : t + 1 + random.below(end - t);
    }
  };

  for (const customerId of names) {
    const who = { country: pick(['US', 'DE', null]), platform: pick(['ios', 'android', null]) };
    if (often(85)) add({ type: 'CustomerCreated', customerId, ...who }, instant(), often(50));
    for (let n = random.below(6); n > 0; n--) add({ type: 'CustomerSeen', customerId }, instant());
    for (let s = random.below(3); s > 0; s--) subscription(customerId, s);
    if (often(30)) {
      const transactionId = `${customerId}.o`;
      const t = instant();
      const bought = {
        transactionId,
        revenueUsd: price(),
        commissionRate: 0.3,
        store: 'ios-store',
        appId: 'app_1',
        productId: 'prod_3',
      };
      add(
        { type: 'OneTimePurchaseCompleted', customerId, ...bought, environment: often(10) ? 'sandbox' : 'production' },
        t,
        false,
      );
      money(customerId, transactionId, t);
    }
  }
  const [survivor, ...others] = names;
  const merged = others.filter(() => often(20));
  for (const [n, mergedCustomerId] of merged.entries()) {
    const customerId = often(50) ? survivor : (merged[n - 1] ?? survivor);
    add({ type: 'CustomerMerged', customerId: customerId ?? '', mergedCustomerId }, moment(instant()));
  }
  return events;
}

export function shuffled<T>(all: readonly T[], random: Chance): T[] {
  const left = [...all];
  const found: T[] = [];
  while (left.length > 0) found.push(...left.splice(random.below(left.length), 1));
  return found;
}

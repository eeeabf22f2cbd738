// Generates the events of one subscription in the store, from the first purchase on, as long as the caller takes more. Pure: random numbers
// and IDs are arguments. The probabilities are fictional, but of a realistic size.
import type { StoreTransaction, StoreEvent } from './lifecycle-events.js';
import { addDuration, offers, type OfferName } from './offers.js';
import type { Random } from './random.js';

export type SubscriptionStart = {
  readonly offer: OfferName;
  readonly periodType: StoreTransaction['periodType'];
  readonly at: number;
  newTransactionId(): string;
};

/** A period, and the time when the store reported it: later events of the period come after that. */
type ReportedPeriod = { readonly bought: StoreTransaction; readonly reportedAt: number };
type EventGenerator = Generator<StoreEvent, ReportedPeriod | null>;
type PeriodOutcome = 'renews' | 'turnedOff' | 'fails' | 'refunded';

const DAY_MS = 86_400_000;
/** Time after which the store stops to retry a charge (its page on billing retry). */
const RETRY_MS = 60 * DAY_MS;

/** Yields events in the order of their times. Ends with the customer's last subscription; one without an end renews forever. */
export function* subscriptionLifecycle(random: Random, o: SubscriptionStart): Generator<StoreEvent> {
  const { offer, periodType, at, newTransactionId: draw } = o;
  const transactionId = draw();
  const chain = { chainId: transactionId, chainStartedAt: at, offer };
  const first = createPeriod({ ...chain, transactionId, periodType, purchasedAt: at, isRenewal: false });
  yield createEvent('started', at, first);
  let known: ReportedPeriod | null = { bought: first, reportedAt: at };
  while (known) known = yield* generatePeriod(random, known, draw);
}

/** Yields the events of a period and of its end; returns the next period, or null. */
function* generatePeriod(random: Random, known: ReportedPeriod, draw: () => string): EventGenerator {
  switch (random.pick(weighOutcomes(known.bought))) {
    case 'renews':
      return yield* renew(random, known.bought, draw);
    case 'turnedOff':
      return yield* turnOffRenewal(random, known, draw);
    case 'fails':
      return yield* failBilling(random, known.bought, draw);
    case 'refunded':
      return yield* refund(random, known, draw);
  }
}

function weighOutcomes({ offer, periodType }: StoreTransaction): readonly (readonly [PeriodOutcome, number])[] {
  const of = (turnedOff: number, failing: number, back: number) =>
    [
      ['turnedOff', turnedOff],
      ['fails', failing],
      ['refunded', back],
      ['renews', 100 - turnedOff - failing - back],
    ] as const;
  if (periodType === 'trial') return of(38, 6, 0);
  if (offer === 'weekly') return of(9, 4, 1);
  return offer === 'yearly' ? of(35, 6, 6) : of(10, 6, 3);
}

function* renew(random: Random, bought: StoreTransaction, draw: () => string): EventGenerator {
  const next = createRenewal(bought, endOf(bought), draw());
  return yield* charge('renewed', endOf(bought) + drawDelay(random), next);
}

function* turnOffRenewal(random: Random, known: ReportedPeriod, draw: () => string): EventGenerator {
  const { bought } = known;
  yield createEvent('renewalOff', drawInstant(random, known, 0.1, 0.6), bought, { willRenew: false });
  if (random.chance(0.25)) {
    yield createEvent('renewalOn', drawInstant(random, known, 0.65, 0.9), bought);
    return yield* renew(random, bought, draw);
  }
  const endedAt = endOf(bought) + drawDelay(random);
  yield createEvent('expiredByChoice', endedAt, bought, { willRenew: false });
  return yield* resubscribe(random, bought, endedAt, draw);
}

function* failBilling(random: Random, bought: StoreTransaction, draw: () => string): EventGenerator {
  const failedAt = endOf(bought);
  const grace = random.chance(0.65) ? offers[bought.offer].gracePeriodDuration : null;
  const graceEndsAt = grace === null ? null : addDuration(failedAt, grace);
  yield createEvent('billingFailed', failedAt, bought, { graceEndsAt });
  if (graceEndsAt !== null) {
    if (random.chance(0.55)) {
      // A charge within the grace period does not move the billing date.
      const next = createRenewal(bought, failedAt, draw());
      return yield* charge('recovered', floorToSecond(random.between(failedAt + DAY_MS, graceEndsAt - DAY_MS)), next);
    }
    yield createEvent('graceEnded', graceEndsAt, bought);
  }
  const withoutAccessFrom = graceEndsAt ?? failedAt;
  if (random.chance(0.4)) {
    const paidAt = floorToSecond(withoutAccessFrom + random.between(2, 40) * DAY_MS);
    const next = createRenewal(bought, paidAt, draw());
    return yield* charge('recovered', paidAt + drawDelay(random), next);
  }
  const endedAt = failedAt + RETRY_MS;
  yield createEvent('expiredUnpaid', endedAt, bought, { willRenew: false });
  return yield* resubscribe(random, bought, endedAt, draw);
}

function* refund(random: Random, known: ReportedPeriod, draw: () => string): EventGenerator {
  const { bought } = known;
  const refundedAt = drawInstant(random, known, 0.05, 0.6);
  yield createEvent('refunded', refundedAt, bought, { willRenew: false });
  if (random.chance(0.4)) {
    yield createEvent('refundReversed', drawInstant(random, known, 0.65, 0.95), bought);
    return yield* renew(random, bought, draw);
  }
  return yield* resubscribe(random, bought, refundedAt, draw);
}

/** Some customers buy again later: in the same chain, not as a renewal, without an introductory offer. */
function* resubscribe(random: Random, bought: StoreTransaction, goneAt: number, draw: () => string): EventGenerator {
  if (!random.chance(0.35)) return null;
  const purchasedAt = floorToSecond(goneAt + random.between(3, 80) * DAY_MS);
  const again = { ...bought, transactionId: draw(), periodType: 'normal' as const, purchasedAt, isRenewal: false };
  const next = createPeriod(again);
  return yield* charge('resubscribed', purchasedAt, next);
}

function* charge(kind: StoreEvent['kind'], at: number, bought: StoreTransaction): EventGenerator {
  yield createEvent(kind, at, bought);
  return { bought, reportedAt: at };
}

function createRenewal(bought: StoreTransaction, purchasedAt: number, transactionId: string): StoreTransaction {
  return createPeriod({ ...bought, transactionId, periodType: 'normal', purchasedAt, isRenewal: true });
}

function createPeriod(o: Omit<StoreTransaction, 'expiresAt' | 'priceMilli'>): StoreTransaction {
  const { duration, trialDuration, priceMilli, introPriceMilli } = offers[o.offer];
  const lasts = (o.periodType === 'trial' ? trialDuration : null) ?? duration ?? 'P1M';
  const prices = { trial: 0, intro: introPriceMilli ?? priceMilli, normal: priceMilli, once: priceMilli };
  return { ...o, expiresAt: addDuration(o.purchasedAt, lasts), priceMilli: prices[o.periodType] };
}

function createEvent(
  kind: StoreEvent['kind'],
  at: number,
  bought: StoreTransaction,
  state: Partial<Pick<StoreEvent, 'willRenew' | 'graceEndsAt'>> = {},
): StoreEvent {
  return { kind, at, bought, willRenew: true, graceEndsAt: null, ...state };
}

function endOf(bought: StoreTransaction): number {
  return bought.expiresAt ?? bought.purchasedAt;
}

/** Returns an instant between two shares of the period's remaining time after its report. */
function drawInstant(
  random: Random,
  { bought, reportedAt: knownAt }: ReportedPeriod,
  from: number,
  to: number,
): number {
  const begin = Math.max(bought.purchasedAt, knownAt);
  return floorToSecond(begin + random.between(from, to) * (endOf(bought) - begin));
}

/** Returns the delay of the store's notification after the change, in ms. */
function drawDelay(random: Random): number {
  return random.whole(2, 240) * 1000;
}

function floorToSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

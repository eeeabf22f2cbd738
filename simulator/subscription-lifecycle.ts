// Generates the events of one subscription in the store, from the first purchase on, as long as the caller takes more. Pure: random numbers
// and IDs are arguments. The probabilities are fictional, but of a realistic size.
import type { Bought, StoreHappening } from './happenings.js';
import { after, offers, type OfferName } from './offers.js';
import type { Random } from './random.js';

export type Beginning = {
  readonly offer: OfferName;
  readonly periodType: Bought['periodType'];
  readonly at: number;
  newTransactionId(): string;
};

/** A period, and the time when the store reported it: later events of the period come after that. */
type Known = { readonly bought: Bought; readonly knownAt: number };
type Course = Generator<StoreHappening, Known | null>;
type Fate = 'renews' | 'turnedOff' | 'fails' | 'refunded';

const DAY_MS = 86_400_000;
/** Time after which the store stops to retry a charge (its page on billing retry). */
const RETRY_MS = 60 * DAY_MS;

/** Yields events in the order of their times. Ends with the customer's last subscription; one without an end renews forever. */
export function* subscriptionLifecycle(random: Random, o: Beginning): Generator<StoreHappening> {
  const { offer, periodType, at, newTransactionId: draw } = o;
  const transactionId = draw();
  const chain = { chainId: transactionId, chainStartedAt: at, offer };
  const first = period({ ...chain, transactionId, periodType, purchasedAt: at, isRenewal: false });
  yield happening('started', at, first);
  let known: Known | null = { bought: first, knownAt: at };
  while (known) known = yield* onePeriod(random, known, draw);
}

/** Yields the events of a period and of its end; returns the next period, or null. */
function* onePeriod(random: Random, known: Known, draw: () => string): Course {
  switch (random.pick(fates(known.bought))) {
    case 'renews':
      return yield* renews(random, known.bought, draw);
    case 'turnedOff':
      return yield* turnedOff(random, known, draw);
    case 'fails':
      return yield* fails(random, known.bought, draw);
    case 'refunded':
      return yield* refunded(random, known, draw);
  }
}

function fates({ offer, periodType }: Bought): readonly (readonly [Fate, number])[] {
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

function* renews(random: Random, bought: Bought, draw: () => string): Course {
  const next = following(bought, end(bought), draw());
  return yield* charged('renewed', end(bought) + lag(random), next);
}

function* turnedOff(random: Random, known: Known, draw: () => string): Course {
  const { bought } = known;
  yield happening('renewalOff', within(random, known, 0.1, 0.6), bought, { willRenew: false });
  if (random.chance(0.25)) {
    yield happening('renewalOn', within(random, known, 0.65, 0.9), bought);
    return yield* renews(random, bought, draw);
  }
  const endedAt = end(bought) + lag(random);
  yield happening('expiredByChoice', endedAt, bought, { willRenew: false });
  return yield* comesBack(random, bought, endedAt, draw);
}

function* fails(random: Random, bought: Bought, draw: () => string): Course {
  const failedAt = end(bought);
  const grace = random.chance(0.65) ? offers[bought.offer].gracePeriodDuration : null;
  const graceEndsAt = grace === null ? null : after(failedAt, grace);
  yield happening('billingFailed', failedAt, bought, { graceEndsAt });
  if (graceEndsAt !== null) {
    if (random.chance(0.55)) {
      // A charge within the grace period does not move the billing date.
      const next = following(bought, failedAt, draw());
      return yield* charged('recovered', seconds(random.between(failedAt + DAY_MS, graceEndsAt - DAY_MS)), next);
    }
    yield happening('graceEnded', graceEndsAt, bought);
  }
  const withoutAccessFrom = graceEndsAt ?? failedAt;
  if (random.chance(0.4)) {
    const paidAt = seconds(withoutAccessFrom + random.between(2, 40) * DAY_MS);
    const next = following(bought, paidAt, draw());
    return yield* charged('recovered', paidAt + lag(random), next);
  }
  const endedAt = failedAt + RETRY_MS;
  yield happening('expiredUnpaid', endedAt, bought, { willRenew: false });
  return yield* comesBack(random, bought, endedAt, draw);
}

function* refunded(random: Random, known: Known, draw: () => string): Course {
  const { bought } = known;
  const refundedAt = within(random, known, 0.05, 0.6);
  yield happening('refunded', refundedAt, bought, { willRenew: false });
  if (random.chance(0.4)) {
    yield happening('refundReversed', within(random, known, 0.65, 0.95), bought);
    return yield* renews(random, bought, draw);
  }
  return yield* comesBack(random, bought, refundedAt, draw);
}

/** Some customers buy again later: in the same chain, not as a renewal, without an introductory offer. */
function* comesBack(random: Random, bought: Bought, goneAt: number, draw: () => string): Course {
  if (!random.chance(0.35)) return null;
  const purchasedAt = seconds(goneAt + random.between(3, 80) * DAY_MS);
  const again = { ...bought, transactionId: draw(), periodType: 'normal' as const, purchasedAt, isRenewal: false };
  const next = period(again);
  return yield* charged('resubscribed', purchasedAt, next);
}

function* charged(kind: StoreHappening['kind'], at: number, bought: Bought): Course {
  yield happening(kind, at, bought);
  return { bought, knownAt: at };
}

function following(bought: Bought, purchasedAt: number, transactionId: string): Bought {
  return period({ ...bought, transactionId, periodType: 'normal', purchasedAt, isRenewal: true });
}

function period(o: Omit<Bought, 'expiresAt' | 'priceMilli'>): Bought {
  const { duration, trialDuration, priceMilli, introPriceMilli } = offers[o.offer];
  const lasts = (o.periodType === 'trial' ? trialDuration : null) ?? duration ?? 'P1M';
  const prices = { trial: 0, intro: introPriceMilli ?? priceMilli, normal: priceMilli, once: priceMilli };
  return { ...o, expiresAt: after(o.purchasedAt, lasts), priceMilli: prices[o.periodType] };
}

function happening(
  kind: StoreHappening['kind'],
  at: number,
  bought: Bought,
  state: Partial<Pick<StoreHappening, 'willRenew' | 'graceEndsAt'>> = {},
): StoreHappening {
  return { kind, at, bought, willRenew: true, graceEndsAt: null, ...state };
}

function end(bought: Bought): number {
  return bought.expiresAt ?? bought.purchasedAt;
}

/** Returns an instant between two shares of the period's remaining time after its report. */
function within(random: Random, { bought, knownAt }: Known, from: number, to: number): number {
  const begin = Math.max(bought.purchasedAt, knownAt);
  return seconds(begin + random.between(from, to) * (end(bought) - begin));
}

/** Returns the delay of the store's notification after the change, in ms. */
function lag(random: Random): number {
  return random.whole(2, 240) * 1000;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

// Generates customer lifecycles between two instants, as a pure function of the seed. Each lifecycle has its own random numbers, so that a
// higher count changes none of the others.
import type { AppEvent, StoreTransaction, LifecycleEvent, Lifecycle, StoreEvent } from './lifecycle-events.js';
import { DOLLAR_STOREFRONTS, type Storefronts } from './markets.js';
import { offers, type OfferName } from './offers.js';
import { createRandom, type Random } from './random.js';
import { subscriptionLifecycle } from './subscription-lifecycle.js';

/** Range of all event times, in milliseconds since the epoch. */
export type TimeRange = { readonly from: number; readonly until: number };

type LifecycleContext = { readonly random: Random; readonly span: TimeRange; newTransactionId(): string };

/** `firstIndex` continues the numbers of earlier lifecycles, so that customers and transactions of both are distinct. */
export function createLifecycles(
  seed: string,
  count: number,
  span: TimeRange,
  { firstIndex = 0, storefronts = DOLLAR_STOREFRONTS } = {},
): readonly Lifecycle[] {
  return Array.from({ length: count }, (_, n) => createLifecycle(seed, firstIndex + n, span, storefronts));
}

/** Returns the lifecycle of an identified customer with the most kinds of events, then the most events; null if there is none. */
export function findMostVariedLifecycle(lifecycles: readonly Lifecycle[]): Lifecycle | null {
  const richness = (lifecycle: Lifecycle) =>
    new Set(lifecycle.events.map((h) => h.kind)).size * 1000 + lifecycle.events.length;
  const identified = lifecycles.filter((lifecycle) => lifecycle.appUserId !== null);
  return identified.reduce<Lifecycle | null>(
    (best, lifecycle) => (best && richness(best) >= richness(lifecycle) ? best : lifecycle),
    null,
  );
}

function createLifecycle(seed: string, index: number, span: TimeRange, storefronts: Storefronts): Lifecycle {
  const random = createRandom(`${seed}|${index}`);
  let transactions = 0;
  const newTransactionId = () => `20${String(index).padStart(7, '0')}${String(++transactions).padStart(5, '0')}`;
  const draw = { random, span, newTransactionId };
  const startAt = floorToSecond(random.between(span.from, span.until));
  const kind = random.pick([
    ['subscriber', 88],
    ['visitor', 8],
    ['owner', 4],
  ] as const);
  const paid =
    kind === 'subscriber'
      ? createSubscriptionEvents(draw, startAt)
      : kind === 'owner'
        ? [createOneTimePurchase(draw, 'lifetime', startAt)]
        : [];
  const identification =
    kind === 'subscriber' ? drawIdentification(random, paid) : { at: startAt, receipt: createReceipt(paid[0], false) };
  const appEvents = identification
    ? [...listOf(identification.receipt), ...createAppEvents(draw, kind, identification.at)]
    : [];
  // The receipt of a purchase comes before the store's notification, since the device has it first.
  const late = appEvents.filter((h) => h.kind === 'receipt' && h.isLate);
  const all: LifecycleEvent[] = [...appEvents.filter((h) => !late.includes(h)), ...paid, ...late];
  return {
    index,
    appUserId: identification ? `user-${String(index + 1).padStart(5, '0')}` : null,
    storefront: random.pick(storefronts),
    events: all.filter((h) => h.at <= span.until).sort((a, b) => a.at - b.at),
  };
}

function createSubscriptionEvents(
  { random, span, newTransactionId }: LifecycleContext,
  at: number,
): readonly StoreEvent[] {
  const offer = random.pick<OfferName>([
    ['weekly', 20],
    ['monthly', 58],
    ['yearly', 22],
  ]);
  const isTrial = offers[offer].trialDuration !== null && random.chance(0.55);
  const isIntro = offers[offer].introPriceMilli !== null && random.chance(0.2);
  const periodType = isTrial ? 'trial' : isIntro ? 'intro' : 'normal';
  const happenings: StoreEvent[] = [];
  for (const happening of subscriptionLifecycle(random, { offer, periodType, at, newTransactionId })) {
    if (happening.at > span.until) break;
    happenings.push(happening);
  }
  return happenings;
}

type Identification = { readonly at: number; readonly receipt: AppEvent | null };

/** Draws when a customer is identified: with the first purchase, with a later one, or never. */
function drawIdentification(random: Random, paid: readonly StoreEvent[]): Identification | null {
  const [first, ...rest] = paid;
  const when = random.pick([
    ['first', 64],
    ['later', 18],
    ['never', 18],
  ] as const);
  if (!first || when === 'never') return null;
  const charged = rest.filter((h) => h.kind === 'renewed' || h.kind === 'recovered' || h.kind === 'resubscribed');
  const isLate = when === 'later';
  const at = isLate ? (charged[random.whole(0, charged.length - 1)] ?? first) : first;
  return { at: at.at, receipt: createReceipt(at, isLate) };
}

/** Generates the events of a customer after the identification. */
function createAppEvents(
  draw: LifecycleContext,
  kind: 'subscriber' | 'visitor' | 'owner',
  from: number,
): readonly LifecycleEvent[] {
  const { random, span } = draw;
  const later = () => floorToSecond(random.between(from, span.until));
  const coins = random.chance(0.25)
    ? Array.from({ length: random.whole(1, 6) }, () => createOneTimePurchase(draw, 'coins', later()))
    : [];
  const lifetime =
    kind === 'subscriber' && random.chance(0.03) ? [createOneTimePurchase(draw, 'lifetime', later())] : [];
  const bought = [...coins, ...lifetime].flatMap((happening) => [
    ...listOf(createReceipt(happening, false)),
    happening,
  ]);
  const described = kind === 'visitor' || random.chance(0.6) ? [createAttributes(random, later())] : [];
  const granted = random.chance(kind === 'visitor' ? 0.5 : 0.05) ? [createGrant(random, later())] : [];
  return [...described, ...bought, ...granted];
}

function createOneTimePurchase(
  { newTransactionId }: LifecycleContext,
  offer: 'lifetime' | 'coins',
  at: number,
): StoreEvent {
  const transactionId = newTransactionId();
  const bought = {
    transactionId,
    chainId: transactionId,
    chainStartedAt: at,
    offer,
    periodType: 'once' as const,
    purchasedAt: at,
    expiresAt: null,
    priceMilli: offers[offer].priceMilli,
    isRenewal: false,
  };
  return { kind: 'boughtOnce', at, bought, willRenew: false, graceEndsAt: null };
}

function createReceipt(
  happening: { readonly at: number; readonly bought: StoreTransaction } | undefined,
  isLate: boolean,
) {
  return happening ? { kind: 'receipt' as const, at: happening.at, bought: happening.bought, isLate } : null;
}

function listOf(receipt: AppEvent | null): readonly AppEvent[] {
  return receipt === null ? [] : [receipt];
}

const NAMES = ['Alex', 'Bente', 'Chidi', 'Dara', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivo', 'Jun', 'Kofi', 'Lena'];

function createAttributes(random: Random, at: number): AppEvent {
  const name = NAMES[random.whole(0, NAMES.length - 1)] ?? 'Mo';
  const $email = `${name.toLowerCase()}.${random.whole(1000, 9999)}@example.com`;
  const favourite = random.pick([
    ['moon', 3],
    ['saturn', 2],
    ['andromeda', 1],
  ]);
  return { kind: 'described', at, attributes: { $email, $displayName: name, favourite } };
}

function createGrant(random: Random, at: number): AppEvent {
  const duration = random.pick<'weekly' | 'monthly' | 'lifetime'>([
    ['weekly', 5],
    ['monthly', 4],
    ['lifetime', 1],
  ]);
  return { kind: 'granted', at, duration };
}

function floorToSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

// Generates customer lifecycles between two instants, as a pure function of the seed. Each lifecycle has its own random numbers, so that a
// higher count changes none of the others.
import type { AppHappening, Bought, Happening, Lifecycle, StoreHappening } from './happenings.js';
import { offers, type OfferName } from './offers.js';
import { createRandom, type Random } from './random.js';
import { subscriptionLifecycle } from './subscription-lifecycle.js';

/** Range of all event times, in milliseconds since the epoch. */
export type Span = { readonly from: number; readonly until: number };

type Draw = { readonly random: Random; readonly span: Span; newTransactionId(): string };

export function createLifecycles(seed: string, count: number, span: Span): readonly Lifecycle[] {
  return Array.from({ length: count }, (_, index) => createLifecycle(seed, index, span));
}

/** Returns the lifecycle of an identified customer with the most kinds of events, then the most events; null if there is none. */
export function richestLifecycle(lifecycles: readonly Lifecycle[]): Lifecycle | null {
  const richness = (lifecycle: Lifecycle) =>
    new Set(lifecycle.happenings.map((h) => h.kind)).size * 1000 + lifecycle.happenings.length;
  const named = lifecycles.filter((lifecycle) => lifecycle.appUserId !== null);
  return named.reduce<Lifecycle | null>(
    (best, lifecycle) => (best && richness(best) >= richness(lifecycle) ? best : lifecycle),
    null,
  );
}

function createLifecycle(seed: string, index: number, span: Span): Lifecycle {
  const random = createRandom(`${seed}|${index}`);
  let transactions = 0;
  const newTransactionId = () => `20${String(index).padStart(7, '0')}${String(++transactions).padStart(5, '0')}`;
  const draw = { random, span, newTransactionId };
  const startAt = seconds(random.between(span.from, span.until));
  const kind = random.pick([
    ['subscriber', 88],
    ['visitor', 8],
    ['owner', 4],
  ] as const);
  const paid =
    kind === 'subscriber' ? subscribes(draw, startAt) : kind === 'owner' ? [once(draw, 'lifetime', startAt)] : [];
  const naming = kind === 'subscriber' ? namingOf(random, paid) : { at: startAt, receipt: receiptOf(paid[0], false) };
  const named = naming ? [...receipts(naming.receipt), ...withName(draw, kind, naming.at)] : [];
  // The receipt of a purchase comes before the store's notification, since the device has it first.
  const late = named.filter((h) => h.kind === 'receipt' && h.isLate);
  const all: Happening[] = [...named.filter((h) => !late.includes(h)), ...paid, ...late];
  return {
    index,
    appUserId: naming ? `user-${String(index + 1).padStart(5, '0')}` : null,
    storefront: random.pick(STOREFRONTS),
    happenings: all.filter((h) => h.at <= span.until).sort((a, b) => a.at - b.at),
  };
}

/** Storefronts that charge US dollars, so that amounts need no exchange rates. */
const STOREFRONTS = [
  ['USA', 80],
  ['ARG', 6],
  ['UKR', 6],
  ['ECU', 4],
  ['PAN', 4],
] as const;

function subscribes({ random, span, newTransactionId }: Draw, at: number): readonly StoreHappening[] {
  const offer = random.pick<OfferName>([
    ['weekly', 20],
    ['monthly', 58],
    ['yearly', 22],
  ]);
  const isTrial = offers[offer].trialDuration !== null && random.chance(0.55);
  const isIntro = offers[offer].introPriceMilli !== null && random.chance(0.2);
  const periodType = isTrial ? 'trial' : isIntro ? 'intro' : 'normal';
  const happenings: StoreHappening[] = [];
  for (const happening of subscriptionLifecycle(random, { offer, periodType, at, newTransactionId })) {
    if (happening.at > span.until) break;
    happenings.push(happening);
  }
  return happenings;
}

type Naming = { readonly at: number; readonly receipt: AppHappening | null };

/** Draws when a customer is identified: with the first purchase, with a later one, or never. */
function namingOf(random: Random, paid: readonly StoreHappening[]): Naming | null {
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
  return { at: at.at, receipt: receiptOf(at, isLate) };
}

/** Generates the events of a customer after the identification. */
function withName(draw: Draw, kind: 'subscriber' | 'visitor' | 'owner', from: number): readonly Happening[] {
  const { random, span } = draw;
  const later = () => seconds(random.between(from, span.until));
  const coins = random.chance(0.25)
    ? Array.from({ length: random.whole(1, 6) }, () => once(draw, 'coins', later()))
    : [];
  const lifetime = kind === 'subscriber' && random.chance(0.03) ? [once(draw, 'lifetime', later())] : [];
  const bought = [...coins, ...lifetime].flatMap((happening) => [...receipts(receiptOf(happening, false)), happening]);
  const described = kind === 'visitor' || random.chance(0.6) ? [describe(random, later())] : [];
  const granted = random.chance(kind === 'visitor' ? 0.5 : 0.05) ? [grant(random, later())] : [];
  return [...described, ...bought, ...granted];
}

function once({ newTransactionId }: Draw, offer: 'lifetime' | 'coins', at: number): StoreHappening {
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

function receiptOf(happening: { readonly at: number; readonly bought: Bought } | undefined, isLate: boolean) {
  return happening ? { kind: 'receipt' as const, at: happening.at, bought: happening.bought, isLate } : null;
}

function receipts(receipt: AppHappening | null): readonly AppHappening[] {
  return receipt === null ? [] : [receipt];
}

const NAMES = ['Alex', 'Bente', 'Chidi', 'Dara', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivo', 'Jun', 'Kofi', 'Lena'];

function describe(random: Random, at: number): AppHappening {
  const name = NAMES[random.whole(0, NAMES.length - 1)] ?? 'Mo';
  const $email = `${name.toLowerCase()}.${random.whole(1000, 9999)}@example.com`;
  const favourite = random.pick([
    ['moon', 3],
    ['saturn', 2],
    ['andromeda', 1],
  ]);
  return { kind: 'described', at, attributes: { $email, $displayName: name, favourite } };
}

function grant(random: Random, at: number): AppHappening {
  const duration = random.pick<'weekly' | 'monthly' | 'lifetime'>([
    ['weekly', 5],
    ['monthly', 4],
    ['lifetime', 1],
  ]);
  return { kind: 'granted', at, duration };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

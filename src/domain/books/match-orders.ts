// Compares the earnings of the android-store with our transactions, order by order. Pure and deterministic: the entries follow the order of
// the lines, then that of our transactions.
import {
  amountsOf,
  entryKinds,
  grossOf,
  movesOf,
  NOTHING,
  ourShare,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type EntryLabel,
  type OurCharge,
} from './entries.js';
import type { OrderLine } from './lines.js';
import { ourEntry, shareOf, type BookMonth } from './our-entries.js';
import { bundlesOf, labelsOf, paidBy, storeAmounts, type Bundle, type CountedLines } from './order-bundles.js';
import type { Steps } from './steps.js';

export type OrderBooks = BookMonth & {
  readonly reports: readonly CountedLines<OrderLine>[];
  /** Our charges by transaction: those of the month, those with a refund in it, and those that its lines name. */
  readonly ours: ReadonlyMap<string, OurCharge>;
  /** App by package name. */
  readonly apps: ReadonlyMap<string, string>;
  /** Months whose reports have the charge, refund or reversal of an order, by {@link orderKey}. */
  readonly elsewhere: ReadonlyMap<string, string>;
};

export function orderKey(kind: EntryKind, orderId: string): string {
  return `${kind}|${orderId}`;
}

/** Returns an entry for each charge, refund and reversal, of the month's reports and of ours. Lines of the account are in none. */
export function* matchOrders(books: OrderBooks): Steps<readonly BookEntry[]> {
  const entries: BookEntry[] = [];
  const comparedKeys = new Set<string>();
  for (const found of yield* bundlesOf(books.reports, entries)) {
    yield;
    const ours = findCharge(books.ours, found.orderId, found.first.sku);
    for (const bundle of ours ? splitReversals(found, ours, books) : [found]) {
      if (ours) comparedKeys.add(orderKey(bundle.kind, ours.transactionId));
      entries.push(...compareBundle(bundle, ours, books));
    }
  }
  for (const charge of books.ours.values()) {
    yield;
    for (const kind of entryKinds) {
      if (comparedKeys.has(orderKey(kind, charge.transactionId))) continue;
      const orderId = orderOf(charge.transactionId);
      const entry = ourEntry(kind, charge, books, monthElsewhere(kind, charge, orderId, books));
      if (entry) entries.push({ ...entry, orderId });
    }
  }
  return entries;
}

function monthElsewhere(
  kind: EntryKind,
  { day }: OurCharge,
  orderId: string,
  { elsewhere }: OrderBooks,
): string | null {
  const own = elsewhere.get(orderKey(kind, orderId));
  if (own !== undefined || kind !== 'reversal') return own ?? null;
  // A reversal may stand as a new charge, in another month than the first.
  const charged = elsewhere.get(orderKey('charge', orderId));
  return charged === undefined || charged <= day.slice(0, 7) ? null : charged;
}

/** The order of a transaction: one of several items of an order has its name behind a `#`. */
export function orderOf(transactionId: string): string {
  const item = transactionId.indexOf('#');
  return item < 0 ? transactionId : transactionId.slice(0, item);
}

function findCharge(ours: ReadonlyMap<string, OurCharge>, orderId: string, sku: string | null): OurCharge | undefined {
  const whole = ours.get(orderId);
  if (sku === null || (whole && isOfProduct(whole, sku))) return whole;
  return ours.get(`${orderId}#${sku}`) ?? whole;
}

/** A product of ours may be a base plan, `product:plan`; reports name the product. */
export function isOfProduct({ sku }: OurCharge, reported: string): boolean {
  return sku === reported || sku.startsWith(`${reported}:`);
}

function compareBundle(bundle: Bundle, charge: OurCharge | undefined, books: OrderBooks): readonly BookEntry[] {
  const { kind, orderId, first } = bundle;
  const lines = bundle.lines.map(({ line }) => line);
  const appId = charge?.appId ?? books.apps.get(first.packageName ?? '') ?? null;
  const entry = (
    cause: Cause,
    store: Amounts | null,
    ours: Amounts | null,
    more: Partial<BookEntry> = {},
  ): BookEntry => ({
    ...{ cause, kind, appId, currency: first.currency, day: first.day, sku: first.sku, country: first.country },
    ...{
      count: 1,
      ours,
      store,
      paid: store && paidBy(lines),
      transactionIds: charge ? [charge.transactionId] : [],
      orderId,
    },
    ...{ rows: bundle.lines.map(({ row }) => row), otherMonth: null, labels: labelsOf(first), ...more },
  });
  const plain = storeAmounts(kind, lines, 'inside', 0);
  if (lines.some(({ part }) => part === 'other')) return [entry('unexplained', plain, null, { transactionIds: [] })];
  const isFree = lines.every(({ amountMicros }) => amountMicros === 0);
  if (!charge) return [entry(isFree ? 'free' : appId === null ? 'other_app' : 'missing_here', plain, null)];
  const here = ourSide(kind, charge, books);
  if (here === null) {
    if (isFree) return [entry('free', plain, null)];
    const otherMonth = monthOfOurs(kind, charge);
    return [entry(otherMonth === null ? 'missing_here' : 'timing', plain, null, { otherMonth })];
  }
  const earlier = kind !== 'charge' && charge.day < books.period.startDate;
  const labels: readonly EntryLabel[] = [...labelsOf(first), ...(earlier ? ['earlier_charge' as const] : [])];
  // A price in another currency, or none: both sides stand for themselves, with one cause.
  if (here.amounts === null) return [entry('price', plain, NOTHING, { labels })];
  if (charge.currency !== first.currency)
    return [
      entry('price', plain, null, { labels }),
      entry('price', null, here.amounts, { labels, currency: charge.currency ?? first.currency, rows: [] }),
    ];
  const { store, cause, isTaxOurs } = explain(kind, lines, here.amounts, here.isPartial);
  return [entry(cause, store, here.amounts, { labels: isTaxOurs ? [...labels, 'tax_as_ours'] : labels })];
}

type OurSide = { readonly amounts: Amounts | null; readonly isPartial: boolean };

/** Returns our amounts of a charge, its refunds or reversals in the month; null if they are in no or another month. */
function ourSide(kind: EntryKind, charge: OurCharge, { period }: OrderBooks): OurSide | null {
  const moves = movesOf(kind, charge).filter(({ day }) => day >= period.startDate && day <= period.endDate);
  if (moves.length === 0) return null;
  const share = shareOf(moves);
  return { amounts: ourShare(kind, charge, share), isPartial: share < 1 };
}

function monthOfOurs(kind: EntryKind, charge: OurCharge): string | null {
  return movesOf(kind, charge).at(-1)?.day.slice(0, 7) ?? null;
}

/** Finds the reversal that a report states as a new charge, or, where it signs nothing, as a refund. */
function splitReversals(bundle: Bundle, charge: OurCharge, books: OrderBooks): readonly Bundle[] {
  if (bundle.kind === 'reversal' || ourSide('reversal', charge, books) === null) return [bundle];
  if (ourSide(bundle.kind, charge, books) === null) return [{ ...bundle, kind: 'reversal' }];
  if (bundle.kind === 'refund') return [bundle];
  const first: Bundle['lines'] = [];
  const again: Bundle['lines'] = [];
  const parts = new Set<OrderLine['part']>();
  for (const one of bundle.lines.toSorted((a, b) => (a.line.day < b.line.day ? -1 : a.line.day > b.line.day ? 1 : 0))) {
    (parts.has(one.line.part) ? again : first).push(one);
    parts.add(one.line.part);
  }
  const [firstAgain] = again;
  if (!firstAgain) return [bundle];
  return [
    { ...bundle, lines: first },
    { ...bundle, kind: 'reversal', first: firstAgain.line, lines: again },
  ];
}

type Explanation = { readonly store: Amounts; readonly cause: Cause; readonly isTaxOurs: boolean };

/** Explains what a sales report states: the price with its tax. Its fee stands as ours. */
function explainSale(kind: EntryKind, lines: readonly OrderLine[], ours: Amounts, isPartial: boolean): Explanation {
  const stated = storeAmounts(kind, lines, 'inside', 0);
  const [gross, ourGross] = [grossOf(stated), grossOf(ours)];
  const [tax, ourTax] = [Math.abs(stated.tax), Math.abs(ours.tax)];
  const store = amountsOf(kind, gross, tax, Math.abs(ours.fee));
  // Some countries add the tax to the price, so that ours may be without it.
  const isTax = gross === ourGross || gross - tax === ourGross - ourTax;
  if (gross === ourGross && tax === ourTax) return { store, cause: 'matched', isTaxOurs: false };
  if (isTax) return { store, cause: 'tax', isTaxOurs: false };
  return { store, cause: isPartial ? 'partial_refund' : 'price', isTaxOurs: false };
}

/** Finds the first cause that explains the difference, in the order price, tax, commission. */
function explain(kind: EntryKind, lines: readonly OrderLine[], ours: Amounts, isPartial: boolean): Explanation {
  if (lines.some((line) => line.kind === 'sales')) return explainSale(kind, lines, ours, isPartial);
  const gross = grossOf(ours);
  const ourTax = Math.abs(ours.tax);
  const hasTaxLine = lines.some(({ part }) => part === 'tax');
  const inside = storeAmounts(kind, lines, 'inside', 0);
  const beside = storeAmounts(kind, lines, 'beside', 0);
  let [store, isTaxOurs] = [inside, false];
  if (grossOf(inside) !== gross) {
    if (hasTaxLine && grossOf(beside) === gross) store = beside;
    else if (!hasTaxLine && ourTax > 0 && grossOf(inside) + ourTax === gross)
      [store, isTaxOurs] = [storeAmounts(kind, lines, 'beside', ourTax), true];
    else return { store, cause: isPartial ? 'partial_refund' : 'price', isTaxOurs };
  }
  if (store.tax !== ours.tax) return { store, cause: 'tax', isTaxOurs };
  return { store, cause: store.fee === ours.fee ? 'matched' : 'commission', isTaxOurs };
}

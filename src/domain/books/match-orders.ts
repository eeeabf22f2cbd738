// Compares the earnings of the android-store with our transactions, order by order. Pure and deterministic: the entries follow the order of
// the lines, then that of our transactions.
import {
  addAmounts,
  amountsOf,
  NOTHING,
  ourCharge,
  ourRefund,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type EntryLabel,
  type OurCharge,
  type ReportRow,
} from './entries.js';
import type { OrderLine } from './lines.js';
import { ourEntry, type BookMonth } from './our-entries.js';
import type { Steps } from './steps.js';

/** Lines of a report that counts. */
export type CountedLines<L> = {
  readonly reportId: string;
  readonly account: string;
  readonly lines: readonly L[];
};

export type OrderBooks = BookMonth & {
  readonly reports: readonly CountedLines<OrderLine>[];
  /** Our charges by transaction: those of the month, those with a refund in it, and those that its lines name. */
  readonly ours: ReadonlyMap<string, OurCharge>;
  /** App by package name. */
  readonly apps: ReadonlyMap<string, string>;
  /** Months whose reports have the charge or refund of an order, by {@link orderKey}. */
  readonly elsewhere: ReadonlyMap<string, string>;
};

export function orderKey(kind: EntryKind, orderId: string): string {
  return `${kind}|${orderId}`;
}

/** The lines of one charge or refund of an order. */
type Bundle = {
  readonly kind: EntryKind;
  readonly orderId: string;
  readonly first: OrderLine;
  readonly lines: { readonly line: OrderLine; readonly row: ReportRow }[];
};

/** Returns an entry for each charge and refund, of the month's reports and of ours. Lines of the account are in none. */
export function* matchOrders(books: OrderBooks): Steps<readonly BookEntry[]> {
  const entries: BookEntry[] = [];
  const comparedKeys = new Set<string>();
  for (const bundle of yield* bundlesOf(books.reports, entries)) {
    yield;
    const ours = findCharge(books.ours, bundle.orderId, bundle.first.sku);
    if (ours) comparedKeys.add(orderKey(bundle.kind, ours.transactionId));
    entries.push(...compareBundle(bundle, ours, books));
  }
  for (const charge of books.ours.values()) {
    yield;
    for (const kind of ['charge', 'refund'] as const) {
      if (comparedKeys.has(orderKey(kind, charge.transactionId))) continue;
      const orderId = orderOf(charge.transactionId);
      const entry = ourEntry(kind, charge, books, books.elsewhere.get(orderKey(kind, orderId)) ?? null);
      if (entry) entries.push({ ...entry, orderId });
    }
  }
  return entries;
}

/** The order of a transaction: one of several items of an order has its name behind a `#`. */
function orderOf(transactionId: string): string {
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

/**
 * Bundles the lines by order, product and side. Those that another account's report repeats, and those of a product without an order, become
 * entries of their own.
 */
function* bundlesOf(reports: OrderBooks['reports'], others: BookEntry[]): Steps<Iterable<Bundle>> {
  const bundles = new Map<string, Bundle>();
  const accountByLine = new Map<string, string>();
  for (const { reportId, account, lines } of reports) {
    for (const line of lines) {
      yield;
      const { orderId, isRefund, row } = line;
      const kind = isRefund ? 'refund' : 'charge';
      if (orderId === null) {
        if (line.packageName !== null || line.sku !== null)
          others.push(entryWithoutOurs('unexplained', kind, line, { reportId, row }));
        continue;
      }
      const same = [orderId, line.type, line.day, line.sku, line.amountMicros, line.paidMicros].join('|');
      const firstAccount = accountByLine.get(same);
      if (firstAccount === undefined) accountByLine.set(same, account);
      else if (firstAccount !== account) {
        others.push(entryWithoutOurs('double', kind, line, { reportId, row }));
        continue;
      }
      const key = `${orderId}|${line.sku ?? ''}|${kind}|${line.currency}`;
      const bundle = bundles.get(key) ?? { kind, orderId, first: line, lines: [] };
      bundle.lines.push({ line, row: { reportId, row } });
      bundles.set(key, bundle);
    }
  }
  return bundles.values();
}

function entryWithoutOurs(cause: Cause, kind: EntryKind, line: OrderLine, row: ReportRow): BookEntry {
  const fields = { appId: null, currency: line.currency, day: line.day, sku: line.sku, country: line.country };
  const store = storeAmounts(kind, [line], 'inside', 0);
  const rest = { ours: null, transactionIds: [], orderId: line.orderId, rows: [row], otherMonth: null, labels: [] };
  return { cause, kind, ...fields, count: 1, store, ...rest };
}

/** Place of the tax of a charge: in the charged amount, or beside it. */
type TaxPlace = 'inside' | 'beside';

function storeAmounts(kind: EntryKind, lines: readonly OrderLine[], place: TaxPlace, unstatedTax: number): Amounts {
  const sum = (part: OrderLine['part']) =>
    lines.reduce((total, line) => total + (line.part === part ? line.amountMicros : 0), 0);
  const tax = sum('tax') + unstatedTax;
  const charged = sum('charge') + (place === 'beside' ? tax : 0);
  const known = amountsOf(kind, charged, tax, sum('fee'));
  const other = sum('other');
  return other === 0 ? known : addAmounts(known, { ...NOTHING, charged: other, proceeds: other });
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
    ...{ count: 1, ours, store, transactionIds: charge ? [charge.transactionId] : [], orderId },
    ...{ rows: bundle.lines.map(({ row }) => row), otherMonth: null, labels: [], ...more },
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
  const earlier = kind === 'refund' && charge.day < books.period.startDate;
  const labels: EntryLabel[] = earlier ? ['earlier_charge'] : [];
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

/** Returns our amounts of a charge or its refunds in the month; null if they are in no or another month. */
function ourSide(kind: EntryKind, charge: OurCharge, { period }: OrderBooks): OurSide | null {
  const isHere = (day: string) => day >= period.startDate && day <= period.endDate;
  if (kind === 'charge') return isHere(charge.day) ? { amounts: ourCharge(charge), isPartial: false } : null;
  const refunds = charge.refunds.filter(({ day }) => isHere(day));
  if (refunds.length === 0) return null;
  const share = refunds.reduce((sum, refund) => sum + refund.share, 0);
  return { amounts: ourRefund(charge, Math.min(1, share)), isPartial: share < 1 };
}

function monthOfOurs(kind: EntryKind, { day, refunds }: OurCharge): string | null {
  if (kind === 'charge') return day.slice(0, 7);
  return refunds.at(-1)?.day.slice(0, 7) ?? null;
}

/** Finds the first cause that explains the difference, in the order price, tax, commission. */
function explain(
  kind: EntryKind,
  lines: readonly OrderLine[],
  ours: Amounts,
  isPartial: boolean,
): { readonly store: Amounts; readonly cause: Cause; readonly isTaxOurs: boolean } {
  const grossOf = (amounts: Amounts) => (kind === 'charge' ? amounts.charged : amounts.refunded);
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

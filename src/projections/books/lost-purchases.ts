// Recorded purchases of which the store may know more than we do: those that groups of sales may be of that only a report has.
import { scanPages } from '../../adapters/documents/records.js';
import type { MissingGroup, SuspectedGroup, SuspectedPurchase } from '../../domain/books/look-ups.js';
import { addDays, daysBetween, pacificDay } from '../../domain/books/report-values.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { transactions, type TransactionDoc } from '../models/transactions.js';
import type { MonthSources } from './month-sources.js';

/** A group, with what is known of it. */
type Group = Pick<MissingGroup, 'orderId' | 'appId' | 'kind' | 'storeProductId' | 'country' | 'currency' | 'day'>;
/** Days after the end of a period in which the store may still collect its renewal, and before which it collects it. */
const [COLLECTED_WITHIN_DAYS, COLLECTED_BEFORE_DAYS] = [60, 2];
/** Days after a charge in which most refunds are granted. */
const REFUNDED_WITHIN_DAYS = 120;
/** The longest period, with the days after it. */
const MAX_AGE_DAYS = 366 + COLLECTED_WITHIN_DAYS;
const WINDOW_DAYS = 3;
/** Limits of one search: transactions that are read, the newest first, and purchases that are returned. */
const [MAX_SCANNED, MAX_PURCHASES, MAX_OF_GROUP] = [100_000, 100, 25];
const PAGE = 200;
const EPOCH = '1970-01-01';

/** A transaction with its days in Pacific time, as numbers since the epoch. */
type Charge = { readonly doc: TransactionDoc; readonly chargedOn: number; readonly endsOn: number | null };

/**
 * Returns the groups in order, as many as the limits permit, with purchases of their product and country: for charges, subscriptions whose
 * last known period ended near the day; for refunds, charges before it that were not refunded. The nearest to the day come first.
 * `now`: UTC ms.
 */
export async function findLostPurchases(
  { readModels, slice }: Pick<MonthSources, 'readModels' | 'slice'>,
  projectId: string,
  groups: readonly Group[],
  now: number,
): Promise<readonly SuspectedGroup[]> {
  const [first, last] = [groups.map(({ day }) => day).sort()[0], pacificDay(now)];
  if (first === undefined) return [];
  const products = new Set(groups.map(({ appId, storeProductId }) => `${appId}|${storeProductId}`));
  const charges: Charge[] = [];
  const latest = new Map<string, TransactionDoc>();
  const earliest = addDays(first, -MAX_AGE_DAYS);
  let scanned = 0;
  for (let to = addDays(last, 2); to > earliest && scanned < MAX_SCANNED; to = addDays(to, -WINDOW_DAYS)) {
    const range = { from: isoFromMs(Date.parse(addDays(to, -WINDOW_DAYS))), to: isoFromMs(Date.parse(to)) };
    for (const kind of ['purchase', 'renewal']) {
      const scan = { index: 'money', eq: [projectId, 'production', kind], ...range, limit: PAGE };
      for await (const rows of scanPages(scan, (page) => readModels.scan(transactions, page))) {
        for (const { doc } of rows) {
          const before = latest.get(doc.originalTransactionId);
          if (!before || before.purchasedAt < doc.purchasedAt) latest.set(doc.originalTransactionId, doc);
          if (products.has(`${doc.appId}|${doc.storeProductId}`)) charges.push(chargeOf(doc));
        }
        scanned += rows.length;
        await slice();
        if (scanned >= MAX_SCANNED) break;
      }
    }
  }
  const purchaseIds = new Set<string>();
  const found: SuspectedGroup[] = [];
  for (const group of groups) {
    if (purchaseIds.size >= MAX_PURCHASES) break;
    await slice();
    const purchases: SuspectedPurchase[] = [];
    for (const doc of mayBeMeant(group, charges, latest).slice(0, MAX_OF_GROUP)) {
      const { transactionId, originalTransactionId, subscriptionId } = doc;
      const isSubscription = subscriptionId !== null;
      const key = isSubscription ? originalTransactionId : transactionId;
      purchases.push({ transactionId, originalTransactionId, isSubscription });
      purchaseIds.add(key);
    }
    found.push({ orderId: group.orderId, purchases });
  }
  return found;
}

function chargeOf(doc: TransactionDoc): Charge {
  const { subscriptionId, purchasedAt, expiresAt } = doc;
  const endsOn = subscriptionId === null || expiresAt === null ? null : dayNumber(expiresAt);
  return { doc, chargedOn: dayNumber(purchasedAt), endsOn };
}

function dayNumber(instant: string): number {
  return daysBetween(EPOCH, pacificDay(msFromIso(instant)));
}

function mayBeMeant(
  { appId, kind, storeProductId, country, currency, day }: Group,
  charges: readonly Charge[],
  latest: ReadonlyMap<string, TransactionDoc>,
): readonly TransactionDoc[] {
  const ranked: { readonly doc: TransactionDoc; readonly distance: number }[] = [];
  const on = daysBetween(EPOCH, day);
  for (const charge of charges) {
    const { doc } = charge;
    if (doc.appId !== appId || doc.storeProductId !== storeProductId) continue;
    if (doc.country !== null && doc.country !== country) continue;
    if (doc.money.currency !== null && doc.money.currency !== currency) continue;
    const isLatest = latest.get(doc.originalTransactionId) === doc;
    const distance = kind === 'charge' ? (isLatest ? daysFromEnd(charge, on) : null) : daysAfterCharge(charge, on);
    if (distance !== null) ranked.push({ doc, distance });
  }
  return ranked
    .sort((a, b) => a.distance - b.distance || (a.doc.transactionId < b.doc.transactionId ? -1 : 1))
    .map(({ doc }) => doc);
}

/** Returns how far the day is from the end of a period; null if its renewal cannot be on the day. */
function daysFromEnd({ endsOn }: Charge, on: number): number | null {
  if (endsOn === null) return null;
  const isNear = on >= endsOn - COLLECTED_BEFORE_DAYS && on <= endsOn + COLLECTED_WITHIN_DAYS;
  return isNear ? Math.abs(on - endsOn) : null;
}

/** Returns how long before the day a charge was; null if its refund cannot be on the day. */
function daysAfterCharge({ doc, chargedOn }: Charge, on: number): number | null {
  const isBefore = chargedOn <= on && on <= chargedOn + REFUNDED_WITHIN_DAYS;
  return doc.refundedAt === null && isBefore ? on - chargedOn : null;
}

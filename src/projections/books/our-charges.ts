// Our charges and refunds as the books compare them: transactions of production, by Pacific day.
import { scanPages } from '../../adapters/documents/records.js';
import type { OurCharge, OurRefund } from '../../domain/books/entries.js';
import { addDays, pacificDay, type DayRange } from '../../domain/books/report-values.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { transactionDocId, transactions, type MoneyMoveDoc, type TransactionDoc } from '../models/transactions.js';
import { chargeOfMove, moneyMovesOf } from '../models/transaction-money.js';
import type { ReadModels } from '../queries/read-models.js';

/** A page is read in a few ms. */
const PAGE = 200;

export function toOurCharge(doc: TransactionDoc): OurCharge {
  const { transactionId, appId, storeProductId: sku, country, quantity, money, purchasedAt } = doc;
  const { currency, amountMicros, taxRate, commissionRate } = money;
  const terms = { currency, amountMicros, taxRate, commissionRate, quantity: Math.max(1, quantity) };
  return { transactionId, appId, sku, country, ...terms, day: dayOf(purchasedAt), ...movesIn(doc) };
}

/** Returns the refunds, and the reversals with what they take back: all refunds before them. */
function movesIn(doc: TransactionDoc): Pick<OurCharge, 'refunds' | 'reversals'> {
  const [refunds, reversals]: [OurRefund[], OurRefund[]] = [[], []];
  let refunded = 0;
  for (const move of moneyMovesOf(doc)) {
    const day = dayOf(move.at);
    if (move.kind === 'refund') {
      refunds.push({ day, share: move.share });
      refunded = Math.min(1, refunded + move.share);
    } else if (refunded > 0) {
      reversals.push({ day, share: refunded });
      refunded = 0;
    }
  }
  return { refunds, reversals };
}

function dayOf(iso: string): string {
  return pacificDay(msFromIso(iso));
}

/** `slice` resolves when background work may continue. */
type ChargeSources = { readonly readModels: ReadModels; readonly slice: () => Promise<void> };

/** Returns the charges of a store with a charge, refund or reversal on one of the days, by transaction. */
export async function chargesIn(
  { readModels, slice }: ChargeSources,
  projectId: string,
  store: StoreKind,
  { startDate, endDate }: DayRange,
): Promise<Map<string, OurCharge>> {
  // Pacific days end up to eight hours after those of UTC.
  const range = { from: isoFromMs(Date.parse(startDate)), to: isoFromMs(Date.parse(addDays(endDate, 2))) };
  const found = new Map<string, OurCharge>();
  const add = (doc: TransactionDoc): void => {
    if (doc.store === store) found.set(doc.transactionId, toOurCharge(doc));
  };
  for (const kind of ['purchase', 'renewal']) {
    const scan = { index: 'money', eq: [projectId, 'production', kind], ...range, limit: PAGE };
    for await (const rows of scanPages(scan, (page) => readModels.scan(transactions, page))) {
      for (const { doc } of rows) add(doc);
      await slice();
    }
  }
  const scan = { index: 'money', eq: [projectId, 'production'], ...range, limit: PAGE };
  const movePages = scanPages(scan, (page) => readModels.scanDerived<MoneyMoveDoc>(transactions, 'money_moves', page));
  for await (const rows of movePages) {
    const ids = rows.map(({ id }) => chargeOfMove(id));
    for (const doc of (await readModels.getMany(transactions, ids)).values()) add(doc);
    await slice();
  }
  return found;
}

/** Adds the charges with these transaction IDs that are not in the map, of production. */
export async function addChargesNamed(
  { readModels, slice }: ChargeSources,
  projectId: string,
  ids: Iterable<string>,
  found: Map<string, OurCharge>,
): Promise<void> {
  let missing = new Set<string>();
  const read = async () => {
    const docs = await readModels.getMany(transactions, [...missing]);
    for (const doc of docs.values())
      if (doc.environment === 'production') found.set(doc.transactionId, toOurCharge(doc));
    missing = new Set();
    await slice();
  };
  for (const id of ids) {
    if (!found.has(id)) missing.add(transactionDocId(projectId, id));
    if (missing.size >= PAGE) await read();
  }
  await read();
}

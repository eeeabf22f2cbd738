// Tables of `subledger export-facts`, which exports the data behind the charts: their columns and descriptions, and the rows of one
// customer, computed from the same history and by the same functions as the charts.
import { productIdOf, type SoldProduct } from '../catalogue/chart-query.js';
import { isToRenew, isTrial, payingOf, worthOf } from '../contribution.js';
import type { Charge, KnownHistory, LiveLine } from '../history/known-history.js';
import { stretchesOf } from '../history/segments.js';
import type { Movement } from '../money.js';
import { isRevoked } from '../result/cohorts.js';

/** Type of a column. `instant` is UTC ms in a row. `usd` is USD micros in a row, decimal US dollars in a file. */
export type ColumnType = 'text' | 'instant' | 'usd' | 'flag' | 'count';
export type Column = { readonly name: string; readonly type: ColumnType; readonly means: string };
export type Cell = string | number | boolean | null;
export type FactRow = readonly Cell[];
/** Definition of a table; `means` describes a row. */
type Table = { readonly means: string; readonly columns: readonly Column[] };

const column =
  (type: ColumnType) =>
  (name: string, means: string): Column => ({ name, type, means });
const [text, instant, usd, flag, count] = [
  column('text'),
  column('instant'),
  column('usd'),
  column('flag'),
  column('count'),
];

const customer = text('customer_id', 'a customer; a merged customer has the ID of the customer it was merged into');
const purchase = text('purchase_id', 'a subscription or one-time purchase of the customer');
const transaction = text('transaction_id', 'a transaction of the customer');
export const keyColumns: readonly Column[] = [customer, purchase, transaction];

export const chartFactTableNames = ['customers', 'sightings', 'purchases', 'transactions', 'money', 'stays'] as const;
export type ChartFactTable = (typeof chartFactTableNames)[number];

/** All tables. The cells of a row are in the order of the columns. */
export const chartFactTables: Readonly<Record<ChartFactTable, Table>> = {
  customers: {
    means: 'a row per customer',
    columns: [
      customer,
      instant('first_seen', 'earlier of the first sighting and the first purchase'),
      text('country', 'ISO 3166-1 alpha-2, as reported by the app, else that of the latest purchase'),
      text('platform', 'ios, android, …'),
    ],
  },
  sightings: {
    means: 'a row per instant at which the app of a customer was in use',
    columns: [customer, instant('seen_at', 'time of the sighting')],
  },
  purchases: {
    means: 'a row per subscription, with its initial attributes, and per one-time purchase',
    columns: [
      customer,
      purchase,
      text('store', 'store that sold it'),
      text('app_id', 'app that it was bought in'),
      text('product_id', 'product of the catalogue; NULL if not in the catalogue'),
      text('product_duration', 'ISO 8601 duration of a standard period'),
      text('offering_id', 'offering of the purchase'),
      text('offer_type', 'type of its offer'),
      text('start_reason', 'first_purchase, resubscribe, product_change, …'),
      text('country', 'ISO 3166-1 alpha-2, of the store'),
      flag('auto_renew', 'set to renew, as last reported by the store'),
    ],
  },
  transactions: {
    means: 'a row per period of a subscription, trials included, and per one-time purchase',
    columns: [
      ...keyColumns,
      text('period_type', 'trial, intro, normal, prepaid or one_time'),
      instant('purchased_at', 'start of the period'),
      instant('contract_end', 'end of the period, with extensions, without grace; NULL for one-time purchases'),
      flag('is_paid', 'neither a trial nor free; an unknown price counts as paid'),
      flag('is_refunded', 'partly or fully refunded, and not reversed'),
      flag('is_fully_refunded', 'fully refunded'),
      flag('access_revoked', 'a refund ended the access, and was not reversed'),
    ],
  },
  money: {
    means: 'a row per charge, refund, and reversal of a refund, of paid transactions',
    columns: [
      ...keyColumns,
      text('kind', 'charge, refund or reversal'),
      instant('moved_at', 'when the money moved'),
      usd('usd', 'amount at the rate of the purchase, negative for refunds; NULL for a charge without a rate'),
      usd('tax', 'tax included in the amount'),
      usd('commission', 'store commission included in the amount'),
      count('payments', '1 for a charge, -1 for the refund that completes its price, 1 when that is reversed; else 0'),
    ],
  },
  stays: {
    means: 'a row per stretch of time in which a subscription is live, grace periods included',
    columns: [
      ...keyColumns,
      text('period_type', 'trial, intro or normal'),
      instant('live_from', 'start of the stretch'),
      instant('live_to', 'end of the stretch: of the contract, of the grace period, or an earlier end'),
      text('renewal', 'set_to_renew, set_to_cancel or billing_issue'),
      usd('mrr', 'price per month; 0 for trials'),
      usd('mrr_net_of_taxes', 'price per month without tax'),
      usd('mrr_proceeds', 'price per month without tax and commission'),
    ],
  },
};

type CustomerFacts = Readonly<Record<ChartFactTable, readonly FactRow[]>>;

/** Returns the rows of a customer; null if nothing has happened yet. `sold` are products of the catalogue, see {@link productIdOf}. */
export function factsOf(customerId: string, history: KnownHistory, sold: readonly SoldProduct[]): CustomerFacts | null {
  const { firstSeen, country, platform, active, lines } = history;
  if (firstSeen === null && lines.length === 0) return null;
  return {
    customers: [[customerId, firstSeen, country, platform]],
    sightings: active.map((at) => [customerId, at]),
    purchases: lines.map((line) => purchaseRow(customerId, line, sold)),
    transactions: lines.flatMap((line) => line.charges.map((charge) => transactionRow(customerId, line, charge))),
    money: lines.flatMap((line) => moneyRows(customerId, line)),
    stays: lines.flatMap((line) => stayRows(customerId, line)),
  };
}

function purchaseRow(customerId: string, { id, about, marks }: LiveLine, sold: readonly SoldProduct[]): FactRow {
  const { store, appId, productDuration, offeringId, offerType, startReason, country } = about;
  return [
    ...[customerId, id, store, appId, productIdOf(about, sold), productDuration],
    ...[offeringId, offerType, startReason, country, isToRenew(marks)],
  ];
}

function transactionRow(customerId: string, line: LiveLine, charge: Charge): FactRow {
  const { period, contractEnd, isPaid, isRefunded, isFullyRefunded } = charge;
  const end = period.until === null ? null : contractEnd;
  const outcome = [isPaid, isRefunded, isFullyRefunded, isRevoked(line, charge)];
  return [customerId, line.id, period.id, period.type, period.at, end, ...outcome];
}

function moneyRows(customerId: string, line: LiveLine): FactRow[] {
  const rowOf = (transactionId: string, { at, kind, usd, tax, fee }: Movement, payments: number): FactRow => {
    return [customerId, line.id, transactionId, kind, at, usd, tax, fee, payments];
  };
  const paid = line.charges.filter(({ isPaid }) => isPaid);
  const ofCharges = paid.flatMap((charge) => {
    const { period, price, movements } = charge;
    const steps = new Map([...payingOf({ ...line, charges: [charge] })].map(({ at, value }) => [at, value]));
    return movements.map((m): FactRow => {
      const payments = steps.get(m.at) ?? 0;
      steps.delete(m.at);
      const isUnknown = m.kind === 'charge' && price === null;
      if (isUnknown) return [customerId, line.id, period.id, m.kind, m.at, null, null, null, payments];
      return rowOf(period.id, m, payments);
    });
  });
  // The line of a refund of another customer's purchase has the ID of that transaction.
  return [...ofCharges, ...line.strays.map((m) => rowOf(line.id, m, 0))];
}

function stayRows(customerId: string, line: LiveLine): FactRow[] {
  return line.pieces.flatMap((piece) => {
    const { id, type } = piece.period;
    const worth = (['revenue', 'revenue_net_of_taxes', 'proceeds'] as const).map((revenueType) =>
      isTrial(piece) ? 0 : worthOf(piece, line, revenueType),
    );
    return stretchesOf(piece, line.marks).map(({ from, to, renewal }): FactRow => {
      return [customerId, line.id, id, type, from, to, renewal, ...worth];
    });
  });
}

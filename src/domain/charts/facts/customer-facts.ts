// Facts of one customer: rows of every table, computed from the same history and by the same functions as the charts.
import { productIdOf, type SoldProduct } from '../catalogue/chart-query.js';
import { isToRenew, isTrial, payingOf, worthOf } from '../contribution.js';
import type { Charge, KnownHistory, LiveLine } from '../history/known-history.js';
import { stretchesOf } from '../history/segments.js';
import type { Movement } from '../money.js';
import { isRevoked } from '../result/cohorts.js';
import type { FactRow, ChartFactTable } from './chart-fact-tables.js';

export type CustomerFacts = Readonly<Record<ChartFactTable, readonly FactRow[]>>;

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

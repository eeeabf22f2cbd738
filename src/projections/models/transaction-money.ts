// The money of one transaction: its price and its refunds, always computed from the events that are not superseded.
import type { Money } from '../../domain/money.js';

export type MoneyFields = {
  /** Current price: of the charge, or of the latest price correction. */
  readonly money: Money;
  readonly refundedAt: string | null;
  /** Refunded amount without reversed refunds, USD micros; null if unknown. */
  readonly refundedUsdMicros: number | null;
  /** Time of the latest refund reversal. */
  readonly refundReversedAt: string | null;
  /** Refunds, reversals and corrections with the original price of the charge; absent while there are none. */
  readonly moneyHistory?: MoneyHistory;
};

/** Changes of the money. A revision removes superseded ones. */
type MoneyHistory = { readonly charged: Money; readonly changes: readonly MoneyChange[] };
export type MoneyMove =
  | { readonly kind: 'refund'; readonly at: string; readonly share: number }
  | { readonly kind: 'reversal'; readonly at: string };
type MoneyChange = { readonly eventId: string } & ({ readonly kind: 'price'; readonly money: Money } | MoneyMove);

export function withChange<D extends MoneyFields>(doc: D, change: MoneyChange): D {
  const { charged, changes } = doc.moneyHistory ?? { charged: doc.money, changes: [] };
  return withMoneyHistory(doc, { charged, changes: [...changes, change] });
}

/** Computes refunds as shares of the current price, like the charts. A reversal cancels all earlier refunds. */
export function withMoneyHistory<D extends MoneyFields>(doc: D, moneyHistory: MoneyHistory): D {
  const { charged, changes } = moneyHistory;
  const money = changes.reduce((known, change) => (change.kind === 'price' ? change.money : known), charged);
  let shares: readonly number[] = [];
  let refundedAt: string | null = null;
  let refundReversedAt: string | null = null;
  for (const move of movesByTime(changes)) {
    shares = move.kind === 'refund' ? [...shares, move.share] : [];
    refundedAt = move.kind === 'refund' ? move.at : null;
    if (move.kind === 'reversal') refundReversedAt = move.at;
  }
  const refundedUsdMicros = refundedOf(money.usdMicros, shares);
  return { ...doc, money, refundedAt, refundedUsdMicros, refundReversedAt, moneyHistory };
}

function refundedOf(price: number | null, shares: readonly number[]): number | null {
  if (shares.length === 0) return 0;
  if (price === null) return null;
  return shares.reduce((before, share) => before + Math.min(Math.round(price * share), price - before), 0);
}

/** Returns the refunds and reversals of a transaction by time. */
export function moneyMovesOf({ moneyHistory }: MoneyFields): readonly MoneyMove[] {
  return moneyHistory ? movesByTime(moneyHistory.changes) : [];
}

function movesByTime(changes: readonly MoneyChange[]): readonly MoneyMove[] {
  return changes.filter((change) => change.kind !== 'price').toSorted(byTime);
}

/** Sorts a refund before its reversal at the same time. */
function byTime(a: MoneyMove, b: MoneyMove): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return Number(a.kind === 'reversal') - Number(b.kind === 'reversal');
}

const MOVE = '|move|';
/** Returns the id of the index entry of a charge's refund or reversal, by its place among them. */
export const moveDocId = (chargeId: string, place: number): string => `${chargeId}${MOVE}${place}`;
/** Returns the id of the charge of such an index entry. */
export const chargeOfMove = (docId: string): string => docId.slice(0, docId.lastIndexOf(MOVE));

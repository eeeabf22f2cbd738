// A comparison of the books: a charge or refund as we recorded it, the same as the store reports it, and the cause of the difference. Sums
// are of amounts rounded to the currency's smallest unit, as reports print them.
import { roundToUnit } from './report-values.js';

/** Amounts in micros of the buyer's currency. `proceeds` is `charged` less `refunded`, `tax` and `fee`; refunds give tax and fee back. */
export type Amounts = {
  readonly charged: number;
  readonly refunded: number;
  readonly tax: number;
  readonly fee: number;
  readonly proceeds: number;
};

export const NOTHING: Amounts = { charged: 0, refunded: 0, tax: 0, fee: 0, proceeds: 0 };

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, 1);
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, -1);
}

function combine(a: Amounts, b: Amounts, sign: 1 | -1): Amounts {
  return {
    charged: a.charged + sign * b.charged,
    refunded: a.refunded + sign * b.refunded,
    tax: a.tax + sign * b.tax,
    fee: a.fee + sign * b.fee,
    proceeds: a.proceeds + sign * b.proceeds,
  };
}

/** Returns the amounts of a charge, or of its refund. */
export function amountsOf(kind: EntryKind, gross: number, tax: number, fee: number): Amounts {
  return kind === 'charge'
    ? { charged: gross, refunded: 0, tax, fee, proceeds: gross - tax - fee }
    : { charged: 0, refunded: gross, tax: 0 - tax, fee: 0 - fee, proceeds: tax + fee - gross };
}

/** Why ours and the store's differ; each entry has exactly one. `matched`: they do not. */
export const causes = [
  'matched',
  'timing',
  'awaiting_report',
  'partial_refund',
  'price',
  'tax',
  'commission',
  'free',
  'missing_here',
  'missing_there',
  'double',
  'other_app',
  'unexplained',
] as const;
export type Cause = (typeof causes)[number];

export type EntryKind = 'charge' | 'refund';

/** Remarks on an entry that change no amount. */
export type EntryLabel =
  /** A refund of a charge of an earlier month, which is no difference. */
  | 'earlier_charge'
  /** The store's line excludes a tax that it states nowhere: the tax is ours. */
  | 'tax_as_ours'
  /** The store pays in another currency than the buyer: its proceeds are not comparable here, and stand as ours. */
  | 'paid_in_other_currency';

/** Comparison of one charge or refund (android-store), or of a group of equal ones (ios-store), by app and buyer's currency. */
export type BookEntry = {
  readonly cause: Cause;
  readonly kind: EntryKind;
  /** Null: of no app of the project. */
  readonly appId: string | null;
  readonly currency: string;
  /** Pacific day: the store's, or ours where the store has none. */
  readonly day: string;
  readonly sku: string | null;
  readonly country: string | null;
  /** Number of charges or refunds. */
  readonly count: number;
  readonly ours: Amounts | null;
  readonly store: Amounts | null;
  /** Ours, of a group all that may be meant. */
  readonly transactionIds: readonly string[];
  /** The store's order; null in a group. */
  readonly orderId: string | null;
  /** Lines of the report. */
  readonly rows: readonly ReportRow[];
  /** `timing`: the month in which the other side has it. */
  readonly otherMonth: string | null;
  readonly labels: readonly EntryLabel[];
};

/** Line of a report. `row` counts from 1, with the header. */
export type ReportRow = { readonly reportId: string; readonly row: number };

/** A charge as we recorded it, with its refunds. `amountMicros` null: the price is unknown. Days are Pacific. */
export type OurCharge = {
  readonly transactionId: string;
  readonly appId: string;
  readonly sku: string;
  readonly country: string | null;
  readonly currency: string | null;
  readonly amountMicros: number | null;
  readonly taxRate: number;
  readonly commissionRate: number;
  readonly quantity: number;
  readonly day: string;
  readonly refunds: readonly OurRefund[];
};

export type OurRefund = { readonly day: string; readonly share: number };

/** Returns our amounts of a charge, each rounded to the smallest unit; null if the price is unknown. */
export function ourCharge(charge: OurCharge): Amounts | null {
  return ourShare('charge', charge, 1);
}

/** Returns our amounts of refunds of a share of a charge. */
export function ourRefund(charge: OurCharge, share: number): Amounts | null {
  return ourShare('refund', charge, share);
}

function ourShare(kind: EntryKind, { amountMicros, currency, taxRate, commissionRate }: OurCharge, share: number) {
  if (amountMicros === null || currency === null) return null;
  const gross = Math.round(amountMicros * share);
  const round = (micros: number) => roundToUnit(micros, currency);
  return amountsOf(kind, round(gross), round(Math.round(gross * taxRate)), round(Math.round(gross * commissionRate)));
}

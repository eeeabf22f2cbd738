// A comparison of the books: a charge or refund as we recorded it, the same as the store reports it, and the cause of the difference. Sums
// are of amounts rounded to the currency's smallest unit, as reports print them.
import { roundToUnit } from './report-values.js';

/**
 * Amounts in micros of the buyer's currency. `proceeds` is `charged` less `refunded`, `tax` and `fee`; refunds give tax and fee back. A
 * reversal takes all of a refund back: its `refunded` is negative.
 */
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

/** Returns the amounts of a charge, of its refund, or of the refund's reversal. */
export function amountsOf(kind: EntryKind, gross: number, tax: number, fee: number): Amounts {
  if (kind === 'refund')
    return { charged: 0, refunded: gross, tax: 0 - tax, fee: 0 - fee, proceeds: tax + fee - gross };
  const [charged, refunded] = kind === 'charge' ? [gross, 0] : [0, 0 - gross];
  return { charged, refunded, tax, fee, proceeds: gross - tax - fee };
}

/** Returns the price of what is charged, refunded or taken back, without a sign. */
export function grossOf({ charged, refunded }: Amounts): number {
  return Math.abs(charged + refunded);
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
  'not_collected',
  'double',
  'other_app',
  'unexplained',
] as const;
export type Cause = (typeof causes)[number];

/** `reversal`: a refund that the store took back. */
export const entryKinds = ['charge', 'refund', 'reversal'] as const;
export type EntryKind = (typeof entryKinds)[number];

/**
 * Remarks on an entry that change no amount. `earlier_charge`: a refund of a charge of an earlier month, which is no difference.
 * `tax_as_ours`: the store's line excludes a tax that it states nowhere: the tax is ours. `fee_not_stated`: a sales report has no fee: it
 * stands as ours, and where we have no charge, there is none. `paid_in_other_currency`: the store pays in another currency than the buyer:
 * its proceeds are not comparable here, and stand as ours.
 */
export const entryLabels = ['earlier_charge', 'tax_as_ours', 'fee_not_stated', 'paid_in_other_currency'] as const;
export type EntryLabel = (typeof entryLabels)[number];

/** Comparison of one charge, refund or reversal (android-store), or of a group of equal ones (ios-store), by app and buyer's currency. */
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
  /** Currency that the store pays, and units of it for one unit of the buyer's. Null if the report pays nothing. */
  readonly paid: { readonly currency: string; readonly rate: number } | null;
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
  /** Refunds that were taken back, each with the share of all that it took back. */
  readonly reversals: readonly OurRefund[];
};

export type OurRefund = { readonly day: string; readonly share: number };

/** Returns the refunds or reversals of a charge; its charge itself is one of the whole. */
export function movesOf(kind: EntryKind, { day, refunds, reversals }: OurCharge): readonly OurRefund[] {
  if (kind === 'charge') return [{ day, share: 1 }];
  return kind === 'refund' ? refunds : reversals;
}

/** Price of a charge with its shares of tax and fee. */
type ChargeTerms = Pick<OurCharge, 'currency' | 'amountMicros' | 'taxRate' | 'commissionRate'>;

/** Returns our amounts of a share of a charge, each rounded to the smallest unit; null if the price is unknown. */
export function ourShare(
  kind: EntryKind,
  { amountMicros, currency, taxRate, commissionRate }: ChargeTerms,
  share: number,
): Amounts | null {
  if (amountMicros === null || currency === null) return null;
  const gross = Math.round(amountMicros * share);
  const round = (micros: number) => roundToUnit(micros, currency);
  return amountsOf(kind, round(gross), round(Math.round(gross * taxRate)), round(Math.round(gross * commissionRate)));
}

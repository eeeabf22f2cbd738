// Lines of the stores' financial reports, as the books compare them. Amounts are integer micros, positive for a charge and what is taken
// off it; `isRefund` reverses the sign, however the store signed the row. `isNegative` is the sign as printed, by which reversals of refunds
// are told from refunds.
import type { DayRange } from './report-values.js';

/** Kinds of reports that are read. */
export const reportKinds = ['earnings', 'finance_detail'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Parts of an order: what the buyer paid, what the store kept, the tax; `other` is a type that the reader does not know. */
export const orderParts = ['charge', 'fee', 'tax', 'other'] as const;
export type OrderPart = (typeof orderParts)[number];

/** Line of an earnings report of the android-store: one part of one order. */
export type OrderLine = {
  readonly row: number;
  readonly part: OrderPart;
  readonly isRefund: boolean;
  readonly isNegative: boolean;
  /** Type as the store printed it. */
  readonly type: string;
  /** Null in a line of the account, and in one of a product as a whole. */
  readonly orderId: string | null;
  readonly packageName: string | null;
  readonly sku: string | null;
  /** Pacific day. */
  readonly day: string;
  readonly country: string | null;
  readonly currency: string;
  readonly amountMicros: number;
  readonly paidCurrency: string;
  readonly paidMicros: number;
};

/** Line of a finance detail report of the ios-store: all sales of one product, day, country and price. */
export type GroupLine = {
  readonly row: number;
  readonly isRefund: boolean;
  readonly isNegative: boolean;
  readonly sku: string;
  /** Pacific day. */
  readonly day: string;
  readonly settledOn: string;
  readonly country: string;
  readonly quantity: number;
  readonly currency: string;
  /** Price of one, tax included. */
  readonly priceMicros: number;
  readonly paidCurrency: string;
  /** Proceeds of all of them. */
  readonly paidMicros: number;
};

/** Sum of a report's lines of one type and currency, as the store prints them in what it pays. */
export type ReportTotal = {
  readonly type: string;
  readonly currency: string;
  readonly paidMicros: number;
  readonly lines: number;
};

export type ReportLine =
  ({ readonly kind: 'earnings' } & OrderLine) | ({ readonly kind: 'finance_detail' } & GroupLine);

/** Content of a report. `unknownColumns` were not used. */
export type ReadReport = {
  readonly kind: ReportKind;
  readonly lines: number;
  /** `yyyy-mm`. */
  readonly month: string;
  readonly period: DayRange;
  readonly totals: readonly ReportTotal[];
  readonly unknownColumns: readonly string[];
};

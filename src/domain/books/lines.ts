// Lines of the stores' financial reports, as the books compare them. Amounts are integer micros, positive for a charge and what is taken
// off it; `isRefund` reverses the sign, however the store signed the row. `isNegative` is the sign as printed, by which reversals of refunds
// are told from refunds.
import type { DayRange } from './report-values.js';

/** Kinds of reports that are read, of each store the one that counts before the next first. */
export const reportKinds = ['earnings', 'sales', 'finance_detail', 'financial', 'payments'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Kinds whose lines are of one order, and of a group of equal sales. */
const orderKinds = ['earnings', 'sales'] as const;
const groupKinds = ['finance_detail', 'financial'] as const;

/** Parts of an order: what the buyer paid, what the store kept, the tax; `other` is a type that the reader does not know. */
export const orderParts = ['charge', 'fee', 'tax', 'other'] as const;
export type OrderPart = (typeof orderParts)[number];

/** Line of an earnings or sales report of the android-store: one part of one order. A sales report has no fee, and pays nothing. */
export type OrderLine = {
  readonly kind: (typeof orderKinds)[number];
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
  /** Tax in the amount, of a sales report; earnings have lines of the tax. */
  readonly taxMicros: number;
  readonly paidCurrency: string;
  readonly paidMicros: number;
};

/** Line of a report of the ios-store: all sales of one product, country and price, of one day or, in a financial report, of a fiscal month. */
export type GroupLine = {
  readonly kind: (typeof groupKinds)[number];
  readonly row: number;
  readonly isRefund: boolean;
  readonly isNegative: boolean;
  readonly sku: string;
  /** Pacific day; in a financial report the last one of the fiscal month. */
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

/** Line of a payments report of the ios-store: a region of a fiscal month. Amounts are as printed; what is withheld has a minus. */
export type PaymentLine = {
  readonly kind: 'payments';
  readonly row: number;
  readonly region: string;
  /** Currency of the region, in which all but `paidMicros` are. */
  readonly currency: string;
  readonly units: number;
  readonly earnedMicros: number;
  readonly inputTaxMicros: number;
  readonly adjustmentsMicros: number;
  readonly withholdingMicros: number;
  readonly owedMicros: number;
  /** Currency of the bank. */
  readonly paidCurrency: string;
  readonly paidMicros: number;
  /** False for what the store holds back until it is more. */
  readonly isPaid: boolean;
};

/** Sum of a report's lines of one type and currency, as the store prints them in what it pays. */
export type ReportTotal = {
  readonly type: string;
  readonly currency: string;
  readonly paidMicros: number;
  readonly lines: number;
};

/** Line that is compared with ours. */
export type ComparedLine = OrderLine | GroupLine;

export type ReportLine = ComparedLine | PaymentLine;

export function isOrderKind(kind: ReportKind): kind is OrderLine['kind'] {
  return orderKinds.some((one) => one === kind);
}

export function isGroupKind(kind: ReportKind): kind is GroupLine['kind'] {
  return groupKinds.some((one) => one === kind);
}

export function isOrderLine(line: ReportLine): line is OrderLine {
  return isOrderKind(line.kind);
}

export function isGroupLine(line: ReportLine): line is GroupLine {
  return isGroupKind(line.kind);
}

/** Line of one row. `first` and `last`: days by which the period of the file is told. */
export type ReadRow = { readonly line: ReportLine; readonly first: string; readonly last: string };

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

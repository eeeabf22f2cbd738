// Response schemas of the stores' reports, and of the payments that they state.
import { z } from 'zod';
import { uncountedReasons } from '../../domain/books/counted-reports.js';
import { reportKinds } from '../../domain/books/lines.js';
import type { Payment } from '../../domain/books/payments.js';
import { printAmount } from '../../domain/books/report-values.js';
import { storeKind } from '../../domain/store-kinds.js';
import type { ListedReport } from '../../projections/books/month-sources.js';
import { money, time, type BodyOf } from '../bodies/response-schemas.js';

export const day = z.string().meta({ description: 'Pacific day.' });
export const month = z.string().meta({ description: '`yyyy-mm`.' });
export const amount = money(z.string());

export const storeReport = z
  .strictObject({
    object: z.literal('store_report'),
    id: z.string(),
    kind: z.enum(reportKinds),
    store: storeKind,
    account: z.string().meta({ description: 'Payments profile or vendor number.' }),
    month,
    startDate: day,
    endDate: day,
    fileName: z.string(),
    sha256: z.string(),
    lines: z.int(),
    isCounted: z.boolean().meta({ description: 'False if it is not compared, for the reason in `uncountedReason`.' }),
    uncountedReason: z.enum(uncountedReasons).nullable().meta({
      description:
        '`replaced`: a newer report of this kind, account, month and part counts. `outranked`: a report of the account’s month counts that says more: `earnings` before `sales`, `finance_detail` before `financial`. `too_many_lines`: the reports of this month and store that came before have so many lines that more than a million would be compared with this one, or more than the memory of the service is for.',
    }),
    part: z.string().nullable().meta({ description: 'Region of a `financial` report; null: all of the account.' }),
    totals: money(
      z.array(z.strictObject({ type: z.string(), currency: z.string(), amount: z.string(), lines: z.int() })),
    ).meta({ description: 'What the lines state in the currency that is paid, by their type.' }),
    unknownColumns: z.array(z.string()).meta({ description: 'Columns that were not used.' }),
    receivedAt: time,
  })
  .meta({ id: 'StoreReport' });

export function presentReport(report: ListedReport): BodyOf<typeof storeReport> {
  const { reportId, kind, store, account, month: of, part = null, startDate, endDate } = report;
  const { fileName, sha256, lines, isCounted, uncountedReason } = report;
  const totals = report.totals.map(({ type, currency, paidMicros, lines: count }) => ({
    ...{ type, currency, amount: printAmount(paidMicros, currency), lines: count },
  }));
  return {
    ...{ object: 'store_report', id: reportId, kind, store, account, month: of, startDate, endDate, fileName, sha256 },
    ...{
      part,
      lines,
      isCounted,
      uncountedReason,
      totals,
      unknownColumns: [...report.unknownColumns],
      receivedAt: report.receivedAt,
    },
  };
}

export const paymentLine = z.strictObject({
  account: z.string(),
  region: z.string(),
  currency: z.string().meta({ description: 'Of the region.' }),
  units: z.int(),
  ...{ earned: amount, inputTax: amount, adjustments: amount, withholdingTax: amount, owed: amount },
  bankCurrency: z.string(),
  proceeds: amount.meta({ description: 'What is paid, in the currency of the bank.' }),
  isPaid: z.boolean().meta({ description: 'False for what the store holds back until it is more.' }),
});

export function presentPayment({ account, region, currency, units, paidCurrency, isPaid, ...of }: Payment) {
  const print = (micros: number) => printAmount(micros, currency);
  return {
    ...{ account, region, currency, units, bankCurrency: paidCurrency, isPaid },
    ...{ earned: print(of.earnedMicros), inputTax: print(of.inputTaxMicros), owed: print(of.owedMicros) },
    ...{ adjustments: print(of.adjustmentsMicros), withholdingTax: print(of.withholdingMicros) },
    proceeds: printAmount(of.paidMicros, paidCurrency),
  };
}

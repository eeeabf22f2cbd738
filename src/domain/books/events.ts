// Events of the books. A store's financial report: its lines in parts, then the report itself, by which it counts. Parts without it are of
// an upload that was cut off; the same upload goes on from them. A closed month: its frozen figures in parts, likewise, then the closing.
import { z } from 'zod';
import { defineEvent, type EventOf } from '../events.js';
import { storeKind } from '../store-kinds.js';
import { streams } from '../streams.js';
import { accountNames } from './accounts.js';
import { revenueBases } from './delivery.js';
import { entryKinds } from './entries.js';
import { reportKinds } from './lines.js';
import { lookUpOutcomes } from './look-up-outcomes.js';

const day = z.string().length(10);
const reportId = z.string();
const month = z.string().length(7);
const closingId = z.string();

export const booksEvents = {
  /**
   * `rows`: rows of the file as JSON, compressed with gzip, in base64. They are as the store wrote them, without the columns that say where
   * a buyer lives.
   */
  StoreReportPartReceived: defineEvent(
    'StoreReportPartReceived',
    { projectId: z.string(), reportId, part: z.int().min(0), rows: z.string() },
    { sealed: ['rows'], sealedFor: ({ projectId }) => streams.project(projectId) },
  ),
  /**
   * `account`: the payments profile or vendor number. `part`: the region of a report that is not of all. A later report of the same kind,
   * account, month and part replaces this one.
   */
  StoreReportReceived: defineEvent('StoreReportReceived', {
    reportId,
    kind: z.enum(reportKinds),
    store: storeKind,
    account: z.string(),
    fileName: z.string(),
    sha256: z.string().length(64),
    month,
    part: z.string().optional(),
    startDate: day,
    endDate: day,
    lines: z.int(),
    parts: z.int(),
    totals: z.array(z.strictObject({ type: z.string(), currency: z.string(), paidMicros: z.int(), lines: z.int() })),
    unknownColumns: z.array(z.string()),
  }),
  /** Rules by which revenue is counted: days in the time zone; `lifetimeMonths`: months over which a purchase without an end is delivered, 0 at once. */
  BooksSettingsChanged: defineEvent('BooksSettingsChanged', {
    basis: z.enum(revenueBases),
    timeZone: z.string(),
    lifetimeMonths: z.int().min(0),
  }),
  /** Chart of accounts of the journal. */
  BooksAccountsChanged: defineEvent('BooksAccountsChanged', {
    accounts: z.partialRecord(z.enum(accountNames), z.strictObject({ code: z.string(), name: z.string() })),
  }),
  /** `rows`: frozen figures and comparisons as JSON, compressed with gzip, in base64. */
  MonthClosingPartRecorded: defineEvent(
    'MonthClosingPartRecorded',
    { projectId: z.string(), closingId, part: z.int().min(0), rows: z.string() },
    { sealed: ['rows'], sealedFor: ({ projectId }) => streams.project(projectId) },
  ),
  /**
   * The figures of the month are frozen as they were known at `position`; the parts are in a stream of their own. `number`: how many times
   * the month has been closed. `totals`: by buyers' currency. `incompleteReason`: why it was closed while purchases waited for a report.
   */
  MonthClosed: defineEvent('MonthClosed', {
    month,
    closingId,
    number: z.int().min(1),
    parts: z.int().min(1),
    entries: z.int(),
    position: z.string().nullable(),
    totals: z.array(z.strictObject({ currency: z.string(), oursMicros: z.int(), storeMicros: z.int() })),
    incompleteReason: z.string().nullable(),
  }),
  MonthReopened: defineEvent('MonthReopened', { month, closingId, reason: z.string() }),
  /** The report of a store for a month will not come: of all sales, or of the countries (ISO 3166 alpha-2, in order). */
  ReportDeclaredAbsent: defineEvent('ReportDeclaredAbsent', {
    absenceId: z.string(),
    month,
    store: storeKind,
    countries: z.array(z.string().length(2)),
    reason: z.string(),
  }),
  ReportAbsenceWithdrawn: defineEvent('ReportAbsenceWithdrawn', { absenceId: z.string(), month, store: storeKind }),
  /** No purchase of the month waits for a report any more. `reportIds`: reports with which it was compared; `totals`: proceeds by buyers' currency. */
  MonthCompleted: defineEvent('MonthCompleted', {
    month,
    reportIds: z.array(reportId),
    totals: z.array(z.strictObject({ currency: z.string(), oursMicros: z.int(), storeMicros: z.int() })),
  }),
  /** Orders that only a report has were looked up at the store. `orderId`: of a line without an order, its report and line. */
  OrdersLookedUp: defineEvent('OrdersLookedUp', {
    month,
    reportId,
    results: z.array(z.strictObject({ orderId: z.string(), outcome: z.enum(lookUpOutcomes) })),
  }),
  /** A report has charges or refunds of apps of the project that were not recorded. `lines`: all of them; `examples`: the first ones. */
  MissingLinesFound: defineEvent('MissingLinesFound', {
    month,
    reportId,
    kind: z.enum(reportKinds),
    store: storeKind,
    account: z.string(),
    lines: z.int().min(1),
    totals: z.array(z.strictObject({ currency: z.string(), chargedMicros: z.int(), refundedMicros: z.int() })),
    examples: z.array(
      z.strictObject({
        kind: z.enum(entryKinds),
        appId: z.string(),
        day,
        storeProductId: z.string().nullable(),
        country: z.string().nullable(),
        currency: z.string(),
        count: z.int(),
        orderId: z.string().nullable(),
      }),
    ),
  }),
};
export type BooksEvent = EventOf<typeof booksEvents>;
/** Event of the stream of one report. */
export type ReportEvent = Extract<BooksEvent, { type: 'StoreReportPartReceived' | 'StoreReportReceived' }>;
/** Event of the stream of what comparisons found. */
export type FindingEvent = Extract<BooksEvent, { type: 'MonthCompleted' | 'MissingLinesFound' }>;
/** Event of the stream of the orders of a report that were looked up. */
export type LookUpEvent = Extract<BooksEvent, { type: 'OrdersLookedUp' }>;
/** Event of what was declared about reports that will not come. */
export type AbsenceEvent = Extract<BooksEvent, { type: 'ReportDeclaredAbsent' | 'ReportAbsenceWithdrawn' }>;
export type ReceivedReport = Extract<BooksEvent, { type: 'StoreReportReceived' }>['data'];

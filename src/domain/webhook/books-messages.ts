// Webhook messages about the books of a project: a month that became complete, and lines of a report that were not recorded. They name no
// customer and no buyer.
import type { FindingEvent } from '../books/events.js';
import { printAmount } from '../books/report-values.js';
import type { RecordedEvent } from '../envelope.js';
import { storeOfReport } from '../store-kinds.js';
import { msFromIso } from '../time.js';
import type { Message } from './messages.js';
import type { Fields } from './purchase-fields.js';

export function isFinding(event: RecordedEvent): event is RecordedEvent<FindingEvent> {
  return event.type === 'MonthCompleted' || event.type === 'MissingLinesFound';
}

export function booksMessageOf(event: RecordedEvent<FindingEvent>): Message {
  const about = { environment: 'production' as const };
  const eventTimestampMs = msFromIso(event.meta.at);
  if (event.type === 'MonthCompleted') {
    const { month, reportIds, totals } = event.data;
    const fields = { eventTimestampMs, month, reportIds, totals: totals.map(proceedsTotal) };
    return { kind: 'BOOKS_MONTH_COMPLETE', appId: null, ...about, fields };
  }
  const { totals, lines, examples, kind: reportKind, ...report } = event.data;
  const apps = new Set(examples.map(({ appId }) => appId));
  // With further lines than the examples, there may be other apps.
  const appId = apps.size === 1 && examples.length === lines ? (examples[0]?.appId ?? null) : null;
  const sums = { totals: totals.map(missingTotal) };
  const fields = { eventTimestampMs, ...report, reportKind, missingLines: lines, ...sums, lines: examples };
  return { kind: 'BOOKS_LINE_MISSING_HERE', appId, ...about, fields };
}

type Totals<T extends FindingEvent['type']> = Extract<FindingEvent, { type: T }>['data']['totals'][number];

function proceedsTotal({ currency, oursMicros, storeMicros }: Totals<'MonthCompleted'>) {
  return { currency, ours: printAmount(oursMicros, currency), store: printAmount(storeMicros, currency) };
}

function missingTotal({ currency, chargedMicros, refundedMicros }: Totals<'MissingLinesFound'>) {
  return { currency, charged: printAmount(chargedMicros, currency), refunded: printAmount(refundedMicros, currency) };
}

/** Returns the fields of an invented event of the kind, of the instant `at`. */
export function booksExampleOf(kind: 'BOOKS_MONTH_COMPLETE' | 'BOOKS_LINE_MISSING_HERE', at: string): Fields {
  const [reportId, month, currency] = ['rep_example', at.slice(0, 7), 'USD'];
  const eventTimestampMs = msFromIso(at);
  if (kind === 'BOOKS_MONTH_COMPLETE') {
    const totals = [proceedsTotal({ currency, oursMicros: 6_993_000_000, storeMicros: 7_012_500_000 })];
    return { eventTimestampMs, month, reportIds: [reportId], totals };
  }
  const report = { month, reportId, account: '1234567890', reportKind: 'earnings' as const };
  const totals = [missingTotal({ currency, chargedMicros: 9_990_000, refundedMicros: 0 })];
  const line = { kind: 'charge', appId: 'app_example', day: at.slice(0, 10), storeProductId: 'pro.month' };
  const order = { country: 'US', currency, count: 1, orderId: 'GPA.1234-5678-9012-34567..4' };
  const store = storeOfReport(report.reportKind);
  return { eventTimestampMs, ...report, store, missingLines: 1, totals, lines: [{ ...line, ...order }] };
}

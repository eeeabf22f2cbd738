// Causes of the entries of a timeline: a notification of a store, or a report that named a charge or refund first.
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import { readRawBody } from '../../adapters/event-log/raw-body.js';
import type { ReceivedReport } from '../../domain/books/events.js';
import type { StreamName } from '../../domain/envelope.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { isStreamOf } from '../../domain/streams.js';

export type NotificationCause = {
  readonly id: string;
  readonly store: StoreKind;
  readonly type: string;
  readonly rawBody: string;
};

/** Report of a store that named a charge or refund first. */
export type ReportCause = Pick<ReceivedReport, 'store' | 'kind' | 'month'> & { readonly id: string };

export type EntryCause = { readonly notification: NotificationCause } | { readonly report: ReportCause };

/** Returns the notification or report that caused an entry, as received; null if the cause was a request or the clock. */
export async function readCause(log: EventLog, correlationId: string): Promise<EntryCause | null> {
  if (isStreamOf('books', correlationId)) return readReportCause(log, correlationId);
  if (!isStreamOf('inbox', correlationId)) return null;
  for await (const event of readStream(log, correlationId)) {
    if (event.type !== 'StoreNotificationReceived') continue;
    const { key, store, notificationType, subtype, rawBody } = event.data;
    const type = subtype === null ? notificationType : `${notificationType}/${subtype}`;
    return { notification: { id: key, store, type, rawBody: await readRawBody(log, rawBody) } };
  }
  return null;
}

async function readReportCause(log: EventLog, stream: StreamName<'books'>): Promise<EntryCause | null> {
  for await (const event of readStream(log, stream)) {
    if (event.type !== 'StoreReportReceived') continue;
    const { reportId: id, store, kind, month } = event.data;
    return { report: { id, store, kind, month } };
  }
  return null;
}

/** Returns a reader that reads each cause once: a report is long, and may be the cause of many entries. */
export function createCauseReader(log: EventLog): (correlationId: string) => Promise<EntryCause | null> {
  const causes = new Map<string, Promise<EntryCause | null>>();
  return (correlationId) => {
    const cause = causes.get(correlationId) ?? readCause(log, correlationId);
    causes.set(correlationId, cause);
    return cause;
  };
}

/** Returns a report in words, such as `the earnings report of 2026-10`. */
export function reportText({ kind, month }: ReportCause): string {
  return `the ${kind.replace('_', ' ')} report of ${month}`;
}

// Events of a store's financial report: its lines in parts, then the report itself, by which it counts. Parts without it are of an upload
// that was cut off; the same upload goes on from them.
import { z } from 'zod';
import { defineEvent, type EventOf } from '../events.js';
import { storeKind } from '../store-kinds.js';
import { streams } from '../streams.js';
import { reportKinds } from './lines.js';

const day = z.string().length(10);
const reportId = z.string();

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
  /** `account`: the payments profile or vendor number. A later report of the same kind, account and month replaces this one. */
  StoreReportReceived: defineEvent('StoreReportReceived', {
    reportId,
    kind: z.enum(reportKinds),
    store: storeKind,
    account: z.string(),
    fileName: z.string(),
    sha256: z.string().length(64),
    month: z.string().length(7),
    startDate: day,
    endDate: day,
    lines: z.int(),
    parts: z.int(),
    totals: z.array(z.strictObject({ type: z.string(), currency: z.string(), paidMicros: z.int(), lines: z.int() })),
    unknownColumns: z.array(z.string()),
  }),
};
export type BooksEvent = EventOf<typeof booksEvents>;
export type ReceivedReport = Extract<BooksEvent, { type: 'StoreReportReceived' }>['data'];

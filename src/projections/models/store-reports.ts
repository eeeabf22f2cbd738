// Reports of the stores that were received, one document each. Their lines stay in the log.
import type { ReceivedReport } from '../../domain/books/events.js';
import type { Actor, LogPosition } from '../../domain/envelope.js';
import { ofFamily } from '../../domain/vocabulary.js';
import { defineProjection, type Projection } from '../runtime/projection.js';

export type StoreReportDoc = ReceivedReport & {
  readonly projectId: string;
  readonly receivedAt: string;
  readonly position: LogPosition;
  readonly actor: Actor;
};

export const storeReports: Projection<StoreReportDoc> = defineProjection({
  name: 'store_reports',
  version: 1,
  families: ['books'],
  indexes: [{ name: 'project', fields: ['projectId', 'month', 'receivedAt'] }],
  select: (stored) => {
    const event = ofFamily(stored, 'books');
    return event?.type === 'StoreReportReceived' ? event : null;
  },
  keys: (event) => [event.data.reportId],
  fold: (_, { data, meta, position }) => ({
    ...data,
    projectId: meta.projectId ?? '',
    receivedAt: meta.at,
    position,
    actor: meta.actor,
  }),
});

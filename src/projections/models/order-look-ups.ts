// Orders that only a report had and that were looked up at the store, one document each, with the last outcome.
import type { LookUpOutcome } from '../../domain/books/look-up-outcomes.js';
import { ofFamily } from '../../domain/vocabulary.js';
import { defineProjection, type Projection } from '../runtime/projection.js';

export type OrderLookUpDoc = {
  readonly projectId: string;
  readonly orderId: string;
  readonly reportId: string;
  readonly outcome: LookUpOutcome;
  readonly at: string;
};

export const orderLookUps: Projection<OrderLookUpDoc> = defineProjection({
  name: 'order_look_ups',
  version: 1,
  families: ['books'],
  indexes: [],
  select: (stored) => {
    const event = ofFamily(stored, 'books');
    return event?.type === 'OrdersLookedUp' ? event : null;
  },
  keys: ({ data, meta }) => data.results.map(({ orderId }) => orderLookUpId(meta.projectId ?? '', orderId)),
  fold: (doc, { data: { reportId, results }, meta: { projectId = '', recordedAt: at } }, id) => {
    const result = results.find(({ orderId }) => orderLookUpId(projectId, orderId) === id);
    return result ? { projectId, ...result, reportId, at } : doc;
  },
});

export function orderLookUpId(projectId: string, orderId: string): string {
  return `${projectId}|${orderId}`;
}

// Questions of the stores about a refund that a customer requested: open until they are answered, or the store decides. The answer is due by
// `respondBy`.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import { customerIdOf } from '../../domain/streams.js';
import { subscriberEvents, type SubscriberEventData } from '../../domain/subscriber/events/events.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { isTestStore, type StoreKind } from '../../domain/store-kinds.js';
import type { Environment } from '../../domain/subscriber/events/blocks.js';
import { ofFamily } from '../../domain/vocabulary.js';

type Answer = Pick<SubscriberEventData['RefundAnswerSent'], 'preference' | 'decidedBy'>;

export type RefundRequestDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly transactionId: string;
  readonly appId: string;
  readonly store: StoreKind;
  readonly storeProductId: string;
  readonly environment: Environment;
  /** Reason of the customer, as the store states it. */
  readonly reason: string | null;
  readonly requestedAt: string;
  readonly respondBy: string;
  readonly state: 'open' | 'answered' | 'refunded' | 'declined';
  /** Answer that the store took. */
  readonly answer: (Answer & { readonly at: string }) | null;
  /** Why the store did not take the last answer. */
  readonly refusal: string | null;
};

/** The decision is in the stream of the request: a transferred purchase has it in the streams of payer and holder. */
const idOf = ({ stream }: RecordedEvent, transactionId: string): string => `${customerIdOf(stream)}|${transactionId}`;

export const refundRequests: Projection<RefundRequestDoc> = defineProjection({
  name: 'refund_requests',
  version: 2,
  families: ['subscriber'],
  indexes: [{ name: 'due', fields: ['projectId', 'state', 'respondBy'] }],
  select: (stored) => {
    const event = ofFamily(stored, 'subscriber');
    return event && touches(subscriberEvents, event, 'refundRequests') ? event : null;
  },
  keys: (event) => [idOf(event, event.data.transactionId)],
  fold: (doc, event) => {
    switch (event.type) {
      case 'ConsumptionInformationRequested': {
        const { purchase, transactionId, reason, respondBy } = event.data;
        const { appId, store, storeProductId, environment } = purchase;
        if (isTestStore(store)) return doc;
        // A late update of the store repeats the question.
        if (doc?.respondBy === respondBy) return doc;
        const { projectId = '', recordedAt: requestedAt } = event.meta;
        const of = { projectId, customerId: customerIdOf(event.stream), transactionId };
        const waiting = { state: 'open' as const, answer: null, refusal: null };
        return { ...of, appId, store, storeProductId, environment, reason, requestedAt, respondBy, ...waiting };
      }
      case 'RefundAnswerSent': {
        const { respondBy, preference, decidedBy, refusal } = event.data;
        if (doc?.respondBy !== respondBy) return doc;
        if (refusal !== null) return { ...doc, refusal };
        const answer = { preference, decidedBy, at: event.meta.at };
        return { ...doc, state: doc.state === 'open' ? 'answered' : doc.state, answer, refusal: null };
      }
      case 'TransactionRefunded':
        return doc && { ...doc, state: 'refunded' };
      case 'RefundDeclined':
        return doc && { ...doc, state: 'declined' };
      default:
        remaining<never>(event);
        return doc;
    }
  },
});

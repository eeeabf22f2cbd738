// Paywalls with their whole configuration, indexed by project and, for clients, by offering and status.
import type { RecordedEvent } from '../../domain/envelope.js';
import { isIn, remaining } from '../../domain/events.js';
import { paywallEvents, type NewPaywall, type PaywallEvent } from '../../domain/catalog/paywalls.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** `revision`: number of configurations so far. `publishedAt`: null for a draft. */
export type PaywallDoc = NewPaywall & {
  readonly projectId: string;
  readonly revision: number;
  readonly publishedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const paywalls: Projection<PaywallDoc> = defineProjection({
  name: 'paywalls',
  version: 1,
  families: ['catalog'],
  indexes: [
    { name: 'project', fields: ['projectId', 'paywallId'] },
    { name: 'offering', fields: ['projectId', 'offeringId', 'status'] },
  ],
  select: (stored) => {
    const event = ofFamily(stored, 'catalog');
    return event && isIn(paywallEvents, event) ? event : null;
  },
  keys: (event) => [event.data.paywallId],
  fold: (doc, event) => {
    switch (event.type) {
      case 'PaywallCreated':
        return newPaywall(event);
      case 'PaywallUpdated':
        return doc && updatePaywall(doc, event);
      case 'PaywallDeleted':
        return null;
      default:
        remaining<never>(event);
        return doc;
    }
  },
});

type EventOfType<T extends PaywallEvent['type']> = Extract<RecordedEvent<PaywallEvent>, { type: T }>;

function newPaywall({ data, meta: { at }, stream }: EventOfType<'PaywallCreated'>): PaywallDoc {
  const projectId = stream.slice('catalog-'.length);
  const publishedAt = data.status === 'published' ? at : null;
  return { ...data, projectId, revision: 1, publishedAt, createdAt: at, updatedAt: at };
}

function updatePaywall(
  doc: PaywallDoc,
  { data: { changes: c }, meta: { at } }: EventOfType<'PaywallUpdated'>,
): PaywallDoc {
  const publishedAt = c.status?.to === 'published' ? at : null;
  return {
    ...doc,
    offeringId: c.offeringId?.to ?? doc.offeringId,
    name: c.name?.to ?? doc.name,
    config: c.config?.to ?? doc.config,
    defaultLocale: c.defaultLocale?.to ?? doc.defaultLocale,
    localizations: c.localizations?.to ?? doc.localizations,
    status: c.status?.to ?? doc.status,
    revision: doc.revision + (c.config ? 1 : 0),
    publishedAt: c.status ? publishedAt : doc.publishedAt,
    updatedAt: at,
  };
}

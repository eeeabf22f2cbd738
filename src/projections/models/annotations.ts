// Annotations of charts by day: notes of members, and automatic ones for changes of the catalogue and of experiments.
import type { CatalogEvent } from '../../domain/catalog/catalog.js';
import type { EntitlementEvent } from '../../domain/catalog/entitlements.js';
import type { PaywallEvent } from '../../domain/catalog/paywalls.js';
import type { TargetingEvent } from '../../domain/catalog/targeting.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import { projectEvents, type AnnotationKind } from '../../domain/project/events.js';
import { familyOf } from '../../domain/streams.js';
import { utcDay } from '../../domain/time.js';
import { type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** Content of an annotation. The names of products and experiments are resolved on read. */
type AnnotationContent =
  | { readonly by: 'member'; readonly text: string }
  | { readonly by: 'price'; readonly productId: string; readonly amountMicros: number; readonly currency: string }
  | { readonly by: 'offering'; readonly lookupKey: string }
  | { readonly by: 'experiment'; readonly experimentId: string; readonly isStart: boolean };

/** `annotationId`: for an automatic annotation, the id of its event. */
export type AnnotationDoc = {
  readonly projectId: string;
  readonly annotationId: string;
  /** UTC day. */
  readonly day: string;
  readonly kind: AnnotationKind;
  readonly content: AnnotationContent;
  readonly createdAt: string;
};

type IgnoredCatalogueEvent =
  | ('ProductCreated' | 'ProductDeleted' | 'ProductPriceDeleted')
  | ('PackageCreated' | 'PackageDeleted' | 'PackageProductAttached' | 'PackageProductDetached')
  | (EntitlementEvent['type'] | PaywallEvent['type'] | TargetingEvent['type']);
type IgnoredExperimentEvent =
  | ('ExperimentCreated' | 'ExperimentUpdated' | 'ExperimentDeleted')
  | ('ExperimentVariantAdded' | 'ExperimentVariantDeleted');

export const annotations: Projection<AnnotationDoc> = {
  name: 'annotations',
  version: 1,
  families: ['project', 'catalog', 'experiment'],
  indexes: [{ name: 'project', fields: ['projectId', 'day', 'annotationId'] }],
  keys: (stored) => {
    if (familyOf(stored.stream) !== 'project') return catalogueChange(stored) ? [stored.id] : [];
    const event = ofFamily(stored, 'project');
    if (!event || !touches(projectEvents, event, 'annotations')) return [];
    switch (event.type) {
      case 'AnnotationAdded':
      case 'AnnotationDeleted':
        return [event.data.annotationId];
    }
  },
  fold: (doc, stored) => {
    const { meta, id } = stored;
    const created = { projectId: meta.projectId ?? '', createdAt: meta.at };
    const event = ofFamily(stored, 'project');
    if (event?.type === 'AnnotationDeleted') return null;
    if (event?.type === 'AnnotationAdded') {
      const { text, ...data } = event.data;
      return { ...created, ...data, content: { by: 'member', text } };
    }
    const change = catalogueChange(stored);
    return change ? { ...created, annotationId: id, ...change } : doc;
  },
};

type CatalogueChange = Pick<AnnotationDoc, 'day' | 'kind' | 'content'>;

function catalogueChange(stored: RecordedEvent): CatalogueChange | null {
  const day = utcDay(stored.meta.at);
  return priceOrOfferingChange(ofFamily(stored, 'catalog'), day) ?? experimentChange(stored, day);
}

/** A price is annotated on the day on which it starts. */
function priceOrOfferingChange(event: RecordedEvent<CatalogEvent> | null, day: string): CatalogueChange | null {
  if (!event) return null;
  switch (event.type) {
    case 'ProductPriceAdded': {
      const { productId, amountMicros, currency, startsAt } = event.data;
      const content = { by: 'price' as const, productId, amountMicros, currency };
      return { day: startsAt === null ? day : utcDay(startsAt), kind: 'price', content };
    }
    case 'OfferingCreated':
    case 'OfferingUpdated': {
      const { data } = event;
      const isCurrent = 'changes' in data ? data.changes.isCurrent?.to === true : data.isCurrent;
      return isCurrent ? { day, kind: 'offering', content: { by: 'offering', lookupKey: data.lookupKey } } : null;
    }
    default:
      remaining<IgnoredCatalogueEvent>(event);
      return null;
  }
}

function experimentChange(stored: RecordedEvent, day: string): CatalogueChange | null {
  const event = ofFamily(stored, 'experiment');
  if (!event) return null;
  switch (event.type) {
    case 'ExperimentStarted':
    case 'ExperimentStopped': {
      const { experimentId } = event.data;
      const isStart = event.type === 'ExperimentStarted';
      return { day, kind: 'experiment', content: { by: 'experiment', experimentId, isStart } };
    }
    default:
      remaining<IgnoredExperimentEvent>(event);
      return null;
  }
}

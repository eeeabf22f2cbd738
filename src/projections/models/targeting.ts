// Placements and targeting rules of a project, in one document: every request for offerings reads all of them, and they have an order.
import type { RecordedEvent } from '../../domain/envelope.js';
import {
  evolveTargeting,
  noTargeting,
  targetingEvents,
  type Targeting,
  type TargetingEvent,
} from '../../domain/catalog/targeting.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';
import { isIn } from '../../domain/events.js';

type Times = { readonly createdAt: string; readonly updatedAt: string };

/** Its id is that of the project. `times`: by id of the placement or rule. */
export type TargetingDoc = Targeting & {
  readonly projectId: string;
  readonly times: { readonly [id: string]: Times };
};

export const targeting: Projection<TargetingDoc> = defineProjection({
  name: 'targeting',
  version: 1,
  families: ['catalog'],
  indexes: [],
  select: targetingEvent,
  keys: ({ stream }) => [projectIdOf(stream)],
  fold: (doc, event) => foldTargeting(doc ?? emptyTargeting(projectIdOf(event.stream)), event),
});

export function emptyTargeting(projectId: string): TargetingDoc {
  return { projectId, ...noTargeting, times: {} };
}

function foldTargeting(doc: TargetingDoc, event: RecordedEvent<TargetingEvent>): TargetingDoc {
  const id = 'ruleId' in event.data ? event.data.ruleId : event.data.placementId;
  const { [id]: former, ...others } = doc.times;
  const { at } = event.meta;
  const isDeleted = event.type === 'PlacementDeleted' || event.type === 'TargetingRuleDeleted';
  const times = isDeleted ? others : { ...others, [id]: { createdAt: former?.createdAt ?? at, updatedAt: at } };
  return { ...evolveTargeting(doc, event), times };
}

/** Returns when a placement or a rule of the document was created and changed. */
export function timesOf({ times, projectId }: TargetingDoc, id: string): Times {
  const found = times[id];
  if (!found) throw new Error(`the targeting of ${projectId} has no times of ${id}`);
  return found;
}

function targetingEvent(stored: RecordedEvent): RecordedEvent<TargetingEvent> | null {
  const event = ofFamily(stored, 'catalog');
  return event && isIn(targetingEvents, event) ? event : null;
}

function projectIdOf(stream: string): string {
  return stream.slice('catalog-'.length);
}

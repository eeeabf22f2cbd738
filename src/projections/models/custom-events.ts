// Positions in the log of the app's custom events, by time. Their content is encrypted and only read from the log, never copied.
import type { RecordedEvent, StreamName } from '../../domain/envelope.js';
import { customerIdOf } from '../../domain/streams.js';
import type { ActivityEvent } from '../../domain/subscriber/events/events.js';
import { ofFamily } from '../runtime/events-of.js';
import type { Projection } from '../runtime/projection.js';

/** Its id is the id of the domain event. */
export type CustomEventDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly name: string;
  readonly occurredAt: string;
  readonly stream: StreamName;
  readonly revision: number;
};

const fields = ['occurredAt'];

export const customEvents: Projection<CustomEventDoc> = {
  name: 'custom_events',
  version: 1,
  families: ['activity'],
  indexes: [
    { name: 'project', fields: ['projectId', ...fields] },
    { name: 'name', fields: ['projectId', 'name', ...fields] },
    { name: 'customer', fields: ['projectId', 'customerId', ...fields] },
    { name: 'customerAndName', fields: ['projectId', 'customerId', 'name', ...fields] },
  ],
  onPoison: 'park',
  isPartitioned: true,
  keys: (event) => (event.type === 'CustomEventRecorded' ? [event.id] : []),
  fold: (doc, stored) => {
    const event = customEvent(stored);
    if (!event || event.type !== 'CustomEventRecorded') return doc;
    const { stream, revision, meta, data } = event;
    const { name, occurredAt } = data;
    const projectId = meta.projectId ?? '';
    return { projectId, customerId: customerIdOf(stream), name, occurredAt, stream, revision };
  },
  derived: [],
};

function customEvent(stored: RecordedEvent): RecordedEvent<ActivityEvent> | null {
  return ofFamily<ActivityEvent>(stored, 'activity');
}

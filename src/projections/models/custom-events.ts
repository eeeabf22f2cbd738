// Positions in the log of the app's custom events, by time. Their content is encrypted and only read from the log, never copied.
import type { StreamName } from '../../domain/envelope.js';
import { customerIdOf } from '../../domain/streams.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** Its id is the id of the domain event. */
export type CustomEventDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly name: string;
  readonly occurredAt: string;
  readonly stream: StreamName<'activity'>;
  readonly revision: number;
};

const fields = ['occurredAt'];

export const customEvents: Projection<CustomEventDoc> = defineProjection({
  name: 'custom_events',
  version: 1,
  families: ['activity'],
  indexes: [
    { name: 'project', fields: ['projectId', ...fields] },
    { name: 'name', fields: ['projectId', 'name', ...fields] },
    { name: 'customer', fields: ['projectId', 'customerId', ...fields] },
    { name: 'customerAndName', fields: ['projectId', 'customerId', 'name', ...fields] },
  ],
  isPartitioned: true,
  select: (stored) => {
    const event = ofFamily(stored, 'activity');
    return event?.type === 'CustomEventRecorded' ? event : null;
  },
  keys: ({ id }) => [id],
  fold: (_doc, { stream, revision, meta, data: { name, occurredAt } }) => {
    const projectId = meta.projectId ?? '';
    return { projectId, customerId: customerIdOf(stream), name, occurredAt, stream, revision };
  },
});

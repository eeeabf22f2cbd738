// Timeline entries for assistants: what happened, when, by whom and with which effect, without event data and raw bodies.
import { z } from 'zod';
import type { Schemas } from '#sdk/client.js';
import { timelineEntry } from '../customers/responses.js';
import type { ToolContext } from './tool.js';

const { shape } = timelineEntry;

export const entry = timelineEntry
  .pick({
    id: true,
    at: true,
    recordedAt: true,
    type: true,
    summary: true,
    actor: true,
    access: true,
    superseded: true,
  })
  .extend({
    cause: z.string().nullable().meta({ description: 'Store notification or request that led to it.' }),
    deliveries: z.array(shape.deliveries.element.pick({ type: true, state: true })),
  })
  .strip();

/** Names of users are personal: often an email address. */
export function toEntry(
  { cause, deliveries, actor, ...one }: Schemas['TimelineEntry'],
  { showsPersonal }: Pick<ToolContext, 'showsPersonal'>,
) {
  return {
    ...one,
    actor: actor.kind === 'user' && !showsPersonal ? { ...actor, name: null } : actor,
    cause: cause && causeText(cause),
    deliveries: deliveries.map(({ type, state }) => ({ type, state })),
  };
}

function causeText(cause: NonNullable<Schemas['TimelineEntry']['cause']>): string {
  if ('request' in cause) return `request ${cause.request.id}`;
  if ('report' in cause) return cause.report.text;
  const { id, store, type } = cause.notification;
  return `notification ${id}: ${type} of the ${store}`;
}

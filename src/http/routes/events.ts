// What apps record of their own: one event, or many at once.
import { z } from 'zod';
import { EVENT_DAYS_BACK, recordCustomEvents, type CustomEvent } from '../../commands/activity.js';
import { customerId } from '../../domain/ids.js';
import type { JsonValue } from '../../domain/json.js';
import { customers } from '../../projections/customers.js';
import { recorded } from '../answers/subscribers.js';
import { HttpError } from '../errors.js';
import { freeForm } from '../free-form.js';
import { defineRoute, shownIn, type Route } from '../route.js';
import { appUserId, instant } from '../schemas.js';
import type { Services } from '../services.js';

const PROPERTIES_KIB = 8;
const MOST_AT_ONCE = 100;
const DAY_MS = 86_400_000;
const MOST_AHEAD_MS = 5 * 60_000;

const isPlain = (value: JsonValue) => typeof value !== 'object' || value === null;

const event = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_.$-]{1,100}$/, 'must be 1 to 100 of letters, digits, _ . $ -'),
  appUserId,
  properties: freeForm(PROPERTIES_KIB)
    .refine((all) => Object.values(all).every(isPlain), 'must be flat: texts, numbers, booleans or null')
    .default({}),
  occurredAt: instant.optional(),
  eventId: z.uuid('must be a UUID').optional(),
});
type Event = z.output<typeof event>;

const batch = z.strictObject({ events: z.array(event).min(1).max(MOST_AT_ONCE) });

/** The findings of the form that was meant: those of the other one help nobody. */
const eventsBody = z
  .union([batch, event], {
    error: ({ errors, input }) => {
      const isBatch = typeof input === 'object' && input !== null && 'events' in input;
      const findings = (errors?.[isBatch ? 0 : 1] ?? []).slice(0, 10);
      return findings.map((f) => `${f.path.length > 0 ? `${f.path.join('.')}: ` : ''}${f.message}`).join('; ');
    },
  })
  .transform((b) => ({ isBatch: 'events' in b, events: 'events' in b ? b.events : [b] }));

function checkTimes(nowMs: number, { isBatch, events }: z.output<typeof eventsBody>): void {
  for (const [index, { occurredAt }] of events.entries()) {
    const ms = occurredAt === undefined ? nowMs : Date.parse(occurredAt);
    if (ms >= nowMs - EVENT_DAYS_BACK * DAY_MS && ms <= nowMs + MOST_AHEAD_MS) continue;
    const field = isBatch ? `events.${index}.occurredAt` : 'occurredAt';
    throw new HttpError(400, `${field}: must be at most ${EVENT_DAYS_BACK} days ago and 5 minutes ahead`);
  }
}

/** By whom: a customer who was merged into another acts as that one. */
async function withCustomers(
  { deps, views }: Services,
  projectId: string,
  events: readonly Event[],
): Promise<CustomEvent[]> {
  const ids = events.map((e) => customerId(deps.hash, projectId, e.appUserId));
  const found = await views.getMany(customers, [...new Set(ids)]);
  return events.map(({ name, properties, occurredAt = null, eventId = null }, i) => {
    const id = ids[i] ?? '';
    return {
      customerId: found.get(id)?.profile.mergedInto?.customerId ?? id,
      name,
      properties,
      occurredAt,
      eventId,
    };
  });
}

export const eventRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/events',
    access: 'sdkKey',
    summary: 'Record a custom event, or several',
    body: eventsBody,
    answer: recorded,
    statuses: [201],
    handle: async ({ scope: { projectId }, by, body }, services) => {
      checkTimes(services.runtime.now(), body);
      const events = await withCustomers(services, projectId, body.events);
      const { accepted, duplicates, position } = await recordCustomEvents(services.deps, by, projectId, events);
      const after = position === null ? {} : { after: shownIn(position, customers) };
      return { status: 201, body: { accepted, duplicates }, ...after };
    },
  }),
];

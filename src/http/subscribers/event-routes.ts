// Recording of custom events, single or in batches.
import { z } from 'zod';
import { MAX_EVENT_AGE_DAYS, recordCustomEvents, type CustomEvent } from '../../commands/subscribers/activity.js';
import { registerSubscriber } from '../../commands/subscribers/subscribers.js';
import { latestOf, type LogPosition } from '../../domain/envelope.js';
import { customerId } from '../../domain/ids.js';
import type { JsonValue } from '../../domain/values/json-object.js';
import { customEvents } from '../../projections/models/custom-events.js';
import { customers } from '../../projections/models/customers.js';
import { recordedEvents } from './responses.js';
import { HttpError } from '../bodies/errors.js';
import { validationMessagesOf } from '../../domain/values/validation-messages.js';
import { appUserId } from '../../domain/values/user-text.js';
import { freeForm, instant } from '../bodies/request-schemas.js';
import { findSubscriber } from '../customers/read-customer.js';
import { defineRoute, readModelsAt, type Input, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const PROPERTIES_KIB = 8;
const MAX_BATCH = 100;
const DAY_MS = 86_400_000;
const MAX_AHEAD_MS = 5 * 60_000;
/** Number of earlier names under which a duplicate from before a login is searched: hundreds of names cost no more. */
const MAX_EARLIER_NAMES = 4;

const isPlain = (value: JsonValue) => typeof value !== 'object' || value === null;

const event = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_.$-]{1,100}$/, 'must be 1 to 100 of letters, digits, _ . $ -'),
  appUserId,
  properties: freeForm(PROPERTIES_KIB)
    .refine((all) => Object.values(all).every(isPlain), 'must be flat: strings, numbers, booleans or null')
    .default({}),
  occurredAt: instant.optional(),
  eventId: z.uuid('must be a UUID').optional(),
});
type Event = z.output<typeof event>;

const batch = z.strictObject({ events: z.array(event).min(1).max(MAX_BATCH) });

/** Reports the findings of the intended form only. */
const eventsBody = z
  .union([batch, event], {
    error: ({ errors, input }) => {
      const isBatch = typeof input === 'object' && input !== null && 'events' in input;
      return validationMessagesOf(errors?.[isBatch ? 0 : 1] ?? []).join('; ');
    },
  })
  .transform((b) => ({ isBatch: 'events' in b, events: 'events' in b ? b.events : [b] }));

function checkTimes(nowMs: number, { isBatch, events }: z.output<typeof eventsBody>): void {
  for (const [index, { occurredAt }] of events.entries()) {
    const ms = occurredAt === undefined ? nowMs : Date.parse(occurredAt);
    if (ms >= nowMs - MAX_EVENT_AGE_DAYS * DAY_MS && ms <= nowMs + MAX_AHEAD_MS) continue;
    const field = isBatch ? `events.${index}.occurredAt` : 'occurredAt';
    throw new HttpError(
      400,
      `${field} must be at most ${MAX_EVENT_AGE_DAYS} days in the past and 5 minutes in the future`,
    );
  }
}

/** Resolves the customers of events: a merged customer is replaced by the one it was merged into, and an unknown one is created. */
async function resolveCustomers(
  services: Services,
  { by, scope: { projectId } }: Pick<Input<unknown, unknown, unknown>, 'by' | 'scope'>,
  events: readonly Event[],
): Promise<{ readonly events: readonly CustomEvent[]; readonly createdAt: LogPosition | null }> {
  const idOf = (appUserId: string) => customerId(services.deps.hash, projectId, appUserId);
  const names = [...new Set(events.map((e) => e.appUserId))];
  const found = await Promise.all(
    names.map(async (appUserId) => {
      const known = await findSubscriber(services, projectId, appUserId);
      if (known?.profile.status === 'known') {
        const earlier = known.profile.aliases.slice(-MAX_EARLIER_NAMES).map(idOf);
        return { appUserId, person: [known.customerId, ...earlier] as const, position: null };
      }
      const created = await registerSubscriber(services.deps, by, projectId, appUserId, { source: 'sdk' });
      return { appUserId, person: [created.customerId] as const, position: created.position };
    }),
  );
  const people = new Map<string, CustomEvent['person']>(found.map((f) => [f.appUserId, f.person]));
  const toRecord = events.map(({ name, appUserId, properties, occurredAt = null, eventId = null }) => {
    const own = idOf(appUserId);
    return { customerId: own, person: people.get(appUserId) ?? [own], name, properties, occurredAt, eventId } as const;
  });
  const createdAt = found.reduce<LogPosition | null>((last, f) => latestOf(last, f.position), null);
  return { events: toRecord, createdAt };
}

export const eventRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/events',
    access: 'sdkKey',
    permission: 'recordSubscriber',
    summary: 'Record a custom event, or several',
    description:
      'Duplicates are recognised by `eventId`, also after a login, or by the same `Idempotency-Key`. `occurredAt` defaults to the time when the event was first sent.',
    body: eventsBody,
    response: recordedEvents,
    statuses: [201],
    handle: async (input, services) => {
      const { scope, by, body } = input;
      checkTimes(services.runtime.now(), body);
      const sending = { caller: input.caller, ip: () => input.ip, projectId: scope.projectId };
      const names = body.events.map(({ appUserId }) => appUserId);
      await services.limits.countEvents(sending, names);
      const { events, createdAt } = await resolveCustomers(services, input, body.events);
      const { accepted, duplicates, position } = await recordCustomEvents(services.deps, by, scope.projectId, events);
      const newest = latestOf(createdAt, position);
      const after = newest === null ? {} : { after: readModelsAt(newest, customers, customEvents) };
      return { body: { accepted, duplicates }, ...after };
    },
  }),
];

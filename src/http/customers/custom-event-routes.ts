// Reads of custom events, newest first: of a project, a customer or a name.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { customerId } from '../../domain/ids.js';
import { customEvents, type CustomEventDoc } from '../../projections/models/custom-events.js';
import { customers } from '../../projections/models/customers.js';
import { freeObject, personal, time, type BodyOf } from '../bodies/response-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { findCustomer } from './read-customer.js';
import { firstPage, unknownCursorError } from '../bodies/paging.js';
import { defineListRoute, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { instant, limit } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import { readStream } from '../../adapters/event-log/port.js';

const listQuery = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.$-]{1,100}$/, 'must be the name of an event')
    .optional(),
  customer: text(255).optional(),
  since: instant.optional(),
  limit,
  startingAfter: z.uuid().optional(),
});
type Query = z.output<typeof listQuery>;

const customEvent = z
  .strictObject({
    object: z.literal('event'),
    id: z.string(),
    customerId: z.string(),
    appUserId: z.string().nullable(),
    name: z.string(),
    properties: personal(freeObject.nullable()).meta({ description: 'Null for a customer who was erased.' }),
    occurredAt: time,
    recordedAt: time.meta({ description: 'When it was recorded.' }),
    eventId: z.string().meta({ description: 'Identifies duplicates.' }),
  })
  .meta({ id: 'CustomEvent' });

type Row = { readonly id: string; readonly doc: CustomEventDoc };

/** Returns the IDs of the customer and of those merged into it; null for all customers. Throws {@link HttpError} 400 for an unknown one. */
async function customerIdsOf(
  services: Services,
  projectId: string,
  cid: string | undefined,
): Promise<readonly string[] | null> {
  if (cid === undefined) return null;
  const doc = await findCustomer(services, projectId, cid);
  if (doc?.profile.status !== 'known') throw new HttpError(400, 'customer: no customer with this ID in this project');
  const merged = doc.profile.aliases.map((alias) => customerId(services.deps.hash, projectId, alias));
  return [...new Set([doc.customerId, ...merged])];
}

/** Reads a page of one customer, or of all customers if `owner` is null, after `last`. */
async function readPage({ readModels }: Services, projectId: string, owner: string | null, q: Query, last: Row | null) {
  const index =
    owner === null
      ? q.name === undefined
        ? 'project'
        : 'name'
      : q.name === undefined
        ? 'customer'
        : 'customerAndName';
  const eq = [projectId, ...(owner === null ? [] : [owner]), ...(q.name === undefined ? [] : [q.name])];
  const fields = customEvents.indexes.find((i) => i.name === index)?.fields ?? [];
  const at = last && { ...last.doc, ...(owner !== null && { customerId: owner }) };
  const after = last && at ? { after: encodeCursor(index, fields, { id: last.id, guard: '', doc: at }) } : {};
  const from = q.since === undefined ? {} : { from: q.since };
  return (await readModels.scan(customEvents, { index, eq, ...from, limit: q.limit + 1, reverse: true, ...after }))
    .rows;
}

async function listEvents(services: Services, projectId: string, q: Query) {
  const owners = await customerIdsOf(services, projectId, q.customer);
  const last = q.startingAfter === undefined ? null : await requireRow(services, projectId, q.startingAfter);
  if (last && q.name !== undefined && last.doc.name !== q.name) throw unknownCursorError();
  if (last && owners && !owners.includes(last.doc.customerId)) throw unknownCursorError();
  const pages = await Promise.all((owners ?? [null]).map((owner) => readPage(services, projectId, owner, q, last)));
  const rows = pages.flat().sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1));
  return firstPage(rows, q.limit, ({ id }) => id);
}

const sortKeyOf = ({ id, doc }: Row) => `${doc.occurredAt}|${id}`;

async function requireRow(services: Services, projectId: string, id: string): Promise<Row> {
  const doc = await services.readModels.get(customEvents, id);
  if (doc?.projectId !== projectId) throw unknownCursorError();
  return { id, doc };
}

/** Reads the event from the log; null if it was erased. */
async function readEvent({ deps }: Services, { id, doc }: Row) {
  for await (const event of readStream(deps.log, doc.stream, doc.revision > 0 ? doc.revision - 1 : undefined)) {
    return event.id === id && event.type === 'CustomEventRecorded' ? event : null;
  }
  return null;
}

async function presentEvents(services: Services, rows: readonly Row[]): Promise<readonly BodyOf<typeof customEvent>[]> {
  const names = await services.readModels.getMany(customers, [...new Set(rows.map((r) => r.doc.customerId))]);
  const events = await Promise.all(rows.map((row) => readEvent(services, row)));
  return rows.flatMap(({ doc: { customerId } }, i) => {
    const event = events[i];
    if (!event) return [];
    const { name, properties, occurredAt, eventId } = event.data;
    const appUserId = names.get(customerId)?.profile.appUserId ?? '';
    const { recordedAt } = event.meta;
    const of = { id: event.id, customerId, appUserId: appUserId === '' ? null : appUserId };
    return [{ object: 'event', ...of, name, properties, occurredAt, recordedAt, eventId }];
  });
}

export const customEventRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/events',
    permission: 'readCustomers',
    summary: 'List custom events, newest first',
    description: '`customer` is a customer ID or an app user ID; `since` is inclusive.',
    query: listQuery,
    item: customEvent,
    list: async ({ scope: { projectId }, query }, services) => {
      const { items, lastId } = await listEvents(services, projectId, query);
      return { items: await presentEvents(services, items), lastId };
    },
  }),
];

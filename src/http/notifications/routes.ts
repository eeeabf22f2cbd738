// Store notifications: list, details and retry.
import { readRawBody } from '../../adapters/event-log/raw-body.js';
import { z } from 'zod';
import { INBOX_REACTION } from '../../commands/stores/inbox/inbox.js';
import {
  findNotification,
  retryNotification,
  type NotificationDetails,
} from '../../commands/stores/inbox/notifications.js';
import { filterParked } from '../../commands/handling/parked-events.js';
import { notificationStates } from '../../domain/inbox/inbox.js';
import { Rejection, Unavailable } from '../../domain/errors.js';
import { customers } from '../../projections/models/customers.js';
import { notifications, type NotificationDoc } from '../../projections/models/notifications.js';
import { transactions } from '../../projections/models/transactions.js';
import type { ActorViewer } from '../bodies/actors.js';
import { HttpError } from '../bodies/errors.js';
import { id, instant, limit } from '../bodies/request-schemas.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { listNotifications } from './list.js';
import { notification, notificationDetail } from './responses.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { isBookkeeping } from '../../projections/queries/customer-events.js';
import { timelineOf } from '../../projections/queries/timeline.js';
import { readCustomerHistory, findCustomer } from '../customers/read-customer.js';
import { presentEntries } from '../customers/present.js';
import type { BodyOf } from '../bodies/response-schemas.js';

const listQuery = z.strictObject({
  appId: id.optional(),
  state: z.enum(notificationStates).optional(),
  since: instant.optional(),
  limit,
  startingAfter: z.string().max(100).optional(),
});
const params = z.object({ id, nid: z.string().max(100) });
/** Refuses unknown fields of a body that has none. */
const emptyBody = z.strictObject({}).optional();

const NOTIFICATION_ID = /^[a-z]+_[0-9a-z]{26}_[0-9a-z]{26}$/;

/** Throws {@link HttpError} 404. */
async function requireNotification({ deps }: Services, projectId: string, nid: string): Promise<NotificationDetails> {
  const found = NOTIFICATION_ID.test(nid) ? await findNotification(deps, projectId, nid) : null;
  if (!found) throw new HttpError(404, 'notification not found in this project');
  return found;
}

async function presentDetail(
  services: Services,
  viewer: ActorViewer,
  nid: string,
): Promise<BodyOf<typeof notificationDetail>> {
  const found = await requireNotification(services, viewer.projectId, nid);
  const { received, state, finished, customerId, error, nextAttemptAt, waitsForCredentials } = found;
  const { appId, store, notificationType, subtype, contentType = null, signedAt } = received.data;
  const integration = services.deps.stores.of(store);
  const rawBody = await readRawBody(services.deps.log, received.data.rawBody);
  const { outcome = null, reason = null, at: finishedAt = null } = finished ?? {};
  return {
    ...{ object: 'notification', id: nid, appId, store },
    type: subtype === null ? notificationType : `${notificationType}/${subtype}`,
    ...{ state, outcome, reason, customerId, receivedAt: received.meta.recordedAt, signedAt, finishedAt },
    ...{ nextAttemptAt, waitsForCredentials, error },
    ...(await readResultingEvents(services, viewer, found)),
    revocationChecked: integration.revocationChecked(received.data.decoded),
    words: integration.decodeFully(rawBody),
    ...{ rawBody, contentType },
  };
}

/** Retries a notification. An internal error leaves it unchanged, which the response shows. */
async function retry(services: Services, { received }: NotificationDetails, requestId: string): Promise<void> {
  const { deps, log } = services;
  try {
    await retryNotification(deps, received);
  } catch (err) {
    if (err instanceof Rejection || err instanceof Unavailable) throw err;
    const stack = err instanceof Error ? err.stack : String(err);
    log.error({ requestId, notificationId: received.data.inboxId, stack }, 'notification retry failed');
  }
}

async function presentList(
  { deps }: Services,
  rows: readonly { readonly id: string; readonly doc: NotificationDoc }[],
): Promise<readonly BodyOf<typeof notification>[]> {
  const waiting = rows.filter(({ doc }) => doc.state === 'waiting').map(({ doc }) => doc.eventId);
  const parked = await filterParked(deps.docs, INBOX_REACTION, waiting);
  return rows.map(({ id: nid, doc: { projectId: _project, eventId, state, ...doc } }) => ({
    object: 'notification',
    id: nid,
    ...doc,
    state: parked.has(eventId) ? 'parked' : state,
  }));
}

const base = '/v1/projects/:id/notifications';

export const notificationRoutes: readonly Route[] = [
  defineListRoute({
    path: base,
    permission: 'readCustomers',
    summary: 'List store notifications, newest first',
    description:
      '`since`: received at this instant or later. A page can contain fewer items than `limit` although there are more.',
    query: listQuery,
    item: notification,
    list: async ({ scope: { projectId }, query }, services) => {
      const { items, lastId } = await listNotifications(services, projectId, query);
      return { items: await presentList(services, items), lastId };
    },
  }),
  defineRoute({
    method: 'get',
    path: `${base}/:nid`,
    permission: 'readCustomers',
    summary: 'Get a store notification with its decoded content and result',
    params,
    response: notificationDetail,
    handle: async ({ params: { nid }, scope: { projectId }, caller }, services) => ({
      body: await presentDetail(services, { projectId, caller }, nid),
    }),
  }),
  defineRoute({
    method: 'post',
    path: `${base}/:nid/retry`,
    permission: 'support',
    summary: 'Retry a store notification',
    description:
      'Processes it again with the current version. Missing events are added, none is duplicated. 409 if the store rejects the request.',
    params,
    body: emptyBody,
    response: notificationDetail,
    handle: async ({ params: { nid }, scope: { projectId }, caller, by }, services) => {
      const found = await requireNotification(services, projectId, nid);
      await retry(services, found, by.requestId);
      const after = readModelsAt(await services.deps.log.head(), notifications, customers, transactions);
      const about = found.customerId === null ? [] : [found.customerId];
      return { body: () => presentDetail(services, { projectId, caller }, nid), after, customers: about };
    },
  }),
];

// Effect of a notification on the customer's timeline: its events, or else the earlier events that it confirms.
type CustomerEvent = RecordedEvent<SubscriberEvent>;

/**
 * Reads the effect. `eventIds` excludes bookkeeping events of the order of arrival, which no timeline shows. `confirms` is empty if there
 * are `events`.
 */
async function readResultingEvents(
  services: Services,
  { projectId, caller }: ActorViewer,
  { customerId, received, eventIds }: NotificationDetails,
) {
  const owner = customerId === null ? undefined : await findCustomer(services, projectId, customerId);
  if (!owner) return { eventIds, events: [], confirms: [] };
  const { histories, rules } = await readCustomerHistory(services, projectId, owner.customerId);
  const all: readonly CustomerEvent[] = histories.flat();
  const hidden = all.filter((e) => isBookkeeping(e) && e.meta.correlationId === received.stream);
  const hiddenIds = new Set(hidden.map((e) => e.id));
  const ofNotification = (e: RecordedEvent) => e.meta.correlationId === received.stream;
  const events = timelineOf(histories, rules, [], (events) => events.filter(ofNotification));
  const transactionIds = new Set(hidden.flatMap(transactionsOf));
  const isConfirmed = (e: RecordedEvent) => !ofNotification(e) && transactionIds.has(transactionOf(e) ?? '');
  const confirms = events.length > 0 ? [] : timelineOf(histories, rules, [], (events) => events.filter(isConfirmed));
  return {
    eventIds: eventIds.filter((id) => !hiddenIds.has(id)),
    events: await presentEntries(services, { projectId, caller }, events),
    confirms: await presentEntries(services, { projectId, caller }, confirms),
  };
}

const purchase = z.looseObject({ purchase: z.looseObject({ transactionId: z.string() }).optional() });
const updateCommands = z.array(purchase);

/** Returns the transaction IDs of the retained update. */
function transactionsOf({ meta }: CustomerEvent): readonly string[] {
  const commands = updateCommands.safeParse(meta.update ? JSON.parse(meta.update.commands) : []);
  return commands.success ? commands.data.flatMap((c) => c.purchase?.transactionId ?? []) : [];
}

function transactionOf({ data }: RecordedEvent): string | undefined {
  const found = purchase.safeParse(data);
  return found.success ? found.data.purchase?.transactionId : undefined;
}

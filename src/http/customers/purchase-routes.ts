// Routes for support: look up a transaction, transfer a purchase, and refresh purchases from the stores.
import { z } from 'zod';
import { refreshFromStores } from '../../commands/stores/refresh.js';
import { performTestAction } from '../../commands/stores/test/actions.js';
import { movePurchase } from '../../commands/subscribers/move-purchase.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { customers } from '../../projections/models/customers.js';
import { transactionDocId, transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import { findSettlement } from '../../projections/books/settlement.js';
import { timelineOf } from '../../projections/queries/timeline.js';
import { customerDetail, timelineEntry, transactionDetail } from './responses.js';
import { readCustomerHistory, requireCustomer, readTransactions, readEntitlementRules } from './read-customer.js';
import { text } from '../../domain/values/user-text.js';
import type { ActorViewer } from '../bodies/actors.js';
import { presentSettlement } from '../books/settlement-responses.js';
import { HttpError } from '../bodies/errors.js';
import { id, instant } from '../bodies/request-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { presentCustomerDetail, presentEntries, presentTransactionDetail } from './present.js';
import { customerParams } from './routes.js';
import { NoCredentials, StoreRefusal } from '../../domain/errors.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { ofFamily } from '../../domain/vocabulary.js';

function isAbout(event: RecordedEvent, transactionId: string): boolean {
  const own = ofFamily(event, 'subscriber');
  if (!own) return false;
  const isOwn = 'transactionId' in own.data && own.data.transactionId === transactionId;
  return isOwn || ('purchase' in own.data && own.data.purchase.transactionId === transactionId);
}

async function presentCurrentCustomer(services: Services, projectId: string, customerId: string) {
  const doc = await requireCustomer(services, projectId, customerId);
  const rules = await readEntitlementRules(services, projectId, [doc.profile]);
  const all = await readTransactions(services.readModels, doc.customerId);
  return presentCustomerDetail(doc, all, isoFromMs(services.runtime.now()), rules);
}

/** Presents the events of a customer after a position. */
async function presentChanges(services: Services, viewer: ActorViewer, customerId: string, before: LogPosition) {
  const { histories, rules } = await readCustomerHistory(services, viewer.projectId, customerId);
  const pick = (all: readonly RecordedEvent[]) => all.filter((e) => e.position > before);
  return presentEntries(services, viewer, timelineOf(histories, rules, [], pick));
}

const transactionParams = z.object({ id, transactionId: text(200) });

const testAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('renew'), expiresAt: instant.optional() }),
  z.strictObject({ action: z.literal('billing_issue'), graceEndsAt: instant.nullable().optional() }),
  z.strictObject({ action: z.enum(['cancel', 'uncancel', 'expire', 'refund']) }),
]);

export const purchaseRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/transactions/:transactionId',
    permission: 'readCustomers',
    summary: 'Get a transaction, with its customer, amounts and events',
    description:
      'Order IDs are accepted too: an android-store order ID is the transaction ID; an ios-store order ID is looked up at the store, which requires its credentials.',
    params: transactionParams,
    response: transactionDetail,
    handle: async ({ params, scope: { projectId }, caller }, services) => {
      const doc = await requireTransaction(services, projectId, params.transactionId);
      const owner = await requireCustomer(services, projectId, doc.customerId);
      const { histories, rules } = await readCustomerHistory(services, projectId, owner.customerId);
      const pick = (all: readonly RecordedEvent[]) => all.filter((e) => isAbout(e, doc.transactionId));
      const events = timelineOf(histories, rules, [], pick);
      const entries = await presentEntries(services, { projectId, caller }, events);
      const settlement = presentSettlement(await findSettlement(services.books, doc));
      return { body: presentTransactionDetail(doc, owner, { events: entries, settlement }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/customers/:cid/purchases/transfer',
    permission: 'support',
    summary: 'Move a purchase to this customer',
    description: 'Moves the whole purchase line of the transaction. `reason` is stored in the log.',
    example: { transactionId: '2000000123456789', reason: 'The buyer logged in with the wrong account.' },
    params: customerParams,
    body: z.strictObject({ transactionId: text(200), reason: text(500) }),
    response: z.strictObject({ object: z.literal('transfer'), from: customerDetail, to: customerDetail }),
    handle: async ({ params, scope: { projectId }, body, by }, services) => {
      const { customerId: to, profile } = await requireCustomer(services, projectId, params.cid);
      const { customerId: from, transactionId } = await requireTransaction(services, projectId, body.transactionId);
      const { reason: note } = body;
      await movePurchase(services.deps, by, projectId, { from, transactionId, toAppUserId: profile.appUserId, note });
      const after = readModelsAt(await services.deps.log.head(), customers, transactions);
      const present = async () => ({
        object: 'transfer' as const,
        from: await presentCurrentCustomer(services, projectId, from),
        to: await presentCurrentCustomer(services, projectId, to),
      });
      return { body: present, after };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/customers/:cid/refresh',
    permission: 'support',
    summary: 'Refresh all purchases of a customer from the stores',
    params: customerParams,
    response: z
      .strictObject({
        object: z.literal('refresh'),
        requestedLines: z.int().meta({ description: 'Number of purchase lines requested from a store.' }),
        changed: z.array(timelineEntry),
        failed: z.array(z.strictObject({ subscriptionId: z.string(), reason: z.string() })),
      })
      .meta({ id: 'Refresh' }),
    handle: async ({ params, scope: { projectId }, caller, by }, services) => {
      const { deps } = services;
      const { customerId } = await requireCustomer(services, projectId, params.cid);
      const before = await deps.log.head();
      const { requestedLines, failed } = await refreshFromStores(deps, by, projectId, customerId);
      const after = readModelsAt(await deps.log.head(), customers, transactions);
      const present = async () => {
        const changed = await presentChanges(services, { projectId, caller }, customerId, before);
        return { object: 'refresh' as const, requestedLines, changed, failed };
      };
      return { body: present, after };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/transactions/:transactionId/test-action',
    permission: 'support',
    summary: 'Act as the test store on a purchase',
    description: [
      'For purchases of the test store only; those of other stores get 409. Each action takes effect now and is recorded as the same fact',
      'that a real store reports, in the timeline, sandbox charts and webhooks. `renew` ends the running period and begins the next, which',
      'ends at `expiresAt`, or after the duration of the product; an ended subscription is signed up for again. `cancel` and `uncancel` turn',
      'auto-renewal off and on. `billing_issue` makes the next renewal fail: a grace period follows the paid period until `graceEndsAt`, by',
      'default for the grace period of the product or 3 days, and none if null. `expire` ends the subscription. `refund` refunds the',
      'transaction in full, by the refund policy of the app.',
    ].join('\n'),
    example: { action: 'renew' },
    params: transactionParams,
    body: testAction,
    response: z
      .strictObject({
        object: z.literal('test_action'),
        customer: customerDetail,
        changed: z.array(timelineEntry),
      })
      .meta({ id: 'TestAction' }),
    handle: async ({ params, scope: { projectId }, caller, body, by }, services) => {
      const { deps, readModels } = services;
      const charge = await readModels.get(transactions, transactionDocId(projectId, params.transactionId));
      if (!charge) throw new HttpError(404, 'transaction not found in this project');
      const { customerId, transactionId } = charge;
      const before = await deps.log.head();
      const about = { projectId, customerId, transactionId };
      const { position } = await performTestAction(deps, by, { ...body, ...about });
      const present = async () => ({
        object: 'test_action' as const,
        customer: await presentCurrentCustomer(services, projectId, customerId),
        changed: await presentChanges(services, { projectId, caller }, customerId, before),
      });
      return { body: present, after: readModelsAt(position, customers, transactions) };
    },
  }),
];

/** Throws {@link HttpError} 404 with the reason why a store was not requested. */
async function requireTransaction(
  services: Services,
  projectId: string,
  transactionId: string,
): Promise<TransactionDoc> {
  const { readModels, deps } = services;
  const found = await readModels.get(transactions, transactionDocId(projectId, transactionId));
  if (found) return found;
  const project = await deps.projects.get(streams.project(projectId));
  const answers = await Promise.all(
    (project?.apps ?? []).filter(isStoreApp).map((app) => lookUpOrder(services, { projectId, app }, transactionId)),
  );
  const ids = answers.flatMap(({ transactionIds }) => transactionIds.map((id) => transactionDocId(projectId, id)));
  const [ordered] = (await readModels.getMany(transactions, ids)).values();
  if (ordered) return ordered;
  const [obstacle] = answers.flatMap(({ obstacle: notAsked }) => notAsked ?? []);
  throw new HttpError(404, `transaction not found in this project${obstacle === undefined ? '' : `; ${obstacle}`}`);
}

/** Throws `Unavailable` if the store cannot be reached. */
async function lookUpOrder(
  { deps }: Services,
  owner: { readonly projectId: string; readonly app: StoreApp },
  orderId: string,
): Promise<{ readonly transactionIds: readonly string[]; readonly obstacle: string | null }> {
  const { store, name } = owner.app;
  const find = deps.stores.of(store).transactionsOfOrder;
  try {
    return { transactionIds: find ? await find(deps, owner, orderId) : [], obstacle: null };
  } catch (err) {
    const order = `if it is an order ID of the ${store}`;
    if (err instanceof NoCredentials)
      return { transactionIds: [], obstacle: `${order}, register the credentials of the app ${name} to look it up` };
    if (err instanceof StoreRefusal)
      return { transactionIds: [], obstacle: `${order}, the store rejected the credentials of the app ${name}` };
    throw err;
  }
}

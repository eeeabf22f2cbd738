// Submission of store receipts by clients.
import { z } from 'zod';
import { mapStores } from '../../commands/stores/modules.js';
import { checkAttributes } from '../../commands/subscribers/check-attributes.js';
import { setAttributes } from '../../commands/subscribers/subscribers.js';
import type { MissingPrecondition, SubmittedReceipt } from '../../commands/stores/store-integration.js';
import type { Charge } from '../../domain/catalog/products.js';
import { findOffering } from '../../domain/catalog/offerings.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { storeKind, type StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { customers } from '../../projections/models/customers.js';
import { transactions } from '../../projections/models/transactions.js';
import { receiptResponse } from './responses.js';
import { attributeChanges, attributesSchema } from './attributes.js';
import { enrolOnReceipt } from './enrolment.js';
import { HttpError } from '../bodies/errors.js';
import { ownAppIdOf } from '../dispatch/caller.js';
import { defineRoute, readModelsAt, type Input, type Route } from '../dispatch/route.js';
import { text, storeProductId } from '../../domain/values/user-text.js';
import { currency, id, subscriberParams } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import { presentSubscriber } from './present-subscriber.js';

export const claimedPrice = z.number().min(0).max(1_000_000_000);

/** An app receipt contains all purchases of its buyer: several megabytes after years of weekly renewals. */
const MAX_RECEIPT = 8_000_000;

const receiptBody = z
  .strictObject({
    store: storeKind,
    receipt: z.string().min(1).max(MAX_RECEIPT),
    productId: storeProductId.optional(),
    isRestore: z.boolean().default(false),
    price: claimedPrice.optional(),
    currency: currency.optional(),
    offeringId: text(200).optional(),
    attributes: attributesSchema.optional(),
    appId: id.optional(),
  })
  // An amount without a currency has no meaning.
  .refine(
    (b) => (b.price === undefined) === (b.currency === undefined),
    'send price and currency together, or neither',
  );

/**
 * Returns the app of a receipt. A public key belongs to one app; with a secret key or as a user, `appId` is required if the project has
 * several apps of the store.
 */
async function requireReceiptApp(
  { deps }: Services,
  input: Input<unknown, unknown, z.output<typeof receiptBody>>,
): Promise<StoreApp> {
  const { caller, scope, body } = input;
  const project = await deps.projects.get(streams.project(scope.projectId));
  const ofStore = (project?.apps ?? []).filter(isStoreApp).filter((a) => a.store === body.store);
  const ownAppId = ownAppIdOf(caller) ?? undefined;
  if (ownAppId !== undefined && body.appId !== undefined && body.appId !== ownAppId)
    throw new HttpError(400, 'appId does not match the app of this public key; omit appId');
  const requestedAppId = ownAppId ?? body.appId;
  const found = requestedAppId === undefined ? ofStore : ofStore.filter((a) => a.appId === requestedAppId);
  const [app] = found;
  if (!app)
    throw new HttpError(
      400,
      requestedAppId === undefined
        ? `this project has no ${body.store} app`
        : 'appId: no app of this store with this ID in this project',
    );
  if (found.length > 1) throw new HttpError(400, `this project has several ${body.store} apps; send appId`);
  return app;
}

/** Returns the charge that a client reports; null without a price or a currency. */
export function claimedCharge({
  price,
  currency: code,
}: {
  readonly price?: number | undefined;
  readonly currency?: string | undefined;
}): Charge | null {
  if (price === undefined || code === undefined) return null;
  return { amountMicros: Math.round(price * 1_000_000), currency: code };
}

/**
 * Returns the ID of the offering shown to the buyer, which may be archived. Throws {@link HttpError} 400 if the project has no such
 * offering.
 */
async function requireOfferingId({ deps }: Services, { scope, body }: ReceiptInput): Promise<string | null> {
  if (body.offeringId === undefined) return null;
  const found = findOffering(await deps.catalogs.get(streams.catalog(scope.projectId)), body.offeringId);
  if (!found) throw new HttpError(400, 'offeringId: no offering with this ID in this project');
  return found.offeringId;
}

type ReceiptInput = Input<z.output<typeof subscriberParams>, unknown, z.output<typeof receiptBody>>;

async function submit(services: Services, input: ReceiptInput, app: StoreApp): Promise<SubmittedReceipt> {
  const { params, scope, by, body } = input;
  const { receipt, productId: storeProductId, isRestore } = body;
  const offeringId = await requireOfferingId(services, input);
  const owned = { projectId: scope.projectId, app, appUserId: params.appUserId, isRestore, offeringId };
  const { deps } = services;
  const presented = { ...owned, receipt, storeProductId, claimed: claimedCharge(body) };
  return deps.stores.of(app.store).submitReceipt(deps, by, presented);
}

function pendingMessageOf(missing: MissingPrecondition, store: StoreKind): string {
  switch (missing) {
    case 'credentials_missing':
      return `the receipt is stored and will be processed once the app has store credentials: POST …/apps/:appId/credentials/${store}`;
    case 'credentials_refused':
      return 'the receipt is stored and will be processed once the store accepts the app’s credentials: check their permissions';
    case 'payment_pending':
      return 'the receipt is stored; the purchase takes effect once the store reports its payment';
  }
}

const [receiptExample] = mapStores(({ kind, receiptExample: receipt }) => ({ store: kind, receipt }));

export const receiptRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/subscribers/:appUserId/receipts',
    access: 'sdk',
    permission: 'recordSubscriber',
    summary: 'Submit store receipt',
    description:
      'Submitting a receipt again changes nothing. `receipt` is the signed transaction (JWS) or the app receipt (base64) of the ios-store, or the purchase token of the android-store. Of an app receipt, the latest purchase (of `productId` if sent) and every other one that is not recorded yet are recorded. An app receipt needs the app’s ios-store credentials: 503 when they are missing or rejected, or the store is unavailable; nothing is recorded then, so retry. `isRestore` also records the rest of the buyer’s history in the ios-store, if the app has credentials: subscriptions and one-time purchases except consumables, now or as soon as the store is available. With a secret key, send `appId` if the project has several apps of the store. 202: the receipt is stored, because the app’s android-store credentials are missing or rejected, or the payment is pending; it is retried until that has changed.',
    example: receiptExample,
    params: subscriberParams,
    body: receiptBody,
    bodyLimit: 'receipt',
    response: receiptResponse,
    statuses: [200, 202],
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      const app = await requireReceiptApp(services, input);
      const { appUserId } = params;
      const changes = attributeChanges(body.attributes ?? {}, services.runtime.now());
      await checkAttributes(services.deps, scope.projectId, appUserId, changes);
      const { result, missing } = await submit(services, input, app);
      const change = { source: 'sdk' as const, changes };
      const attributed =
        changes.length > 0 ? await setAttributes(services.deps, by, scope.projectId, appUserId, change) : result;
      const enrolledAt = await enrolOnReceipt(services, input, scope.projectId, attributed);
      const position = enrolledAt ?? attributed.position ?? result.position;
      const after = readModelsAt(position, customers, transactions);
      if (missing === null) return { body: () => presentSubscriber(services, input), after };
      const pending = { reason: missing, message: pendingMessageOf(missing, app.store) };
      return { status: 202, body: async () => ({ ...(await presentSubscriber(services, input)), pending }), after };
    },
  }),
];

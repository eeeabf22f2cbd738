// Receipts of the SDKs: `fetch_token` is what the store gave the device. Fields of forms that nothing here needs are accepted and ignored.
import { z } from 'zod';
import type { SubmittedReceipt } from '../../commands/stores/store-integration.js';
import { submitTestPurchase } from '../../commands/stores/test/purchases.js';
import { moduleOf } from '../../commands/stores/modules.js';
import { invalidReceipt, isEmptyReceipt } from '../../commands/stores/receipts.js';
import { checkAttributes } from '../../commands/subscribers/check-attributes.js';
import { registerSubscriber, setAttributes } from '../../commands/subscribers/subscribers.js';
import { findOffering } from '../../domain/catalog/offerings.js';
import { Rejection } from '../../domain/errors.js';
import { isCustomerId } from '../../domain/ids.js';
import { isStoreApp, type App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { text } from '../../domain/values/user-text.js';
import { customers } from '../../projections/models/customers.js';
import { transactions } from '../../projections/models/transactions.js';
import { currency } from '../bodies/request-schemas.js';
import { ownAppIdOf } from '../dispatch/caller.js';
import { defineRoute, readModelsAt, type Input } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { enrolOnReceipt } from '../subscribers/enrolment.js';
import { claimedCharge, claimedPrice } from '../subscribers/receipt-routes.js';
import {
  attributeErrors,
  readAttributes,
  sentAttributes,
  type AttributeError,
  storeOfReceipt,
  fewOf,
} from './sdk-values.js';
import { currentInfo } from './customer-info.js';
import { CODES, CompatError, RECEIPTS_PATH } from './protocol.js';
import { receiptAnswer } from './responses.js';

/** One purchase has few products. */
const MAX_PRODUCT_IDS = 100;
/** The store's certificates are most of it: about 6,000 characters. */
const MAX_APP_TRANSACTION = 20_000;
const productId = z.string().max(2000);

const optionalText = z.string().min(1).max(2000).optional().catch(undefined);

/** Wider than the rule for new IDs: a receipt is recorded for whoever the app says bought it. */
const buyerId = text(255).refine((id) => !isCustomerId(id), 'is a customer ID');

/** A number on Android, its text on iOS. */
const sentPrice = z
  .union([z.number(), z.stringFormat('decimal', /^\d+(\.\d+)?$/).transform(Number)])
  .pipe(claimedPrice);

/** Other fields are dropped unread: a body could have tens of thousands. */
const body = z.object({
  app_user_id: buyerId,
  fetch_token: z.string().nullish(),
  product_id: optionalText,
  transaction_id: optionalText,
  product_ids: fewOf(productId, MAX_PRODUCT_IDS).optional().catch(undefined),
  platform_product_ids: fewOf(z.object({ product_id: productId, base_plan_id: productId.nullish() }), MAX_PRODUCT_IDS)
    .optional()
    .catch(undefined),
  is_restore: z.boolean().optional().catch(undefined),
  initiation_source: optionalText,
  price: sentPrice.optional().catch(undefined),
  currency: currency.optional().catch(undefined),
  presented_offering_identifier: optionalText,
  app_transaction: z.string().min(1).max(MAX_APP_TRANSACTION).optional().catch(undefined),
  attributes: sentAttributes,
});
type Receipt = z.output<typeof body>;
type ReceiptInput = Input<undefined, undefined, Receipt>;

/**
 * A public key belongs to one app; a server names the platform, of which the project must have one app. Throws 503 for the key of another
 * platform: no store has refused the receipt, and the right key would have it recorded.
 */
async function appOf({ deps }: Services, input: ReceiptInput): Promise<App> {
  const project = await deps.projects.get(streams.project(input.scope.projectId));
  const apps = project?.apps ?? [];
  const ownId = ownAppIdOf(input.caller);
  const store = storeOfReceipt(input);
  if (ownId === null && store === undefined)
    throw retryLater('name the store of the receipt: X-Platform: ios or android');
  const [app, other] = apps.filter((a) => (ownId === null ? a.store === store : a.appId === ownId));
  if (!app) throw retryLater('no app of this platform in the project; register one');
  if (other) throw retryLater('several apps of this platform; use the public key of one');
  if (isStoreApp(app) && store !== undefined && store !== app.store)
    throw retryLater(
      `the receipt is of another store than the ${app.store}, whose app the key is for; use the key of its own app`,
    );
  return app;
}

function retryLater(message: string): CompatError {
  return new CompatError(503, CODES.internal, message);
}

const TEST_PREFIX = 'test_';
const TEST_TOKEN = /^test_\d/;

async function submit(services: Services, { scope, by, body }: ReceiptInput, app: App): Promise<SubmittedReceipt> {
  const { deps } = services;
  const { projectId } = scope;
  const { app_user_id: appUserId, fetch_token: token } = body;
  const isRestore = body.is_restore === true || body.initiation_source === 'restore';
  const restoreNothing = async () => {
    const registered = await registerSubscriber(deps, by, projectId, appUserId, { source: 'sdk' });
    return { result: registered, missing: null };
  };
  if (!token) {
    if (namesPurchase(body) || !(isRestore || body.app_transaction !== undefined))
      throw retryLater('the receipt is missing; send it as fetch_token');
    return restoreNothing();
  }
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const presentedOffering = body.presented_offering_identifier;
  const offeringId =
    (presentedOffering === undefined ? undefined : findOffering(catalog, presentedOffering)?.offeringId) ?? null;
  const [firstId] = productIdsOf(body);
  const owned = { projectId, appUserId, isRestore, offeringId };
  if (!isStoreApp(app)) {
    if (!token.startsWith(TEST_PREFIX))
      throw retryLater('the key is for the test store, and the receipt is of another; use the key of its own app');
    if (firstId === undefined) throw invalidReceipt('it names no product');
    const submitted = await submitTestPurchase(deps, by, { ...owned, app, token, storeProductId: firstId });
    return { result: submitted, missing: null };
  }
  if (TEST_TOKEN.test(token)) throw invalidReceipt('a purchase of the test store needs the key of the test app');
  const { receiptNamesProduct } = moduleOf(app.store).compatibility;
  const storeProductId = receiptNamesProduct ? undefined : storeProductIdOf(body, firstId);
  const bought = { transactionId: body.transaction_id, storeProductId: firstId };
  const receipt = { ...owned, app, receipt: token, storeProductId, bought, claimed: claimedCharge(body) };
  try {
    return await deps.stores.of(app.store).submitReceipt(deps, by, receipt);
  } catch (err) {
    if (!isRestore || !isEmptyReceipt(err)) throw err;
    return restoreNothing();
  }
}

function productIdsOf({ product_id, product_ids = [] }: Receipt): readonly string[] {
  return product_id === undefined ? product_ids : [product_id, ...product_ids.filter((id) => id !== product_id)];
}

/** iOS sends no receipt if the device has none, and then names no purchase: it would finish what it named. */
function namesPurchase(body: Receipt): boolean {
  return body.transaction_id !== undefined || productIdsOf(body).length > 0;
}

function storeProductIdOf({ platform_product_ids: [product] = [] }: Receipt, firstId: string | undefined) {
  return product?.base_plan_id ? `${product.product_id}:${product.base_plan_id}` : firstId;
}

/** A receipt is recorded whatever becomes of its attributes. */
async function setValid(services: Services, { scope, by, body }: ReceiptInput, errors: AttributeError[]) {
  const { deps, runtime } = services;
  const read = readAttributes(body.attributes, runtime.now());
  errors.push(...read.errors);
  const { changes } = read;
  if (changes.length === 0) return null;
  try {
    await checkAttributes(deps, scope.projectId, body.app_user_id, changes);
    return await setAttributes(deps, by, scope.projectId, body.app_user_id, { source: 'sdk', changes });
  } catch (err) {
    if (!(err instanceof Rejection)) throw err;
    errors.push(...changes.map(({ key }) => ({ key_name: key, message: err.message })));
    return null;
  }
}

/** Records the first download of the app, if the device proves it; after the purchase, which must not wait for it. */
async function recordDownload({ deps }: Services, { scope, by, body }: ReceiptInput, app: App) {
  const { app_transaction: appTransaction, app_user_id: appUserId } = body;
  if (appTransaction === undefined || !isStoreApp(app)) return null;
  const { recordDownload: recordOfStore } = deps.stores.of(app.store);
  return (await recordOfStore?.(deps, by, { projectId: scope.projectId, app, appUserId, appTransaction })) ?? null;
}

/** Android consumes a purchase only where the answer tells it to: once it is recorded, since it is never presented again. */
async function purchasedProducts(
  { deps }: Services,
  { projectId, appId }: { readonly projectId: string; readonly appId: string },
  body: Receipt,
  { state: { transactions } }: SubmittedReceipt['result'],
) {
  const { products } = await deps.catalogs.get(streams.catalog(projectId));
  const bought = new Set(
    [...transactions.values()].map(({ purchase }) => `${purchase.appId}|${purchase.storeProductId}`),
  );
  const entries = productIdsOf(body).map((id) => {
    const product = products.find((p) => p.appId === appId && p.storeProductId === id);
    return [id, { should_consume: product?.type === 'consumable' && bought.has(`${appId}|${id}`) }] as const;
  });
  return Object.fromEntries(entries);
}

export const receiptRoute = defineRoute({
  method: 'post',
  path: RECEIPTS_PATH,
  access: 'sdkKey',
  permission: 'recordSubscriber',
  summary: 'Submit a receipt',
  body,
  subscribersIn: (sent) => [sent.app_user_id],
  bodyLimit: 'receipt',
  response: receiptAnswer,
  handle: async (input, services) => {
    const { scope, caller } = input;
    const { projectId } = scope;
    const app = await appOf(services, input);
    const { result, missing } = await submit(services, input, app);
    const errors: AttributeError[] = [];
    const attributed = await setValid(services, input, errors);
    const downloaded = await recordDownload(services, input, app);
    const latest = downloaded ?? attributed ?? result;
    const position = (await enrolOnReceipt(services, input, projectId, latest)) ?? latest.position;
    if (missing !== null) throw pending(missing, app);
    const body = async () => ({
      ...(await currentInfo(services, caller, projectId, input.body.app_user_id)),
      purchased_products: await purchasedProducts(services, { projectId, appId: app.appId }, input.body, result),
      ...attributeErrors(errors),
    });
    return { body, after: readModelsAt(position, customers, transactions) };
  },
});

/** The receipt is queued; the SDK must keep it as well. */
function pending(missing: NonNullable<SubmittedReceipt['missing']>, app: App): CompatError {
  if (missing === 'payment_pending' || !isStoreApp(app))
    return retryLater('the payment is pending; the purchase counts once the store reports it');
  const { noCredentialsCode } = moduleOf(app.store).compatibility;
  const message = `the app’s ${app.store} credentials are missing or refused; the receipt is queued`;
  return new CompatError(503, noCredentialsCode, message);
}

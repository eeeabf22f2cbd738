// Routes about what a customer may have: signed promotional offers, introductory offers, and a purchase that somebody else may own.
import { z } from 'zod';
import { isReceiptAllowed } from '../../commands/subscribers/transfer-rule.js';
import type { SignedOffer } from '../../commands/stores/store-integration.js';
import { isEmptyReceipt } from '../../commands/stores/receipts.js';
import { NoCredentials, Rejection } from '../../domain/errors.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { appUserId } from '../../domain/values/user-text.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import { findSubscriber, readTransactions } from '../customers/read-customer.js';
import { ownAppIdOf } from '../dispatch/caller.js';
import { defineRoute, type Input, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { CODES, CompatError, SUBSCRIBER_PATH } from './protocol.js';
import { fewOf } from './sdk-values.js';
import { introEligibility, restoreEligibility, signedOffers } from './responses.js';

const MAX_PRODUCTS = 1000;
/** Requests about offers are about one; each is a signature. */
const MAX_OFFERS = 20;

const token = z.string().min(1);
const offersBody = z.object({
  app_user_id: appUserId,
  fetch_token: token.nullish(),
  generate_offers: fewOf(z.object({ offer_id: z.string(), product_id: z.string() }), MAX_OFFERS),
});
type OffersInput = Input<undefined, undefined, z.output<typeof offersBody>>;
type RequestedOffer = z.output<typeof offersBody>['generate_offers'][number];

/** The SDK gives the error to the app for this offer alone. */
function presentUnsigned({ offer_id, product_id }: RequestedOffer) {
  const message = 'the app has no key of the store that can sign promotional offers; register its store credentials';
  const signature_error = { code: CODES.offerKeyMissing, message };
  return { offer_id, product_id, key_id: '', signature_data: null, signature_error };
}

function presentSigned({ offer_id, product_id }: RequestedOffer, { keyId, ...signed }: SignedOffer) {
  const { nonce, signature, timestampMs: timestamp } = signed;
  return {
    offer_id,
    product_id,
    key_id: keyId,
    signature_data: { nonce, signature, timestamp },
    signature_error: null,
  };
}

/** Returns the app of the caller's key; null for a test app and for a key without an app. */
async function storeAppOf({ deps }: Services, { caller, scope }: Pick<OffersInput, 'caller' | 'scope'>) {
  const project = await deps.projects.get(streams.project(scope.projectId));
  const app = project?.apps.find(({ appId }) => appId === ownAppIdOf(caller));
  return app && isStoreApp(app) ? app : null;
}

const restoreBody = z.object({ fetch_token: token });
type RestoreInput = Input<z.output<typeof subscriberParams>, undefined, z.output<typeof restoreBody>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The device buys with an account token, which the signature covers. StoreKit 2: the app user ID if it is a UUID, else none. StoreKit 1: the
 * app user ID, whatever its form.
 */
function accountTokenOf({ body, header }: OffersInput): string {
  return header('x-storekit-version') === '1' || UUID.test(body.app_user_id) ? body.app_user_id : '';
}

async function signOffers(services: Services, input: OffersInput) {
  const { deps } = services;
  const { body, scope } = input;
  const app = await storeAppOf(services, input);
  const sign = app && deps.stores.of(app.store).signOffer;
  if (!app || !sign) return body.generate_offers.map(presentUnsigned);
  if (!(await hasSubscribed(services, input, app)))
    throw new CompatError(403, CODES.offerIneligible, 'promotional offers are for present and former subscribers');
  const owner = { projectId: scope.projectId, app };
  const accountToken = accountTokenOf(input);
  return Promise.all(
    body.generate_offers.map(async (one) => {
      const offer = { storeProductId: one.product_id, offerId: one.offer_id, accountToken };
      try {
        return presentSigned(one, await sign(deps, owner, offer));
      } catch (err) {
        if (err instanceof NoCredentials) return presentUnsigned(one);
        throw err;
      }
    }),
  );
}

/** The purchase may be known to the device alone, which then sends a receipt of it. */
async function hasSubscribed(services: Services, { body, scope: { projectId } }: OffersInput, app: StoreApp) {
  const { deps } = services;
  const profile = (await findSubscriber(services, projectId, body.app_user_id))?.profile;
  if (profile?.subscriptions.some(({ purchase, pending }) => purchase.appId === app.appId && pending === null))
    return true;
  const read = deps.stores.of(app.store).readReceipt;
  if (body.fetch_token == null || !read) return false;
  try {
    const presented = await read(deps, { projectId, app, receipt: body.fetch_token });
    return presented.some(({ isSubscription }) => isSubscription);
  } catch (err) {
    if (err instanceof Rejection || err instanceof NoCredentials) return false;
    throw err;
  }
}

/** Returns null for a receipt without a purchase, which is nobody's. */
async function readUnlessEmpty<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (err) {
    if (isEmptyReceipt(err)) return null;
    throw err;
  }
}

const INTRODUCTORY: ReadonlySet<string> = new Set(['trial', 'intro']);

export const eligibilityRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/offers',
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Sign promotional offers with the key of the app',
    body: offersBody,
    subscribersIn: (body) => [body.app_user_id],
    bodyLimit: 'receipt',
    response: signedOffers,
    handle: async (input, services) => ({ body: { offers: await signOffers(services, input) } }),
  }),
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/intro_eligibility`,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get eligibility for introductory offers, as far as the history of the customer shows it',
    params: subscriberParams,
    bodyLimit: 'receipt',
    body: z.object({ product_identifiers: fewOf(z.string(), MAX_PRODUCTS).optional().catch(undefined) }),
    response: introEligibility,
    handle: async ({ params, scope, body }, services) => {
      const customer = await findSubscriber(services, scope.projectId, params.appUserId);
      const history = customer ? await readTransactions(services.readModels, customer.customerId) : [];
      // A store gives each customer one introductory offer of a product. Without one in the history, the device knows more.
      const used = new Set(history.filter(({ type }) => INTRODUCTORY.has(type)).map((t) => t.storeProductId));
      const requested = body.product_identifiers ?? [];
      return { body: Object.fromEntries(requested.filter((id) => used.has(id)).map((id) => [id, false])) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/restore/eligibility`,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get whether the project’s transfer rule lets the customer have a purchase',
    params: subscriberParams,
    body: restoreBody,
    bodyLimit: 'receipt',
    response: restoreEligibility,
    handle: async (input, services) => ({
      body: { is_purchase_allowed_by_restore_behavior: await mayRestore(services, input) },
    }),
  }),
];

/** Returns true where the receipt cannot be read: the purchase is then decided with the receipt itself. */
async function mayRestore(services: Services, input: RestoreInput): Promise<boolean> {
  const { deps } = services;
  const { projectId } = input.scope;
  const app = await storeAppOf(services, input);
  const read = app && deps.stores.of(app.store).readReceipt;
  if (!app || !read) return true;
  const presented = { projectId, app, receipt: input.body.fetch_token };
  const { transferBehavior = 'transfer' } = (await deps.projects.get(streams.project(projectId))) ?? {};
  for (const { storeChainId } of (await readUnlessEmpty(() => read(deps, presented))) ?? []) {
    const line = { projectId, store: app.store, storeChainId };
    if (!(await isReceiptAllowed(deps, line, input.params.appUserId, transferBehavior))) return false;
  }
  return true;
}

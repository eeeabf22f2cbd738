// Bodies of projects, apps, API keys, products, prices and entitlements, and the URL that receives an app's store notifications.
import { revealStoreToken } from '../../commands/projects/store-tokens.js';
import { moduleOf } from '../../commands/stores/modules.js';
import type { Price } from '../../domain/catalog/products.js';
import type { App } from '../../domain/project/events.js';
import { scopesOfKey, type Role } from '../../domain/project/roles.js';
import { isTestStore, rulesOfStore, TEST_PLATFORM } from '../../domain/store-kinds.js';
import { amountOf } from '../../domain/values/iso-codes.js';
import type { EntitlementDoc, ProductDoc } from '../../projections/models/catalogue.js';
import type { ApiKeyDoc, AppDoc, ProjectDoc } from '../../projections/models/projects.js';
import type { Demo } from '../demo/demo.js';
import type { Services } from '../dispatch/services.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { apiKey, project } from '../accounts/responses.js';
import type { entitlement, price, product } from '../catalog/responses.js';
import type { app } from './responses.js';

/** `demo` is the simulator of demo projects, if this process has one. */
export function presentProject(
  p: ProjectDoc,
  role: Role,
  demo: Pick<Demo, 'progressOf'> | null,
): BodyOf<typeof project> {
  const { projectId: id, name, transferBehavior, sandboxAccess, displayCurrency, timezone = 'UTC' } = p;
  const settings = { transferBehavior, sandboxAccess, displayCurrency, timezone };
  const progress = p.isDemo ? (demo?.progressOf(id) ?? null) : null;
  const state = progress !== null ? ('playing' as const) : p.isDemo ? ('ready' as const) : null;
  const demoFields = { demo: state, ...(progress !== null && { demoProgress: progress }) };
  return {
    object: 'project',
    id,
    name,
    ...settings,
    role,
    ...demoFields,
    createdAt: p.createdAt,
    updatedAt: p.updatedAt,
  };
}

export function presentApp(a: AppDoc, notificationUrl: string | null): BodyOf<typeof app> {
  const { appId: id, projectId, name, store } = a;
  const { notificationForwardingUrl, refundPolicy, iosStoreSmallBusiness, createdAt, updatedAt } = a;
  const storeFields = isTestStore(store)
    ? { platform: TEST_PLATFORM, store }
    : { platform: rulesOfStore(store).platform, store, ...moduleOf(store).app.show(a) };
  const { refundAnswer = 'none', refundConsent = 'each_customer' } = a;
  const settings = { notificationForwardingUrl, refundPolicy, iosStoreSmallBusiness, refundAnswer, refundConsent };
  return {
    object: 'app',
    id,
    projectId,
    name,
    ...storeFields,
    notificationUrl,
    ...settings,
    createdAt,
    updatedAt,
  };
}

export function presentApiKey(k: Omit<ApiKeyDoc, 'projectId'>, lastUsedAt: string | null): BodyOf<typeof apiKey> {
  const { keyId: id, name, kind, appId, prefix, last4, expiresAt, createdAt } = k;
  const scopes = kind === 'public' ? [] : scopesOfKey(k.scopes);
  const keyPreview = `${prefix}…${last4}`;
  return { object: 'apiKey', id, name, kind, appId, keyPreview, scopes, createdAt, expiresAt, lastUsedAt };
}

export function presentProduct(p: ProductDoc): BodyOf<typeof product> {
  const { productId: id, appId, store, storeProductId, displayName, type, duration } = p;
  const { trialDuration, gracePeriodDuration, entitlementIds, createdAt, updatedAt } = p;
  const prices = p.prices.map((price) => presentPrice({ ...price, productId: id }));
  const fields = { object: 'product', id, appId, store, storeProductId, displayName, type } as const;
  return { ...fields, duration, trialDuration, gracePeriodDuration, prices, entitlementIds, createdAt, updatedAt };
}

export function presentPrice(p: Price): BodyOf<typeof price> {
  const { priceId: id, productId, amountMicros, currency, country, startsAt } = p;
  return { object: 'price', id, productId, amount: amountOf(amountMicros), amountMicros, currency, country, startsAt };
}

export function presentEntitlement(e: EntitlementDoc): BodyOf<typeof entitlement> {
  const { entitlementId: id, lookupKey, displayName, description, createdAt, updatedAt } = e;
  return { object: 'entitlement', id, lookupKey, displayName, description, createdAt, updatedAt };
}

export async function notificationUrlOf(
  { deps, publicUrl }: Services,
  projectId: string,
  { appId, store }: Pick<App, 'appId' | 'store'>,
): Promise<string | null> {
  const token = await revealStoreToken(deps, projectId, appId);
  return token === null ? null : `${publicUrl()}/v1/store/${store}/${token}`;
}

// The example project with a simulated android-store, and rows about its purchases as an export has them.
import { readConfig } from '../../../src/adapters/configuration/config.js';
import { openAndroidStore } from '../../../src/adapters/android-store/store.js';
import { changeAttachment, createProduct } from '../../../src/commands/catalog/catalog.js';
import { registerApp } from '../../../src/commands/projects/apps.js';
import { credentialVerdictCollection } from '../../../src/commands/projects/credential-checks.js';
import { registerCredentials } from '../../../src/commands/projects/credentials.js';
import { androidCredentials } from '../../../src/commands/stores/android/credentials.js';
import {
  nameOfOrder,
  purchaseTokenCollection,
} from '../../../src/commands/stores/android/purchases/purchase-tokens.js';
import { integrateAndroidStore } from '../../../src/commands/stores/android/store.js';
import { storesOf } from '../../../src/commands/stores/store-integration.js';
import { sha256Of } from '../../../src/commands/accounts/api-key.js';
import { msFromIso } from '../../../src/domain/time.js';
import { orderResource, subscriptionResource } from '../../../simulator/android-store/payloads.js';
import { startAndroidStore } from '../../../simulator/android-store/server.js';
import { BEGIN } from '../support/memory-deps.js';
import { createProjectFixture } from '../support/project-fixture.js';

const PACKAGE = 'com.example.stargazer';
export const [PRO, BASE_PLAN] = ['pro_month', 'p1m'];
const DAY_MS = 86_400_000;
export const ms = (day: number) => msFromIso(BEGIN) + day * DAY_MS;
export const iso = (day: number) => new Date(ms(day)).toISOString();

export type Row = Partial<Readonly<Record<string, unknown>>>;

export const orderOf = (n: number) => `GPA.${n}`;
export const tokenOf = (n: number) => `token-${n}`;
/** A month that an export has, known by its order; `n` names its customer. */
export const month = (n: number, row: Row = {}) => ({
  type: 'purchase',
  appUserId: `customer-${n}`,
  store: 'android-store',
  storeProductId: `${PRO}:${BASE_PLAN}`,
  transactionId: orderOf(n),
  kind: 'normal',
  purchasedAt: iso(-10),
  expiresAt: iso(20),
  currency: 'USD',
  amountMicros: 9_990_000,
  ...row,
});

/** Removes the notes by which an order names its purchase, as if an earlier version had read the purchases. */
export async function forgetOrders({ deps, app }: Pick<AndroidFixture, 'deps' | 'app'>, n = 1): Promise<void> {
  const id = sha256Of(`${app.appId}|${nameOfOrder(orderOf(n))}`);
  const { name: c } = purchaseTokenCollection;
  const note = (await deps.docs.get(c, [id])).get(id);
  if (!note?.doc) throw new Error('the order was not noted');
  await deps.docs.write([[{ c, id, expect: note.guard, guard: `${Number(note.guard) + 1}`, doc: null }]]);
}

type AndroidFixture = Awaited<ReturnType<typeof createAndroidFixture>>;

export async function createAndroidFixture(hasCredentials = true) {
  const project = await createProjectFixture();
  const store = await startAndroidStore(PACKAGE);
  const config = readConfig({ ...store.settings, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') });
  const verdicts = { record: async () => undefined };
  const android = openAndroidStore({ config, runtime: project.deps.runtime, verdicts });
  const deps = { ...project.deps, stores: storesOf([integrateAndroidStore(android)]) };
  const { projectId, by } = project;
  await deps.docs.ensure([credentialVerdictCollection, purchaseTokenCollection]);
  const { app } = await registerApp(deps, by(), projectId, {
    ...{ name: 'Android', platform: 'android', store: 'android-store', storeIdentifier: PACKAGE, storeAppId: null },
    ...{ notificationForwardingUrl: null, refundPolicy: 'revoke_immediately', iosStoreSmallBusiness: false },
  });
  const durations = { duration: 'P1M', trialDuration: null, gracePeriodDuration: null };
  const named = { appId: app.appId, storeProductId: `${PRO}:${BASE_PLAN}`, displayName: 'Pro' };
  const fields = { ...named, ...durations, type: 'subscription' } as const;
  const { product } = await createProduct(deps, by(), projectId, fields);
  const attached = { kind: 'attachProducts', entitlement: 'pro', productIds: [product.productId] } as const;
  await changeAttachment(deps, by(), projectId, attached);
  const register = () => {
    const credentials = androidCredentials.check({ serviceAccountJson: store.identity.keyFile() });
    return registerCredentials(deps, by(), projectId, app.appId, { store: 'android-store', ...credentials });
  };
  if (hasCredentials) await register();
  return {
    ...project,
    deps,
    app,
    store,
    register,
    /** The store knows the purchase as the export has it, except for `fields`; `order` false: not its order. */
    show: (n: number, fields: { readonly orderId?: string; readonly expiryMs?: number } = {}, order = true) => {
      const resource = { productId: PRO, basePlanId: BASE_PLAN, orderId: orderOf(n), startMs: ms(-10) };
      store.subscriptions.set(tokenOf(n), subscriptionResource({ ...resource, expiryMs: ms(20), ...fields }));
      const bought = { productId: PRO, basePlanId: BASE_PLAN, fromMs: ms(-10), toMs: ms(20), priceMilli: 9990 };
      const { orderId = orderOf(n) } = fields;
      const shown = { ...orderResource({ orderId, ...bought }), purchaseToken: tokenOf(n) };
      if (order) store.orders.set(orderId, shown);
    },
    orderRequests: () => store.requests.filter((path) => path.includes('orders')),
    close: () => Promise.all([android.close(), store.close()]),
  };
}

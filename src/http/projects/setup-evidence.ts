// Evidence that a project's setup works or not: notifications and errors of the stores, products without entitlement or price, offerings
// without product, and failing webhooks.
import { z } from 'zod';
import { filterParked } from '../../commands/handling/parked-events.js';
import { findCredentialsCheck } from '../../commands/projects/credential-checks.js';
import { findCredentials } from '../../commands/projects/credentials.js';
import { INBOX_REACTION } from '../../commands/stores/inbox/inbox.js';
import { readHealth } from '../../commands/webhooks/endpoint-health.js';
import { notificationStates } from '../../domain/inbox/inbox.js';
import { assumedCharge, type Product } from '../../domain/catalog/products.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { appStore, isTestStore, storeKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { appNotifications } from '../../projections/models/app-notifications.js';
import { notifications } from '../../projections/models/notifications.js';
import { webhooks } from '../../projections/models/webhooks.js';
import { time } from '../bodies/response-schemas.js';
import type { Services } from '../dispatch/services.js';

const lastNotification = z.strictObject({
  id: z.string(),
  at: time,
  type: z.string(),
  state: z.enum(notificationStates),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
});

const productRef = { productId: z.string(), appId: z.string(), store: appStore, storeProductId: z.string() };

export const setupEvidence = z
  .strictObject({
    apps: z.array(
      z.strictObject({
        appId: z.string(),
        name: z.string(),
        store: storeKind,
        lastNotification: lastNotification.nullable(),
        refusedNotifications: z
          .strictObject({
            count: z.int().meta({ description: 'In the last 24 hours.' }),
            last: z.strictObject({ at: time, reason: z.string() }).nullable(),
          })
          .meta({ description: 'Notifications that were not accepted, since the process that answers has started.' }),
        credentials: z.strictObject({
          configured: z.boolean(),
          proven: z.boolean().nullable().meta({
            description: 'From the store’s response to a real request; null if there was none yet.',
          }),
          provenAt: time.nullable(),
          storeError: z.string().nullable().meta({ description: 'Last error message of the store.' }),
        }),
      }),
    ),
    addresses: z.strictObject({
      api: z.string().meta({ description: 'Address of the REST API and of notifications.' }),
      sdk: z.string().nullable().meta({ description: 'Address of the compatibility API; null if it is off.' }),
    }),
    productsWithoutEntitlement: z.array(z.strictObject(productRef)),
    productsWithoutPrice: z
      .array(z.strictObject(productRef))
      .meta({ description: 'Products of test apps that no SDK can show: the test store has no other price.' }),
    offeringsWithoutProduct: z.array(
      z.strictObject({ offeringId: z.string(), lookupKey: z.string(), appId: z.string() }),
    ),
    failingWebhooks: z.array(
      z.strictObject({
        webhookId: z.string(),
        name: z.string().nullable(),
        since: time.meta({ description: 'Only failures since then.' }),
        lastStatus: z.int().nullable().meta({ description: 'Null if there was no response.' }),
      }),
    ),
    sdkCalls: z
      .strictObject({
        versions: z.array(
          z.strictObject({
            platform: z.string().nullable(),
            flavor: z.string().nullable(),
            sdkVersion: z.string().nullable(),
            appVersion: z.string().nullable(),
            lastCallAt: time,
          }),
        ),
        firstReceiptAt: time.nullable(),
        lastRefusedReceipt: z.strictObject({ at: time, status: z.int(), reason: z.string() }).nullable(),
      })
      .meta({ description: 'Calls of the compatibility API; each process writes its own at most once a minute.' }),
    chartsInPreparation: z
      .array(
        z.strictObject({
          environment: z.enum(['production', 'sandbox']),
          currency: z.string().nullable().meta({ description: 'Null for US dollars.' }),
          progress: z.number().meta({ description: 'From 0 to 1.' }),
        }),
      )
      .meta({ description: 'Chart ledgers (filters, segments, asOf) that are not ready yet.' }),
  })
  .meta({ id: 'SetupEvidence' });

/** Read models from which the evidence is read. */
export const evidenceReadModels = [appNotifications, notifications, webhooks];

export async function readSetupEvidence(services: Services, projectId: string) {
  const { deps } = services;
  const project = await deps.projects.get(streams.project(projectId));
  const all = project?.apps ?? [];
  const apps = all.filter(isStoreApp);
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const { products, entitlements, offerings } = catalog;
  const at = isoFromMs(services.runtime.now());
  const unpriced = products.filter(
    (p) => isTestStore(p.store) && assumedCharge(catalog, { ...p, country: null, at }) === null,
  );
  const unlocking = new Set(entitlements.flatMap((e) => e.productIds));
  const locked = products.filter((p) => !unlocking.has(p.productId));
  const lacking = offerings
    .filter((offering) => !offering.archived)
    .flatMap(({ offeringId, lookupKey, packages }) => {
      const sold = new Set(packages.flatMap((p) => p.products.map((product) => product.appId)));
      return all.filter(({ appId }) => !sold.has(appId)).map(({ appId }) => ({ offeringId, lookupKey, appId }));
    });
  return {
    apps: await Promise.all(apps.map((app) => readAppEvidence(services, app))),
    addresses: { api: services.publicUrl(), sdk: services.sdkUrl() },
    productsWithoutEntitlement: locked.map(refOf),
    productsWithoutPrice: unpriced.map(refOf),
    offeringsWithoutProduct: lacking,
    failingWebhooks: await readFailingWebhooks(services, projectId),
    sdkCalls: await services.sdkCalls.of(projectId),
    chartsInPreparation: await services.chartLedger.progress(projectId),
  };
}

function refOf({ productId, appId, store, storeProductId }: Product) {
  return { productId, appId, store, storeProductId };
}

async function readAppEvidence(services: Services, { appId, name, store }: StoreApp) {
  const { deps } = services;
  const configured = (await findCredentials(deps, appId)) !== null;
  const { valid, lastCheckedAt, lastError } = await findCredentialsCheck(deps, appId);
  const proof = configured ? { proven: valid, provenAt: lastCheckedAt, storeError: lastError } : UNPROVEN;
  return {
    ...{ appId, name, store },
    lastNotification: await readLastNotification(services, appId),
    refusedNotifications: { count: services.refusals.count(appId), last: services.refusals.last(appId) },
    credentials: { configured, ...proof },
  };
}

const UNPROVEN = { proven: null, provenAt: null, storeError: null };

async function readLastNotification({ deps, readModels }: Services, appId: string) {
  const { lastId } = (await readModels.get(appNotifications, appId)) ?? {};
  const found = lastId === undefined ? undefined : await readModels.get(notifications, lastId);
  if (lastId === undefined || !found) return null;
  const { receivedAt: at, type, outcome, reason, eventId } = found;
  const isWaiting = found.state === 'waiting';
  const isParked = isWaiting && (await filterParked(deps.docs, INBOX_REACTION, [eventId])).size > 0;
  return { id: lastId, at, type, state: isParked ? 'parked' : found.state, outcome, reason };
}

const MAX_WEBHOOKS = 100;

async function readFailingWebhooks({ deps, readModels }: Services, projectId: string) {
  const scan = { index: 'project', eq: [projectId], limit: MAX_WEBHOOKS };
  const { rows } = await readModels.scan(webhooks, scan);
  const health = await readHealth(
    deps,
    rows.map(({ doc }) => doc.webhookId),
  );
  return rows.flatMap(({ doc: { webhookId, name } }) => {
    const { failing: failing = null, lastDelivery = null } = health.get(webhookId) ?? {};
    return failing ? [{ webhookId, name, since: failing.since, lastStatus: lastDelivery?.status ?? null }] : [];
  });
}

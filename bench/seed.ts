// Creates a data directory with a given number of subscribers, written through the log's adapter.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../src/adapters/engine/engine.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { makeApiKey, sha256Of } from '../src/commands/accounts/api-key.js';
import type { DomainEvent, NewEvent, StreamName } from '../src/domain/envelope.js';
import { customerId, eventId, keyedHash } from '../src/domain/ids.js';
import { catalogEvents } from '../src/domain/catalog/catalog.js';
import { projectEvents } from '../src/domain/project/events.js';
import { streams } from '../src/domain/streams.js';
import { isoFromMs, msFromIso } from '../src/domain/time.js';
import { subscriberEvents } from '../src/domain/subscriber/events/events.js';

export type SeededData = {
  readonly dataDir: string;
  readonly masterKey: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly events: number;
};

const CONCURRENT = 256;
const STORE_PRODUCT = 'com.example.pro.month';

export type SeedOptions = {
  /** Every n-th subscriber, from `user-0` on, has renewed {@link RENEWALS} times; 0 for none. */
  readonly renewedEvery?: number;
  /** Time of all events, UTC ms; default now. */
  readonly at?: number;
};

/** Three years of monthly renewals. */
export const RENEWALS = 36;
const MONTH_MS = 30 * 86_400_000;

/**
 * Creates subscribers `user-<i>` with one active subscription to a product that unlocks `pro`: two events each, and one for each renewal.
 */
export async function seed(subscribers: number, options: SeedOptions = {}): Promise<SeededData> {
  const runtime = systemRuntime();
  const { renewedEvery = 0, at = runtime.now() } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const key = runtime.randomBytes(32);
  const engine = await openEngine({ DATA_DIR: dataDir }, () => [{ id: 'k1', key }], runtime);
  const hash = keyedHash(await engine.dataKeys.forSealing('naming'));
  const [projectId, appId] = [runtime.newId('proj'), runtime.newId('app')];
  const [productId, entitlementId] = [runtime.newId('prod'), runtime.newId('ent')];
  const apiKey = makeApiKey('secret', runtime);
  const now = new Date(at).toISOString();
  let events = 0;
  const append = async (stream: StreamName, toAppend: readonly DomainEvent[]) => {
    const batch = toAppend.map((event, i): NewEvent => {
      const commandId = `seed|${stream}`;
      const actor = { kind: 'system' as const, id: 'bench' };
      const meta = {
        at: now,
        recordedAt: now,
        actor,
        commandId,
        causationId: commandId,
        correlationId: commandId,
        projectId,
      };
      return { id: eventId(stream, commandId, i), type: event.type, data: event.data, meta };
    });
    events += batch.length;
    await engine.log.append(stream, 'none', batch);
  };
  const appFields = {
    name: 'iOS',
    platform: 'ios' as const,
    store: 'ios-store' as const,
    storeIdentifier: 'com.example.app',
  };
  const settings = { storeAppId: null, notificationForwardingUrl: null, iosStoreSmallBusiness: false };
  const keyFields = { sha256: sha256Of(apiKey), prefix: 'sk_', last4: apiKey.slice(-4), scopes: [], expiresAt: null };
  await append(streams.project(projectId), [
    projectEvents.ProjectCreated.of({
      projectId,
      name: 'Bench',
      ownerId: 'usr_bench',
      transferBehavior: 'transfer',
      sandboxAccess: 'anybody',
      displayCurrency: 'USD',
    }),
    projectEvents.AppRegistered.of({ appId, ...appFields, ...settings, refundPolicy: 'revoke_immediately' }),
    projectEvents.ApiKeyCreated.of({
      keyId: runtime.newId('key'),
      name: 'bench',
      kind: 'secret',
      appId: null,
      ...keyFields,
    }),
  ]);
  const link = { entitlementId, lookupKey: 'pro', productId, appId, storeProductId: STORE_PRODUCT };
  const durations = { duration: 'P1M', trialDuration: null, gracePeriodDuration: null };
  const product = { productId, appId, store: 'ios-store' as const, storeProductId: STORE_PRODUCT, displayName: 'Pro' };
  await append(streams.catalog(projectId), [
    catalogEvents.ProductCreated.of({ ...product, type: 'subscription', ...durations }),
    catalogEvents.EntitlementCreated.of({ entitlementId, lookupKey: 'pro', displayName: 'Pro', description: null }),
    catalogEvents.EntitlementProductAttached.of(link),
  ]);
  const ends = new Date(at + 30 * 86_400_000).toISOString();
  const subscribe = async (i: number) => {
    const appUserId = `user-${i}`;
    const id = customerId(hash, projectId, appUserId);
    const purchase = {
      subscriptionId: `sub_${id.slice(4)}`,
      transactionId: String(2_000_000_000 + i),
      originalTransactionId: String(2_000_000_000 + i),
      storeChainId: String(2_000_000_000 + i),
      store: 'ios-store' as const,
      appId,
      productId,
      storeProductId: STORE_PRODUCT,
      environment: 'production' as const,
      ownership: 'purchased' as const,
      country: 'US',
      offeringId: null,
      placementId: null,
    };
    const usd = { currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null };
    const money = { ...usd, taxRate: 0, commissionRate: 0.3 };
    const renewals = renewedEvery > 0 && i % renewedEvery === 0 ? RENEWALS : 0;
    /** Returns the period `n` renewals before the current one. */
    const periodBefore = (n: number) => ({
      ...{ periodType: 'normal' as const, periodDuration: 'P1M', productDuration: 'P1M' },
      purchasedAt: isoFromMs(msFromIso(now) - n * MONTH_MS),
      expiresAt: n === 0 ? ends : isoFromMs(msFromIso(now) - (n - 1) * MONTH_MS),
    });
    const offer = { offerType: null, offerId: null, discountType: null };
    await append(streams.subscriber(projectId, id), [
      subscriberEvents.CustomerCreated.of({
        appUserId,
        source: 'sdk',
        country: 'US',
        platform: 'ios',
        appVersion: '1.0',
      }),
      subscriberEvents.SubscriptionStarted.of({
        purchase,
        storeTime: now,
        startReason: 'first_purchase',
        previousSubscriptionId: null,
        ...periodBefore(renewals),
        money,
        offer,
      }),
      ...Array.from({ length: renewals }, (_, n) =>
        subscriberEvents.SubscriptionRenewed.of({
          purchase: { ...purchase, transactionId: `${purchase.transactionId}-${n + 1}` },
          storeTime: now,
          isTrialConversion: false,
          renewalNumber: n + 1,
          recoveredFrom: null,
          ...periodBefore(renewals - n - 1),
          money,
          offer,
        }),
      ),
    ]);
  };
  for (let i = 0; i < subscribers; i += CONCURRENT) {
    const group = Array.from({ length: Math.min(CONCURRENT, subscribers - i) }, (_, j) => subscribe(i + j));
    await Promise.all(group);
  }
  await engine.close();
  return { dataDir, masterKey: key.toString('base64'), apiKey, projectId, events };
}

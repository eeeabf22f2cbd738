// A third store, as small as one can be: it sends notifications of monthly purchases and cannot be read.
import { z } from 'zod';
import type { ThirdStorePort } from '../../../adapters/third-store/port.js';
import { NoCredentials, NotificationRefused } from '../../../domain/errors.js';
import { subscriptionId } from '../../../domain/ids.js';
import { toUnconvertedMoney } from '../../../domain/money.js';
import type { App } from '../../../domain/project/events.js';
import { storeProductOf } from '../../../domain/catalog/products.js';
import { storeKindOf } from '../../../domain/store-kinds.js';
import { streams } from '../../../domain/streams.js';
import { recordFromStore } from '../../subscribers/purchase-lines.js';
import { contextOfNotification, outcomeOf } from '../inbox/inbox.js';
import { invalidReceipt } from '../receipts.js';
import type { LineUpdate } from '../line-update.js';
import type {
  AppliedNotification,
  ReadNotification,
  RetryOptions,
  StoreDeps,
  StoredNotification,
  StoreIntegration,
} from '../store-integration.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';

const kind = storeKindOf('third-store');
const names = { thirdAppName: storeIdentifier };
const body = z.strictObject({ content: z.string(), signature: z.string() });
const content = z.strictObject({
  id: z.string(),
  app: z.string(),
  product: z.string(),
  from: z.iso.datetime({ precision: 3 }),
  until: z.iso.datetime({ precision: 3 }),
  priceMicros: z.int(),
});
type Content = z.output<typeof content>;

function read(port: ThirdStorePort, app: App, given: unknown): ReadNotification {
  const notification = body.parse(given);
  if (!port.isSigned(notification.content, notification.signature))
    throw new NotificationRefused('unproven', 'the signature is not the third-store’s');
  const decoded = content.parse(JSON.parse(notification.content));
  if (decoded.app !== app.storeIdentifier) throw new NotificationRefused('other-app', 'it is about another app');
  return { key: decoded.id, notificationType: 'BOUGHT', subtype: null, decoded, signedAt: decoded.from };
}

async function factsOf(deps: StoreDeps, projectId: string, app: App, n: Content): Promise<LineUpdate> {
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const product = storeProductOf(catalog, app.appId, n.product);
  const purchase = {
    ...{ transactionId: n.id, originalTransactionId: n.id, storeChainId: n.id, store: kind, appId: app.appId },
    ...{ productId: product?.productId ?? null, storeProductId: n.product, environment: 'production' as const },
    ...{ ownership: 'purchased' as const, country: null, offeringId: null, placementId: null },
  };
  const period = {
    ...{ kind: 'recordPeriod' as const, storeChainId: n.id, storeTime: n.from, purchase, inferred: false },
    newSubscriptionId: subscriptionId(deps.hash, projectId, n.id, n.id),
    ...{ reason: 'purchase' as const, periodType: 'normal' as const, periodDuration: 'P1M', productDuration: 'P1M' },
    ...{ purchasedAt: n.from, expiresAt: n.until, offer: { offerType: null, offerId: null, discountType: null } },
    money: { ...toUnconvertedMoney({ currency: 'USD', amountMicros: n.priceMicros }), taxRate: 0, commissionRate: 0 },
  };
  return { storeChainId: n.id, commands: [period], accountToken: null, firstAt: n.from };
}

async function apply(
  deps: StoreDeps,
  app: App,
  event: StoredNotification,
  retry: RetryOptions | null,
): Promise<AppliedNotification> {
  const projectId = event.meta.projectId ?? '';
  const update = await factsOf(deps, projectId, app, content.parse(event.data.decoded));
  const ctx = retry ? retry.contextOf(event, update) : contextOfNotification(event);
  return outcomeOf(event, update, await recordFromStore(deps, { projectId, store: kind, update }, ctx));
}

function integrate(port: ThirdStorePort): StoreIntegration {
  return {
    kind,
    requiresStoreRequest: false,
    admit: null,
    readNotification: async (_, app, given) => read(port, app, given),
    decodeFully: (rawBody) => ({ said: rawBody }),
    revocationChecked: () => null,
    transactionsOfOrder: null,
    answerRefund: () => Promise.reject(new NoCredentials('third', kind)),
    signOffer: null,
    readReceipt: null,
    lineOf: (decoded) => content.parse(decoded).id,
    applyNotification: apply,
    submitReceipt: () => Promise.reject(invalidReceipt('the third-store gives none')),
    findPurchaseTokens: null,
    recordDownload: null,
    refreshPurchase: async () => ({ commands: [], listsPast: false }),
    scheduleTasks: async () => undefined,
    nameImportedLine: (_deps, { storeChainId }) => Promise.resolve(storeChainId),
    recordImportedPurchase: () => Promise.resolve(),
    schedulePastNotifications: null,
    scheduleOrderLookUps: null,
    scheduleHistoryLookUps: null,
    findReports: null,
    runTask: async () => ({ next: null }),
  };
}

export const thirdStore: StoreModule<ThirdStorePort> = {
  kind,
  schemaName: 'Third',
  notification: { summary: 'Receive test store notification', body },
  app: {
    names,
    settings: {},
    response: { thirdAppName: z.string() },
    read: (given) => {
      const { thirdAppName } = z.object(names).parse(given);
      return { storeIdentifier: thirdAppName, storeAppId: null, iosStoreSmallBusiness: false };
    },
    show: (app) => ({ thirdAppName: app.storeIdentifier }),
  },
  reportSource: null,
  credentials: {
    summary: 'Register test store credentials',
    body: z.strictObject({}),
    response: {},
    check: () => ({ secret: 'none', fingerprint: 'none', field: 'none', terms: {} }),
    show: () => ({}),
  },
  receiptExample: 'none',
  managementPage: { namesApp: false, of: () => 'https://store.example.com/subscriptions' },
  compatibility: { noCredentialsCode: 7110, receiptNamesProduct: true, keyPrefixes: [] },
  collections: [],
  integrate,
};

// Module of the ios-store: its part of the API and its implementation of the store integration.
import { v4 } from 'uuid';
import { z } from 'zod';
import type { IosStorePort, IosNotification, VerifiedData } from '../../../adapters/ios-store/port.js';
import { signPromotionalOffer } from '../../../adapters/ios-store/promotional-offer.js';
import { InvalidSignedData, IosStoreRefusal } from '../../../domain/errors.js';
import type {
  StoreDeps,
  StoreIntegration,
  AppOwner,
  PromotionalOffer,
  RefundAnswerOfApp,
  SignedOffer,
} from '../store-integration.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import type { StoreWork, CompletedTask } from '../tasks.js';
import {
  catchUp,
  catchUpWork,
  pastNotificationsWork,
  readPastNotifications,
  scheduleCatchUp,
  schedulePastNotifications,
} from './catch-up.js';
import { recordSignedDownload } from './app-downloads.js';
import { recordIosStatus, recordIosHistory } from './chains.js';
import { iosCredentials, openIosApp } from './credentials.js';
import { findIosReports, iosReportSource } from './finance-reports.js';
import { historyWork } from './history-gaps.js';
import {
  applyIosNotification,
  decodeIosNotification,
  notificationBody,
  readIosNotification,
  type IosDeps,
  verifyTransaction,
} from './inbox.js';
import { readIosReceipt, submitIosReceipt } from './receipts.js';
import { readReportedHistories, reportedGroupsWork, scheduleHistoryLookUps } from './reported-groups.js';
import { doScheduledRestore, restoreWork } from './restore.js';

const names = { bundleId: storeIdentifier, storeAppId: z.int().positive().optional() };
const settings = { iosStoreSmallBusiness: z.boolean().default(false) };
const appBody = z.object({ ...names, ...settings });

export const iosStore: StoreModule<IosStorePort> = {
  kind: 'ios-store',
  schemaName: 'Ios',
  notification: {
    summary: 'Receive iOS store notification',
    example: { signedPayload: 'eyJhbGciOiJFUzI1NiIsIng1YyI6…' },
    body: notificationBody,
  },
  app: {
    names,
    settings,
    response: { bundleId: z.string(), storeAppId: z.int().nullable() },
    read: (body) => {
      const { bundleId, storeAppId = null, iosStoreSmallBusiness } = appBody.parse(body);
      return { storeIdentifier: bundleId, storeAppId, iosStoreSmallBusiness };
    },
    show: (app) => ({ bundleId: app.storeIdentifier, storeAppId: app.storeAppId }),
  },
  credentials: iosCredentials,
  reportSource: iosReportSource,
  receiptExample: 'eyJhbGciOiJFUzI1NiIsIng1YyI6…',
  managementPage: { namesApp: false, of: () => 'https://apps.apple.com/account/subscriptions' },
  compatibility: { noCredentialsCode: 7234, receiptNamesProduct: true, keyPrefixes: ['appl_', 'mac_'] },
  collections: [],
  integrate: integrateIosStore,
};

export function integrateIosStore(iosStore: IosStorePort): StoreIntegration {
  const withStore = (deps: StoreDeps): IosDeps => ({ ...deps, iosStore });
  return {
    kind: 'ios-store',
    requiresStoreRequest: false,
    admit: null,
    readNotification: (deps, app, body) => readIosNotification(withStore(deps), app, body),
    revocationChecked: (decoded) => (decoded as Partial<VerifiedData<IosNotification>>).revocationChecked ?? false,
    lineOf: (decoded) => (decoded as IosNotification).data?.transaction?.originalTransactionId ?? null,
    applyNotification: (deps, app, event, retry) => applyIosNotification(withStore(deps), app, event, retry),
    decodeFully: decodeIosNotification,
    submitReceipt: async (deps, by, receipt) => {
      return { result: await submitIosReceipt(withStore(deps), by, receipt), missing: null };
    },
    recordDownload: (deps, by, presented) => recordSignedDownload(withStore(deps), by, presented),
    findPurchaseTokens: null,
    refreshPurchase: async (deps, { projectId, app, purchase, isSubscription, scope }, ctx) => {
      const { transactionId, storeChainId: originalTransactionId } = purchase;
      const environment = purchase.environment === 'sandbox' ? ('Sandbox' as const) : ('Production' as const);
      const chain = { projectId, app, environment, originalTransactionId };
      if (scope === 'history' || !isSubscription)
        return recordIosHistory(withStore(deps), chain, { transactionId, isSubscription }, ctx);
      return { commands: await recordIosStatus(withStore(deps), chain, ctx), listsPast: false };
    },
    transactionsOfOrder: (deps, owner, orderId) => transactionsOfIosOrder(withStore(deps), owner, orderId),
    answerRefund: (deps, owner, answer) => sendIosRefundAnswer(withStore(deps), owner, answer),
    signOffer: (deps, owner, offer) => signIosOffer(withStore(deps), owner, offer),
    readReceipt: (deps, presented) => readIosReceipt(withStore(deps), presented),
    nameImportedLine: (_deps, { storeChainId }) => Promise.resolve(storeChainId),
    recordImportedPurchase: () => Promise.resolve(),
    scheduleTasks: scheduleCatchUp,
    schedulePastNotifications,
    scheduleOrderLookUps: null,
    scheduleHistoryLookUps,
    findReports: findIosReports(iosStore.reports),
    runTask: (deps, owner, work) => runIosTask(withStore(deps), owner, work),
  };
}

const iosWork = z.discriminatedUnion('kind', [
  catchUpWork,
  pastNotificationsWork,
  historyWork,
  restoreWork,
  reportedGroupsWork,
]);

async function runIosTask(deps: IosDeps, owner: AppOwner, storedWork: StoreWork): Promise<CompletedTask> {
  const work = iosWork.parse(storedWork);
  if (work.kind === 'catch-up') return { next: await catchUp(deps, owner, work) };
  if (work.kind === 'past-notifications') return { next: await readPastNotifications(deps, owner, work) };
  if (work.kind === 'reportedGroups') return { next: await readReportedHistories(deps, owner, work) };
  try {
    if (work.kind === 'restore') await doScheduledRestore(deps, owner, work);
    else await recordIosHistory(deps, { ...owner, ...work }, work);
    return { next: null };
  } catch (err) {
    // A retry would get the same response from the store.
    const isFinal = err instanceof InvalidSignedData || (err instanceof IosStoreRefusal && err.reason === 'invalid');
    if (!isFinal) throw err;
    return { next: null, warning: { reason: err.message, message: 'purchase history not available' } };
  }
}

/** Order ID as on receipts, such as `MK5TTTVWJH`; a transaction ID consists of digits. */
const ORDER_ID = /^[A-Z][A-Z0-9]{5,30}$/;

/**
 * Returns an empty list when the store does not know the order. Throws `NoCredentials`, `IosStoreRefusal`, `Unavailable`,
 * `InvalidSignedData`.
 */
async function transactionsOfIosOrder(deps: IosDeps, owner: AppOwner, orderId: string): Promise<readonly string[]> {
  if (!ORDER_ID.test(orderId)) return [];
  // The store supports order lookup in production only.
  const signed = await deps.iosStore.api.order(await openIosApp(deps, owner, 'Production'), orderId);
  const transactions = await Promise.all(signed.map((text) => verifyTransaction(deps, owner.app, text)));
  return transactions.map(({ transactionId }) => transactionId);
}

const PREFERENCES = { decline: 'DECLINE', grant_full: 'GRANT_FULL', grant_prorated: 'GRANT_PRORATED' } as const;

async function sendIosRefundAnswer(deps: IosDeps, owner: AppOwner, answer: RefundAnswerOfApp): Promise<void> {
  const { transactionId, preference, sampleContentProvided } = answer;
  const environment = answer.environment === 'sandbox' ? 'Sandbox' : 'Production';
  await deps.iosStore.api.sendConsumption(await openIosApp(deps, owner, environment), environment, transactionId, {
    customerConsented: true,
    deliveryStatus: 'DELIVERED',
    sampleContentProvided,
    refundPreference: PREFERENCES[preference],
  });
}

/** The store accepts a signature for 24 hours, and each nonce once. */
async function signIosOffer(deps: IosDeps, owner: AppOwner, offer: PromotionalOffer): Promise<SignedOffer> {
  const { key, bundleId } = await openIosApp(deps, owner);
  const once = { nonce: v4({ random: deps.runtime.randomBytes(16) }), timestampMs: deps.runtime.now() };
  const signature = await signPromotionalOffer({ ...key, bundleId }, { ...offer, ...once });
  return { keyId: key.keyId, signature, ...once };
}

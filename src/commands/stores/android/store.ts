// Module of the android-store: its part of the API and its implementation of the store integration.
import { z } from 'zod';
import { purchaseTokenOf, pushBody } from '../../../adapters/android-store/envelope.js';
import type { AndroidStorePort, PushTokens, AndroidVoidedPurchase } from '../../../adapters/android-store/port.js';
import { InvalidPushToken, NotificationRefused, AndroidStoreRefusal } from '../../../domain/errors.js';
import { isoFromMs } from '../../../domain/time.js';
import { sha256Of } from '../../accounts/api-key.js';
import { commandIds } from '../../handling/command-ids.js';
import type { Deps } from '../../handling/deps.js';
import type { StoreDeps, StoreIntegration, Sender, AppOwner } from '../store-integration.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import { type StoreWork, type CompletedTask, addStoreTask, type NextWork } from '../tasks.js';
import { androidCredentials } from './credentials.js';
import { applyAndroidNotification, decodeAndroidNotification, readAndroidNotification } from './inbox.js';
import { nameImportedLine, purchaseTokenCollection, saveImportedToken } from './purchases/purchase-tokens.js';
import { type AndroidDeps, androidAppOf, type PurchaseRequest } from './purchases/purchases.js';
import {
  recordRead,
  acknowledgementWork,
  sendAcknowledgement,
  nextOverdueRead,
  overdueWork,
} from './purchases/record.js';
import { submitOrQueueReceipt, queuedReceiptWork, submitQueuedReceipt } from './receipts.js';
import { findTokensOfOrders, refreshAndroidPurchase } from './refresh.js';
import { checkOrders, orderCheckWork, scheduleOrderChecks } from './refunded-orders.js';
import { sendRefundReview } from './refund-reviews.js';
import { androidReportSource, findAndroidReports } from './report-bucket.js';
import { lookUpOrders, reportedOrdersWork, scheduleOrderLookUps } from './reported-orders.js';
import { readWithRefunds, LISTED_FOR_MS, readListedRefund } from './refunds.js';

const names = { packageName: storeIdentifier };
const appBody = z.object(names);
const MANAGEMENT_PAGE = 'https://play.google.com/store/account/subscriptions';

export const androidStore: StoreModule<AndroidStorePort> = {
  kind: 'android-store',
  schemaName: 'Android',
  notification: { summary: 'Receiver for Android store server-to-server notifications', body: pushBody },
  app: {
    names,
    settings: {},
    response: { packageName: z.string() },
    read: (body) => {
      const { packageName } = appBody.parse(body);
      return { storeIdentifier: packageName, storeAppId: null, iosStoreSmallBusiness: false };
    },
    show: (app) => ({ packageName: app.storeIdentifier }),
  },
  credentials: androidCredentials,
  reportSource: androidReportSource,
  receiptExample: 'opaque-purchase-token',
  managementPage: {
    namesApp: true,
    of: ({ storeProductId }, name) => {
      if (name === undefined) return MANAGEMENT_PAGE;
      const [sku = ''] = storeProductId.split(':');
      return `${MANAGEMENT_PAGE}?${new URLSearchParams({ sku, package: name }).toString()}`;
    },
  },
  compatibility: { noCredentialsCode: 7107, receiptNamesProduct: false, keyPrefixes: ['goog_'] },
  collections: [purchaseTokenCollection],
  integrate: integrateAndroidStore,
};

export function integrateAndroidStore({ api, reports, pushTokens }: AndroidStorePort): StoreIntegration {
  const withStore = (deps: StoreDeps): AndroidDeps => ({ ...deps, androidStore: api });
  return {
    kind: 'android-store',
    requiresStoreRequest: true,
    admit: (_, sender) => checkPusher(pushTokens, sender),
    readNotification: async (_, app, body) => readAndroidNotification(app, body),
    decodeFully: decodeAndroidNotification,
    revocationChecked: () => null,
    lineOf: purchaseTokenOf,
    applyNotification: (deps, app, event, retry) => applyAndroidNotification(withStore(deps), app, event, retry),
    submitReceipt: (deps, by, receipt) => submitOrQueueReceipt(withStore(deps), by, receipt),
    recordDownload: null,
    refreshPurchase: (deps, about, ctx) => refreshAndroidPurchase(withStore(deps), about, ctx),
    findPurchaseTokens: (deps, owner, about) => findTokensOfOrders(withStore(deps), owner, about),
    transactionsOfOrder: null,
    answerRefund: (deps, owner, answer) => sendRefundReview(withStore(deps), owner, answer),
    signOffer: null,
    readReceipt: null,
    nameImportedLine,
    recordImportedPurchase: async (deps, purchase) => saveImportedToken(deps, purchase),
    scheduleTasks: scheduleRefundSearches,
    schedulePastNotifications: null,
    scheduleOrderLookUps,
    scheduleHistoryLookUps: null,
    findReports: findAndroidReports(reports),
    runTask: (deps, owner, work) => runAndroidTask(withStore(deps), owner, work),
  };
}

/** Verifies the identity token if one is sent; it is required if the app's credentials contain the pushing account. */
async function checkPusher(pushTokens: PushTokens, { authorization, terms, address }: Sender): Promise<void> {
  const email = textOf(terms['pushServiceAccountEmail']);
  const audience = textOf(terms['pushAudience']);
  if (authorization === undefined) {
    if (email === null) return;
    throw unproven('a push identity token is required: let the push subscription send one');
  }
  const [scheme, identity] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !identity) throw unproven('send Authorization: Bearer');
  try {
    await pushTokens.verify(identity, { audiences: [audience ?? address], email });
  } catch (err) {
    if (err instanceof InvalidPushToken) throw unproven('the push identity token was refused');
    throw err;
  }
}

function textOf(term: unknown): string | null {
  return typeof term === 'string' ? term : null;
}

function unproven(message: string): NotificationRefused {
  return new NotificationRefused('unproven', message);
}

/** `seen`: refunds that the previous poll returned. */
const voidedPollWork = z.object({ kind: z.literal('sweep'), sinceMs: z.number(), seen: z.array(z.string()) });
const androidWork = z.discriminatedUnion('kind', [
  acknowledgementWork,
  voidedPollWork,
  orderCheckWork,
  reportedOrdersWork,
  queuedReceiptWork,
  overdueWork,
]);

async function runAndroidTask(deps: AndroidDeps, owner: AppOwner, storedWork: StoreWork): Promise<CompletedTask> {
  const work = androidWork.parse(storedWork);
  if (work.kind === 'sweep') return { next: await pollVoidedPurchases(deps, owner, work) };
  if (work.kind === 'orders') return { next: await checkOrders(deps, owner, work) };
  if (work.kind === 'reportedOrders') {
    await lookUpOrders(deps, owner, work);
    return { next: null };
  }
  if (work.kind === 'receipt') {
    const reason = await submitQueuedReceipt(deps, owner, work);
    return {
      next: null,
      ...(reason !== null && { warning: { reason, message: 'queued receipt refused' } }),
    };
  }
  if (work.kind === 'overdue')
    return { next: (await readOverdue(deps, owner, work.purchaseToken)) ? nextOverdueRead(work) : null };
  await sendAcknowledgement(deps, owner, work, work.purchaseToken);
  return { next: null };
}

/** Returns whether the purchase is still overdue; false for one that the store does not know any more. */
async function readOverdue(deps: AndroidDeps, owner: AppOwner, purchaseToken: string) {
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { ...owner, type: null, storeTime, offeringId: null, claimed: null };
  const id = commandIds.storeRequest(sha256Of(purchaseToken), storeTime, 'overdue', storeTime);
  const actor = { kind: 'store' as const, id: 'android-store' };
  try {
    const read = await readWithRefunds(deps, question, purchaseToken);
    const ctx = { commandId: id, correlationId: id, actor, projectId: owner.projectId };
    await recordRead(deps, { question, read, purchaseToken }, ctx);
    return read.isOverdue === true;
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return false;
  }
}

type VoidedPollWork = z.output<typeof voidedPollWork>;

const DAY_MS = 86_400_000;
/** Entries appear late: every poll starts a day before the end of the previous one. */
const OVERLAP_MS = DAY_MS;
const EVERY_MS = DAY_MS / 4;

/** Starts the searches for refunds whose notification never arrived, once for each app: polls of the list of voided purchases, and looks at orders. */
async function scheduleRefundSearches(deps: Deps, projectId: string, appId: string): Promise<void> {
  await scheduleOrderChecks(deps, projectId, appId);
  const now = deps.runtime.now();
  const work = { kind: 'sweep' as const, sinceMs: now - LISTED_FOR_MS, seen: [] };
  await addStoreTask(deps, `sweep|${appId}`, { projectId, appId, dueAt: isoFromMs(now), work });
}

/** Throws as `readSubscription` does; then the same poll is repeated. */
async function pollVoidedPurchases(
  deps: AndroidDeps,
  owner: AppOwner,
  work: VoidedPollWork,
): Promise<NextWork<VoidedPollWork>> {
  const now = deps.runtime.now();
  const store = await androidAppOf(deps, owner.projectId, owner.app);
  const sinceMs = Math.max(work.sinceMs, now - LISTED_FOR_MS);
  const purchases = await deps.androidStore.voidedPurchases(store, sinceMs);
  const earlierOrders = new Set(work.seen);
  const question = { ...owner, type: null, storeTime: isoFromMs(now), offeringId: null, claimed: null };
  for (const voided of purchases) if (!earlierOrders.has(nameOf(voided))) await record(deps, question, voided);
  return { work: { kind: 'sweep', sinceMs: now - OVERLAP_MS, seen: purchases.map(nameOf) }, inMs: EVERY_MS };
}

async function record(deps: AndroidDeps, question: PurchaseRequest, voided: AndroidVoidedPurchase) {
  const { projectId, app } = question;
  const { purchaseToken } = voided;
  const read = await readListedRefund(deps, question, voided);
  const id = commandIds.voidedPurchase(app.appId, nameOf(voided));
  const actor = { kind: 'store' as const, id: 'android-store' };
  const ctx = { commandId: id, correlationId: id, actor, projectId };
  await recordRead(deps, { question, read, purchaseToken }, ctx);
}

function nameOf({ orderId, voidedTimeMillis }: AndroidVoidedPurchase): string {
  return `${orderId}|${voidedTimeMillis}`;
}

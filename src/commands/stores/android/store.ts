// Module of the android-store: its part of the API and its implementation of the store integration.
import { z } from 'zod';
import { purchaseTokenOf, pushBody } from '../../../adapters/android-store/envelope.js';
import type { AndroidStorePort, PushTokens } from '../../../adapters/android-store/port.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import { androidCredentials } from './credentials.js';
import { isoFromMs } from '../../../domain/time.js';
import type { StoreDeps, StoreIntegration, Sender, AppOwner } from '../store-integration.js';
import { applyAndroidNotification, decodeAndroidNotification, readAndroidNotification } from './inbox.js';
import { submitOrQueueReceipt, queuedReceiptWork, submitQueuedReceipt } from './queued-receipts.js';
import { purchaseTokenCollection, saveImportedToken } from './purchases/purchase-tokens.js';
import type { AndroidDeps } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { findTokensOfOrders, refreshAndroidPurchase } from './refresh.js';
import { readWithRefunds } from './refunds.js';
import { scheduleVoidedPolling, pollVoidedPurchases, voidedPollWork } from './poll-voided-purchases.js';
import { InvalidPushToken, NotificationRefused, AndroidStoreRefusal } from '../../../domain/errors.js';
import { sha256Of } from '../../accounts/api-key.js';
import { commandIds } from '../../handling/command-ids.js';
import type { StoreWork, CompletedTask } from '../tasks.js';
import { acknowledgementWork, sendAcknowledgement } from './acknowledgements.js';
import { nextOverdueRead, overdueWork } from './overdue-purchases.js';

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

export function integrateAndroidStore({ api, pushTokens }: AndroidStorePort): StoreIntegration {
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
    refreshPurchase: (deps, about, ctx) => refreshAndroidPurchase(withStore(deps), about, ctx),
    findPurchaseTokens: (deps, owner, about) => findTokensOfOrders(withStore(deps), owner, about),
    transactionsOfOrder: null,
    signOffer: null,
    readReceipt: null,
    notePurchase: async (deps, purchase) => saveImportedToken(deps, purchase),
    scheduleTasks: scheduleVoidedPolling,
    schedulePastNotifications: null,
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

const androidWork = z.discriminatedUnion('kind', [acknowledgementWork, voidedPollWork, queuedReceiptWork, overdueWork]);

async function runAndroidTask(deps: AndroidDeps, owner: AppOwner, given: StoreWork): Promise<CompletedTask> {
  const work = androidWork.parse(given);
  if (work.kind === 'sweep') return { next: await pollVoidedPurchases(deps, owner, work) };
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

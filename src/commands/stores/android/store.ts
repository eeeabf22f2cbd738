// What is the android-store's own in the API, and the android-store behind the seam of all stores.
import { z } from 'zod';
import { pushBody } from '../../../adapters/android-store/envelope.js';
import type { AndroidStorePort } from '../../../adapters/android-store/port.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import { androidCredentials } from './credentials.js';
import { isoFromMs } from '../../../domain/time.js';
import type { StoreDeps, StoreIntegration } from '../store-integration.js';
import { checkPusher } from './admission.js';
import {
  androidAsKept,
  applyAndroidNotification,
  lineOfAndroid,
  processAndroidNotification,
  readAndroidNotification,
  wordsOfAndroid,
} from './inbox.js';
import { submitOrKeep } from './kept-receipts.js';
import { newestToken, purchaseTokenCollection } from './purchases/purchase-tokens.js';
import type { AndroidDeps } from './purchases/purchases.js';
import { recordRead, recordUpdates } from './purchases/record.js';
import { readWithRefunds } from './refunds.js';
import { startSweeping } from './sweep.js';
import { doAndroidTask } from './tasks.js';

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
  collections: [purchaseTokenCollection],
  integrate: integrateAndroidStore,
};

export function integrateAndroidStore({ api, pushTokens }: AndroidStorePort): StoreIntegration {
  const withStore = (deps: StoreDeps): AndroidDeps => ({ ...deps, androidStore: api });
  return {
    kind: 'android-store',
    asksToWorkOff: true,
    admit: (_, sender) => checkPusher(pushTokens, sender),
    readNotification: async (_, app, body) => readAndroidNotification(app, body),
    wordsOf: wordsOfAndroid,
    revocationChecked: () => null,
    lineOf: lineOfAndroid,
    workOff: (deps, find, event) => processAndroidNotification(withStore(deps), find, event),
    translateAgain: async (deps, find, event, { name, isDryRun }) => {
      const record = isDryRun ? recordUpdates : recordRead;
      return applyAndroidNotification(withStore(deps), find, event, await androidAsKept(deps, event), name, record);
    },
    submitReceipt: (deps, find, by, receipt) => submitOrKeep(withStore(deps), find, by, receipt),
    askAgain: async (deps, find, { projectId, app, purchase }, ctx) => {
      const own = withStore(deps);
      const purchaseToken = await newestToken(deps, app.appId, purchase.originalTransactionId);
      const storeTime = isoFromMs(deps.runtime.now());
      const question = { projectId, app, type: null, storeTime, offeringId: null, claimed: null };
      const read = await readWithRefunds(own, question, purchaseToken);
      await recordRead(own, find, { question, read, purchaseToken }, ctx);
    },
    transactionsOfOrder: null,
    startTasks: startSweeping,
    doTask: (deps, find, owner, work) => doAndroidTask(withStore(deps), find, owner, work),
  };
}

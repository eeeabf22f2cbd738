// What is the android-store's own in the API.
import { z } from 'zod';
import { pushBody } from '../../../adapters/android-store/envelope.js';
import type { AndroidStorePort } from '../../../adapters/android-store/port.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import { androidCredentials } from './credentials.js';
import { integrateAndroidStore } from './integration.js';
import { purchaseTokenCollection } from './purchases/purchase-tokens.js';

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

// What is the ios-store's own in the API.
import { z } from 'zod';
import type { IosStorePort } from '../../../adapters/ios-store/api-port.js';
import { storeIdentifier, type StoreModule } from '../store-module.js';
import { iosCredentials } from './credentials.js';
import { notificationBody } from './inbox.js';
import { integrateIosStore } from './integration.js';

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
  receiptExample: 'eyJhbGciOiJFUzI1NiIsIng1YyI6…',
  managementPage: { namesApp: false, of: () => 'https://apps.apple.com/account/subscriptions' },
  collections: [],
  integrate: integrateIosStore,
};

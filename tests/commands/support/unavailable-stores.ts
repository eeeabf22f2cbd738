// Stores that cannot be reached, and whose signatures nobody checks, for what does not ask them.
import type { AndroidStorePort } from '../../../src/adapters/android-store/port.js';
import { Unavailable } from '../../../src/domain/errors.js';
import type { IosStorePort } from '../../../src/adapters/ios-store/port.js';
import { integrateAndroidStore } from '../../../src/commands/stores/android/store.js';
import { integrateIosStore } from '../../../src/commands/stores/ios/store.js';
import { storesOf } from '../../../src/commands/stores/store-integration.js';

const away = () => Promise.reject(new Unavailable('no store here'));

const iosStoreAway: IosStorePort = {
  api: {
    ...{ transaction: away, history: away, statuses: away },
    ...{ order: away, sendConsumption: away, notifications: away },
  },
  reports: { report: away },
  signedData: {
    ...{ verifyNotification: away, verifyTransaction: away, verifyRenewalInfo: away, verifyAppTransaction: away },
    isSignedAppReceipt: away,
  },
};
const androidStoreAway: AndroidStorePort = {
  api: {
    ...{ subscription: away, product: away, oldProduct: away },
    ...{ order: away, orders: away, voidedPurchases: away, reviewRefund: away, acknowledge: away },
  },
  reports: { list: away, download: away },
  pushTokens: { verify: away },
};

export const storesAway = storesOf([integrateIosStore(iosStoreAway), integrateAndroidStore(androidStoreAway)]);

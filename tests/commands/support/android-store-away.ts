// An android-store that cannot be reached, for what does not ask it.
import type { AndroidStoreApi } from '../../../src/adapters/android-store/port.js';
import { Unavailable } from '../../../src/domain/errors.js';

const away = () => Promise.reject(new Unavailable('no android-store here'));

export const androidStoreAway: AndroidStoreApi = {
  subscription: away,
  product: away,
  order: away,
  voidedPurchases: away,
  acknowledge: away,
};

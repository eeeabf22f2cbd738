// An ios-store that cannot be reached, and whose signatures nobody checks, for what does not ask it.
import { Unavailable } from '../../../src/domain/errors.js';
import type { Deps } from '../../../src/commands/handling/deps.js';

const away = () => Promise.reject(new Unavailable('no ios-store here'));

export const iosStoreAway: Deps['iosStore'] = {
  api: {
    transaction: away,
    history: away,
    statuses: away,
    notifications: away,
  },
  signedData: { verifyNotification: away, verifyTransaction: away, verifyRenewalInfo: away },
};

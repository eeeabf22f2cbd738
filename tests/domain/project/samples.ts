// An app of a project, for the specs of projects, apps and stores.
import type { App } from '../../../src/domain/project/events.js';

export const iosApp: App = {
  appId: 'app_1',
  name: 'Weather for iOS',
  platform: 'ios',
  store: 'ios-store',
  storeIdentifier: 'app.weather',
  storeAppId: null,
  notificationForwardingUrl: null,
  refundPolicy: 'revoke_immediately',
  iosStoreSmallBusiness: false,
};

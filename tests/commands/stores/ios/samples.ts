// Decoded payloads of the ios-store as its adapter hands them over, and the app that they belong to.
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import type { IosContext } from '../../../../src/commands/stores/ios/translator/transaction.js';
import { catalogDecider } from '../../../../src/domain/catalog/catalog.js';
import type { Product } from '../../../../src/domain/catalog/products.js';
import { keyedHash } from '../../../../src/domain/ids.js';
import type { App } from '../../../../src/domain/project/events.js';
import { monthly } from '../../../domain/catalog/samples.js';
import { iosApp } from '../../../domain/project/samples.js';

export const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 1, 10);

/** Milliseconds since the epoch, `n` days after the first purchase. */
export function dayMs(n: number): number {
  return START + Math.round(n * DAY_MS);
}

const app: App = { ...iosApp, name: 'Weather' };
const season: Product = {
  ...monthly,
  productId: 'prod_2',
  storeProductId: 'app.season',
  type: 'non_renewing_subscription',
};

export function contextOf(changes: Partial<App> = {}): IosContext {
  return {
    projectId: 'proj_1',
    app: { ...app, ...changes },
    catalog: { ...catalogDecider.initial(), products: [monthly, season] },
    hash: keyedHash(Buffer.alloc(32, 7)),
    offeringId: null,
    claimed: null,
  };
}

export function transactionOf(fields: Partial<IosTransaction> = {}): IosTransaction {
  return {
    transactionId: '1000',
    originalTransactionId: '1000',
    bundleId: 'app.weather',
    productId: 'app.monthly',
    purchaseDate: dayMs(0),
    originalPurchaseDate: dayMs(0),
    expiresDate: dayMs(31),
    type: 'Auto-Renewable Subscription',
    environment: 'Production',
    inAppOwnershipType: 'PURCHASED',
    transactionReason: 'PURCHASE',
    price: 9990,
    currency: 'USD',
    storefront: 'USA',
    ...fields,
  };
}

export function renewalOf(fields: Partial<IosRenewalInfo> = {}): IosRenewalInfo {
  return {
    originalTransactionId: '1000',
    environment: 'Production',
    productId: 'app.monthly',
    autoRenewProductId: 'app.monthly',
    autoRenewStatus: 1,
    ...fields,
  };
}

export function notificationOf(
  notificationType: string,
  subtype: string | null,
  day: number,
  parts: { readonly transaction?: IosTransaction; readonly renewal?: IosRenewalInfo } = {
    transaction: transactionOf(),
  },
): IosNotification {
  return {
    notificationType,
    ...(subtype !== null && { subtype }),
    notificationUUID: `${notificationType}-${subtype ?? ''}-${day}`,
    version: '2.0',
    signedDate: dayMs(day),
    data: { environment: 'Production', bundleId: 'app.weather', ...parts },
  };
}

// Purchases in the test store: the client shows its own dialog, and its messages are not signed. Only a key of the project's test app can
// record them, and they are always sandbox purchases.
import { assumedCharge } from '../../../domain/catalog/assumed-price.js';
import type { Catalog } from '../../../domain/catalog/catalog.js';
import { storeProductOf, type Product } from '../../../domain/catalog/products.js';
import { Rejection } from '../../../domain/errors.js';
import { subscriptionId } from '../../../domain/ids.js';
import { toUnconvertedMoney, type Money } from '../../../domain/money.js';
import type { App } from '../../../domain/project/events.js';
import { TEST_STORE } from '../../../domain/store-kinds.js';
import { streams } from '../../../domain/streams.js';
import type { OneTimePurchaseRef } from '../../../domain/subscriber/events/blocks.js';
import type { StoreCommand } from '../../../domain/subscriber/decide/store-commands.js';
import { addDuration, earliest, isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Deps, type Requester } from '../../handling/deps.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import type { LineUpdate } from '../line-update.js';
import { invalidReceipt } from '../receipts.js';

export type TestPurchase = {
  readonly projectId: string;
  readonly app: App;
  readonly appUserId: string;
  /** `test_`, device time in ms since the epoch, and a UUID; becomes the ID of the transaction. */
  readonly token: string;
  readonly storeProductId: string;
  readonly isRestore: boolean;
  /** The offering that the app displayed. */
  readonly offeringId: string | null;
};

const TOKEN = /^test_(\d{10,14})_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_OFFER = { offerType: null, offerId: null, discountType: null };
/** Duration of a subscription without one in the catalogue: the most common. */
const DEFAULT_DURATION = 'P1M';

/** Returns how long a period of a subscription lasts in the test store (ISO 8601). */
export function testDurationOf({ duration }: Pick<Product, 'duration'>): string {
  return duration ?? DEFAULT_DURATION;
}

/** Records a purchase; a repeated token adds nothing. Throws {@link Rejection} for a token of another format. */
export async function submitTestPurchase(deps: Deps, by: Requester, o: TestPurchase): Promise<SubscriberResult> {
  const { projectId, appUserId, isRestore } = o;
  const [, sentMs] = TOKEN.exec(o.token) ?? [];
  if (sentMs === undefined || o.app.store !== TEST_STORE) throw invalidReceipt('it is not a token of the test store');
  const token = o.token.toLowerCase();
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const purchasedAt = earliest(isoFromMs(Number(sentMs)), isoFromMs(deps.runtime.now()));
  const command = purchaseCommand(deps, { ...o, token }, catalog, purchasedAt);
  const update: LineUpdate = { storeChainId: token, commands: [command], accountToken: null, firstAt: purchasedAt };
  const { transferBehavior } = project;
  const input = { projectId, store: TEST_STORE, update, appUserId, isRestore, transferBehavior };
  return recordFromReceipt(deps, input, {
    ...contextOf(by, projectId),
    commandId: commandIds.testPurchase(token, appUserId),
  });
}

function purchaseCommand(
  { hash }: Pick<Deps, 'hash'>,
  { projectId, app, token, storeProductId, offeringId }: TestPurchase,
  catalog: Catalog,
  purchasedAt: string,
): StoreCommand {
  const product = storeProductOf(catalog, app.appId, storeProductId);
  const productId = product?.productId ?? null;
  const purchase: OneTimePurchaseRef = {
    transactionId: token,
    originalTransactionId: token,
    storeChainId: token,
    store: TEST_STORE,
    appId: app.appId,
    productId,
    storeProductId,
    environment: 'sandbox',
    ownership: 'purchased',
    country: null,
    offeringId,
    placementId: null,
  };
  const money = catalogueMoney(catalog, productId, purchasedAt);
  const shared = { storeChainId: token, storeTime: null, purchase, purchasedAt, money, offer: NO_OFFER };
  if (product?.type !== 'subscription') {
    const productType = product?.type ?? 'consumable';
    const lasts = productType === 'non_renewing_subscription' ? product?.duration : null;
    const expiresAt = lasts == null ? null : addDuration(purchasedAt, lasts);
    return { kind: 'recordOneTimePurchase', ...shared, productType, quantity: 1, expiresAt };
  }
  const duration = testDurationOf(product);
  return {
    kind: 'recordPeriod',
    ...shared,
    inferred: false,
    newSubscriptionId: subscriptionId(hash, projectId, token, token),
    reason: 'purchase',
    periodType: 'normal',
    periodDuration: duration,
    productDuration: duration,
    expiresAt: addDuration(purchasedAt, duration),
  };
}

/** Returns the catalogue price without tax and commission, since nobody pays. */
function catalogueMoney(catalog: Catalog, productId: string | null, at: string): Money {
  const charge = assumedCharge(catalog, { productId, country: null, at }) ?? { currency: null, amountMicros: null };
  return { ...toUnconvertedMoney(charge), taxRate: 0, commissionRate: 0 };
}

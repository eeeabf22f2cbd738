// Purchases in the test store: the client shows its own dialog, and its messages are not signed. Only a key of the project's test app can
// record them, and they are always sandbox purchases.
import type { Catalog } from '../../../domain/catalog/catalog.js';
import { storeProductOf } from '../../../domain/catalog/products.js';
import { Rejection } from '../../../domain/errors.js';
import type { App } from '../../../domain/project/events.js';
import { TEST_STORE } from '../../../domain/store-kinds.js';
import { streams } from '../../../domain/streams.js';
import type { OneTimePurchaseRef } from '../../../domain/subscriber/events/blocks.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import type { StoreCommand } from '../../../domain/subscriber/decide/store-commands.js';
import type { Profile } from '../../../domain/subscriber/state/state.js';
import { addDuration, earliest, isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Deps, type Requester } from '../../handling/deps.js';
import { load } from '../../handling/run-command.js';
import { resolveCustomer } from '../../subscribers/line-ownership.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import type { LineUpdate } from '../line-update.js';
import { invalidReceipt } from '../receipts.js';
import { catalogueMoney, hasTrialLeft, NO_OFFER, testPeriodCommand } from './period.js';

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
  const { customerId } = await resolveCustomer(deps, projectId, appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const command = purchaseCommand(deps, { ...o, token }, catalog, purchasedAt, state.profile);
  const update: LineUpdate = { storeChainId: token, commands: [command], accountToken: null, firstAt: purchasedAt };
  const { transferBehavior } = project;
  const input = { projectId, store: TEST_STORE, update, appUserId, isRestore, transferBehavior };
  return recordFromReceipt(deps, input, {
    ...contextOf(by, projectId),
    commandId: commandIds.testPurchase(token, appUserId),
  });
}

/** `hadBefore`: profile of the customer before the purchase, which decides about a free trial. */
function purchaseCommand(
  deps: Pick<Deps, 'hash'>,
  { projectId, app, token, storeProductId, offeringId }: TestPurchase,
  catalog: Catalog,
  purchasedAt: string,
  hadBefore: Profile,
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
  const shared = { storeTime: null, purchase, purchasedAt };
  if (product?.type === 'subscription') {
    const isTrial = hasTrialLeft(product, hadBefore, token);
    return testPeriodCommand(deps, catalog, { ...shared, projectId, reason: 'purchase', isTrial });
  }
  const productType = product?.type ?? 'consumable';
  const lasts = productType === 'non_renewing_subscription' ? product?.duration : null;
  const expiresAt = lasts == null ? null : addDuration(purchasedAt, lasts);
  const money = catalogueMoney(catalog, productId, purchasedAt);
  const goods = { productType, quantity: 1, expiresAt, money, offer: NO_OFFER };
  return { kind: 'recordOneTimePurchase', storeChainId: token, ...shared, ...goods };
}

// Reads purchases of the android-store. The response is the only source of truth: its trigger (a notification, a receipt, a deadline) only
// shows that there is something to read.
import { NoCredentials } from '../../../../domain/errors.js';
import type {
  AndroidApp,
  AndroidOrder,
  AndroidStoreApi,
  AndroidSubscription,
} from '../../../../adapters/android-store/port.js';
import type { Charge } from '../../../../domain/catalog/products.js';
import type { App, StoreApp } from '../../../../domain/project/events.js';
import { streams } from '../../../../domain/streams.js';
import { openServiceAccount } from '../credentials.js';
import { chargesRead, findChainPosition, type Store } from './chain.js';
import { withOldTerms } from './old-terms.js';
import { readOrders } from './orders.js';
import { msFromIso } from '../../../../domain/time.js';
import type { Deps } from '../../../handling/deps.js';
import { boughtProducts, isPendingPayment, isUnpaidProduct, translateAndroidProduct } from '../translator/product.js';
import { endsWithoutCause, stateOf } from '../translator/intents.js';
import type { AndroidContext } from '../translator/purchase.js';
import { type KnownItems, addOnChainOf, bareNameOf, mainItemOf } from '../translator/subscription-reading.js';
import { ordersToRead } from '../translator/periods.js';
import { groupByChain, translateAndroidSubscription } from '../translator/subscription.js';
import type { LineUpdate } from '../../line-update.js';
import type { StoreDeps } from '../../store-integration.js';
import {
  chainOfOrder,
  chainOfToken,
  findPurchaseToken,
  notesOfOrder,
  savePurchaseToken,
  type PurchaseToken,
  type TokenNote,
} from './purchase-tokens.js';

export type AndroidDeps = StoreDeps & { readonly androidStore: AndroidStoreApi };

/** Caller and app of a read. */
export type PurchaseRequest = {
  readonly projectId: string;
  readonly app: StoreApp;
  /** Type of the notification that triggered the read, or null. */
  readonly type: string | null;
  /** Time of the notification, or now. */
  readonly storeTime: string;
  readonly offeringId: string | null;
  readonly claimed: Charge | null;
};

/** Purchase that must be acknowledged, in the terms of the store's API. */
export type PendingAcknowledgement = { readonly purchase: 'subscription' | 'product'; readonly productId: string };

/**
 * Store commands by chain, pending acknowledgements, and token facts to store after the commands are recorded: not before, because a known
 * token is not followed back again.
 */
export type PurchaseReading = {
  readonly updates: readonly LineUpdate[];
  readonly unacknowledged: PendingAcknowledgement | null;
  readonly tokens: readonly TokenNote[];
  /** True if its end has passed and the store still shows it as active: a renewal or a failed charge will follow soon. */
  readonly isOverdue?: boolean;
};

/** `productIds`: store product IDs of the token without base plans, including a scheduled product. */
export type ReadPurchase = PurchaseReading & {
  readonly productIds: readonly (string | undefined)[];
  /** True if it ended and nobody cancelled it: there may be a refund. */
  readonly endsUnexplained: boolean;
  /** True for a one-time purchase that may have been refunded, at least in part. */
  readonly mayBeVoided?: boolean;
  /** True if presenting it claims ownership without anything to record: it is not paid yet, or the store has deleted it. */
  readonly isClaim: boolean;
  /** True if it is not paid yet and the store does not show the time of purchase. */
  readonly isIncomplete: boolean;
};

export async function saveTokens(deps: Deps, { app }: PurchaseRequest, { tokens }: PurchaseReading): Promise<void> {
  for (const [token, known] of tokens) await savePurchaseToken(deps, app.appId, token, known);
}

/** Throws {@link NoCredentials}. */
export async function androidAppOf(deps: Deps, projectId: string, app: App): Promise<AndroidApp> {
  const account = await openServiceAccount(deps, { projectId, appId: app.appId });
  if (!account) throw new NoCredentials(app.appId, 'android-store');
  return { projectId, appId: app.appId, packageName: app.storeIdentifier, account };
}

/** Throws {@link NoCredentials}, {@link AndroidStoreRefusal}, `Unavailable`. */
export async function readSubscription(
  deps: AndroidDeps,
  q: PurchaseRequest,
  purchaseToken: string,
): Promise<ReadPurchase> {
  const store = await storeOf(deps, q);
  const subscription = await store.api.subscription(store.app, purchaseToken);
  const unpriced = await contextWith(deps, q, new Map());
  const { place, before, tokens, isOtherProduct } = await findChainPosition(
    { deps, store, ctx: unpriced },
    purchaseToken,
    subscription,
  );
  const reading = (token: string, read: AndroidSubscription, at: PurchaseToken) => ({
    purchaseToken: token,
    storeChainId: at.storeChainId,
    subscription: read,
    type: token === purchaseToken ? q.type : null,
    storeTime: q.storeTime,
    replacedProductId: at.replacedProductId,
    isReplaced: at.isReplaced,
    handsOnAddOns: at.handsOnAddOns,
    charges: at.charges,
    isOtherProduct: token === purchaseToken && isOtherProduct,
    known: at,
  });
  const formers = before.map((b) => reading(b.token, b.subscription, b.place));
  const latest = reading(purchaseToken, subscription, place);
  const orderIds = [...formers, latest].flatMap(ordersToRead);
  const ctx = { ...unpriced, orders: await readOrders(store.api, store.app, orderIds) };
  const earlier = formers.flatMap((former) => translateAndroidSubscription(former, ctx));
  const ownedWith = await chainOfToken(deps, q.app.appId, subscription.outOfAppPurchaseContext?.expiredPurchaseToken);
  const chains = groupByChain([...earlier, ...translateAndroidSubscription(latest, ctx)]);
  const updates = ownedWith === undefined ? chains : chains.map((one) => ({ ownedWith, ...one }));
  const read = [...tokens, ...[...before, { token: purchaseToken, subscription, place }].flatMap(chargesRead)];
  const productIds = subscription.lineItems.flatMap((i) => [i.productId, i.deferredItemReplacement?.productId]);
  const endsUnexplained = endsWithoutCause(subscription, q.type);
  const unacknowledged = unacknowledgedOf(subscription, place);
  const ended = {
    endsUnexplained,
    isClaim: false,
    isIncomplete: false,
    isOverdue: isOverdue(deps, subscription, place),
  };
  return { updates, unacknowledged, tokens: read, productIds, ...ended };
}

/** `storeProductId`: as in the catalogue and in the notification. Throws as {@link readSubscription}. */
export async function readProduct(
  deps: AndroidDeps,
  q: PurchaseRequest,
  storeProductId: string,
  purchaseToken: string,
): Promise<ReadPurchase> {
  const store = await storeOf(deps, q);
  const bare = bareNameOf(storeProductId);
  const known = await findPurchaseToken(deps, q.app.appId, purchaseToken);
  const current = await store.api.product(store.app, bare, purchaseToken);
  const ids = current.orderId === undefined ? [] : [current.orderId];
  const ctx = await contextWith(deps, q, await readOrders(store.api, store.app, ids));
  const order = ctx.orders.get(current.orderId ?? '');
  const needsOld = current.lines !== undefined && (!order || isUnpaidProduct(current));
  const product = needsOld ? await withOldTerms(store, current, bare, purchaseToken) : current;
  // The line of the main product keeps its name, whichever product is asked for later.
  const requested = known?.storeProductId ?? storeProductId;
  const [main, ...others] = boughtProducts(product, requested, ctx);
  const recordedChain = known?.storeChainId ?? (await chainOfOrder(deps, q.app.appId, current.orderId));
  const storeChainId = recordedChain ?? purchaseToken;
  const place = {
    storeChainId,
    kind: 'product' as const,
    storeProductId: main?.storeProductId ?? requested,
    addOns: others.map((one) => one.storeProductId),
    addOnRoot: null,
    handsOnAddOns: false,
    quantity: main?.quantity ?? 1,
    replacedProductId: null,
    isReplaced: false,
    replacedBy: null,
    charges: 1,
  };
  const updates = translateAndroidProduct(
    { purchaseToken, storeChainId, storeProductId: requested, product, type: q.type, storeTime: q.storeTime },
    ctx,
  );
  // The API omits zeros: purchased, and not acknowledged.
  const isOpen = (product.acknowledgementState ?? 0) === 0 && (product.purchaseState ?? 0) === 0;
  const isPending = isPendingPayment(product, order);
  const products = product.lines ?? [product];
  return {
    updates: updates.filter(({ commands }) => commands.length > 0 || isPending),
    unacknowledged: isOpen && !isPending ? { purchase: 'product', productId: main?.productId ?? bare } : null,
    tokens: [[purchaseToken, place], ...notesOfOrder(product.orderId, place)],
    productIds: product.lines?.map(({ productId }) => productId) ?? [bare],
    endsUnexplained: false,
    mayBeVoided: products.some(
      ({ quantity = 1, refundableQuantity }) => refundableQuantity === undefined || refundableQuantity < quantity,
    ),
    isClaim: isPending,
    isIncomplete: isPending && product.purchaseTimeMillis === undefined,
  };
}

async function storeOf(deps: AndroidDeps, { projectId, app }: PurchaseRequest): Promise<Store> {
  return { api: deps.androidStore, app: await androidAppOf(deps, projectId, app) };
}

async function contextWith(
  deps: Deps,
  { projectId, app, offeringId, claimed }: PurchaseRequest,
  orders: ReadonlyMap<string, AndroidOrder>,
): Promise<AndroidContext> {
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  return { projectId, app, catalog, hash: deps.hash, offeringId, orders, claimed };
}

function isOverdue(
  { runtime }: Pick<Deps, 'runtime'>,
  subscription: AndroidSubscription,
  place: PurchaseToken,
): boolean {
  const { expiryTime } = mainItemOf(subscription, place) ?? {};
  const hasPassed = expiryTime !== undefined && msFromIso(expiryTime) <= runtime.now();
  return hasPassed && stateOf(subscription) === 'ACTIVE' && !place.isReplaced;
}

/** Returns the recorded purchase of a token that the store has deleted or does not know. */
export async function knownPurchase(
  deps: Deps,
  q: PurchaseRequest,
  purchaseToken: string,
): Promise<ReadPurchase | null> {
  const known = await findPurchaseToken(deps, q.app.appId, purchaseToken);
  if (!known) return null;
  const chains = known.addOns.map((productId) => addOnChainOf(purchaseToken, known, productId));
  const updates = [known.storeChainId, ...chains].map((storeChainId) => {
    return { storeChainId, commands: [], accountToken: null, firstAt: q.storeTime };
  });
  const productIds = [known.storeProductId, ...known.addOns].map((name) => name?.split(':')[0]);
  const nothing = { unacknowledged: null, tokens: [], endsUnexplained: false, isIncomplete: false };
  return { updates, productIds, isClaim: true, ...nothing };
}

function unacknowledgedOf(subscription: AndroidSubscription, known: KnownItems): PendingAcknowledgement | null {
  const isOpen = subscription.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING';
  const isPaid = subscription.lineItems.some((item) => item.expiryTime !== undefined);
  const { productId } = mainItemOf(subscription, known) ?? subscription.lineItems[0] ?? {};
  return isOpen && isPaid && productId !== undefined ? { purchase: 'subscription', productId } : null;
}

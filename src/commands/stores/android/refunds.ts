// Refunds of the android-store. Its list of voided purchases is the only evidence: a notification triggers a read of that list.
import { AndroidStoreRefusal, NotShownYet } from '../../../domain/errors.js';
import type { AndroidNotification } from '../../../adapters/android-store/envelope.js';
import type { AndroidOrder, AndroidVoidedPurchase } from '../../../adapters/android-store/port.js';
import type { StoreCommand } from '../../../domain/subscriber/decide/store-commands.js';
import { isoFromMs, msFromIso } from '../../../domain/time.js';
import {
  androidAppOf,
  type AndroidDeps,
  readProduct,
  readSubscription,
  type PurchaseRequest,
  type PurchaseReading,
  type ReadPurchase,
} from './purchases/purchases.js';
import { readOrders } from './purchases/orders.js';
import { refundCommands, refundTimeOf, type OrderItem } from './translator/order-refunds.js';
import { chargeNameOf } from './translator/purchase.js';
import { addOnChainOf } from './translator/subscription-reading.js';
import { findPurchaseToken, nameOfOrder, type PurchaseToken } from './purchases/purchase-tokens.js';

type VoidedPurchase = NonNullable<AndroidNotification['voidedPurchaseNotification']>;
type Review = NonNullable<AndroidNotification['pendingRefundReviewNotification']>;

const DAY_MS = 86_400_000;
/** Maximum delay of the list after its notification; a refund not shown by then will not appear. */
const MAX_LIST_LAG_MS = DAY_MS;
/** Time for a response, after which the store decides by itself. */
const RESPONSE_WINDOW_MS = DAY_MS;
const SUBSCRIPTION = 1;
/** Period that the store's list covers. */
export const LISTED_FOR_MS = 29 * DAY_MS;

/**
 * Reads the current purchase; if it ended and nobody cancelled it, with its refunds from the store's list: their notification may come
 * later, and only both together give the reason for the end. Throws as `readSubscription` does.
 */
export async function readWithRefunds(deps: AndroidDeps, q: PurchaseRequest, token: string): Promise<ReadPurchase> {
  const read = await readSubscription(deps, q, token);
  return read.endsUnexplained ? withListedRefunds(deps, q, read, token) : read;
}

/** Reads a one-time purchase, with its refunds from the store's list unless the store shows that there are none. */
export async function readProductWithRefunds(
  deps: AndroidDeps,
  q: PurchaseRequest,
  storeProductId: string,
  token: string,
): Promise<ReadPurchase> {
  const read = await readProduct(deps, q, storeProductId, token);
  if (!read.mayBeVoided || read.isClaim || read.updates.length === 0) return read;
  try {
    return await withListedRefunds(deps, q, read, token);
  } catch (err) {
    // An account with access to purchases may have none to the list.
    if (err instanceof AndroidStoreRefusal) return read;
    throw err;
  }
}

async function withListedRefunds(deps: AndroidDeps, q: PurchaseRequest, read: ReadPurchase, token: string) {
  const store = await androidAppOf(deps, q.projectId, q.app);
  const list = await deps.androidStore.voidedPurchases(store, deps.runtime.now() - LISTED_FOR_MS);
  const found = list.filter((v) => v.purchaseToken === token);
  const placed: VoidedReading = { ...read, ...positionIn(read, token, null) };
  const whole = await withRefunds(deps, q, placed, found);
  return { ...read, updates: whole.updates, unacknowledged: whole.unacknowledged };
}

/** Reads the purchase with the refund, if the store's list contains it. Throws {@link NotShownYet} while that may still appear. */
export async function readRefund(
  deps: AndroidDeps,
  q: PurchaseRequest,
  voided: VoidedPurchase,
): Promise<PurchaseReading> {
  const store = await androidAppOf(deps, q.projectId, q.app);
  const list = await deps.androidStore.voidedPurchases(store, msFromIso(q.storeTime) - DAY_MS);
  const { purchaseToken, orderId = purchaseToken } = voided;
  const found = list.filter((v) => v.orderId === orderId && v.purchaseToken === purchaseToken);
  if (found.length === 0 && deps.runtime.now() - msFromIso(q.storeTime) < MAX_LIST_LAG_MS) {
    throw new NotShownYet('this refund');
  }
  const read = await readVoided(deps, q, { ...voided, orderId });
  return withRefunds(deps, q, read, found);
}

/** Reads the purchase of a refund that polling returned. */
export async function readListedRefund(
  deps: AndroidDeps,
  q: PurchaseRequest,
  v: AndroidVoidedPurchase,
): Promise<PurchaseReading> {
  return withRefunds(deps, q, await readVoided(deps, q, v), [v]);
}

/** Reads the purchase of an order that shows a refund. The store has revoked nothing: the access is what the purchase shows. */
export async function readOrderRefund(
  deps: AndroidDeps,
  q: PurchaseRequest,
  { orderId, purchaseToken, order }: RefundedOrder,
): Promise<PurchaseReading> {
  const read = await readVoided(deps, q, { purchaseToken, orderId });
  const voidedTimeMillis = refundTimeOf(order) ?? msFromIso(q.storeTime);
  const keepsAccess = { ...q, app: { ...q.app, refundPolicy: 'keep_until_expiry' as const } };
  const refunds = refundCommands(
    { orderId, purchaseToken, voidedTimeMillis },
    order,
    itemsOf(read, orderId),
    keepsAccess,
  );
  return refunds.reduce((sofar, command) => withCommand(sofar, q, command), read);
}

export type RefundedOrder = { readonly orderId: string; readonly purchaseToken: string; readonly order: AndroidOrder };

/** Reads the purchase with the store's request for information, sent before it decides on a customer's refund request. */
export async function readRefundReview(
  deps: AndroidDeps,
  q: PurchaseRequest,
  review: Review,
): Promise<PurchaseReading> {
  const store = await androidAppOf(deps, q.projectId, q.app);
  const { orderId, pendingRefundToken, refundReason } = review;
  const order = await deps.androidStore.order(store, orderId);
  if (order.purchaseToken === undefined) return { updates: [], unacknowledged: null, tokens: [] };
  const read = await readVoided(deps, q, { purchaseToken: order.purchaseToken, orderId });
  return withCommand(read, q, {
    kind: 'recordConsumptionRequest',
    storeChainId: read.storeChainId,
    storeTime: q.storeTime,
    transactionId: orderId,
    reason: refundReason === undefined ? null : String(refundReason),
    respondBy: isoFromMs(msFromIso(q.storeTime) + RESPONSE_WINDOW_MS),
    pendingRefundToken,
  });
}

/**
 * Reads the purchase first: a refund of an unknown purchase has no effect. A purchase that the store has deleted is recorded here or lost.
 */
async function readVoided(
  deps: AndroidDeps,
  q: PurchaseRequest,
  { purchaseToken: token, orderId, productType }: VoidedName,
): Promise<VoidedReading> {
  const { appId } = q.app;
  // A purchase that was imported by its order alone has no token yet.
  const known =
    (await findPurchaseToken(deps, appId, token)) ?? (await findPurchaseToken(deps, appId, nameOfOrder(orderId)));
  const isProduct = known ? known.kind === 'product' : productType !== undefined && productType !== SUBSCRIPTION;
  const unread = { updates: [], unacknowledged: null, tokens: [] };
  const nothing = { ...unread, ...positionIn(unread, token, known), isKnown: known !== null };
  try {
    if (!isProduct) {
      const read = await readSubscription(deps, q, token);
      return { ...read, ...positionIn(read, token, known) };
    }
    if (known?.storeProductId == null) return nothing;
    const read = await readProduct(deps, q, known.storeProductId, token);
    return { ...read, ...positionIn({ tokens: [] }, token, known) };
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return nothing;
  }
}

type VoidedName = {
  readonly purchaseToken: string;
  readonly orderId: string;
  readonly productType?: number | undefined;
};

type VoidedReading = PurchaseReading & {
  readonly storeChainId: string;
  readonly storeProductId: string | null;
  readonly quantity: number;
  readonly isKnown: boolean;
  /** Names of the chains that were added to the purchase, each with its product. */
  readonly addOns: readonly (readonly [storeChainId: string, productId: string])[];
};

function positionIn({ tokens }: Pick<PurchaseReading, 'tokens'>, token: string, known: PurchaseToken | null) {
  const place = tokens.findLast(([of]) => of === token)?.[1] ?? known;
  const addOns = place?.addOns.map((productId) => [addOnChainOf(token, place, productId), productId] as const) ?? [];
  const storeProductId = place?.storeProductId ?? null;
  const { quantity = 1 } = place ?? {};
  return { storeChainId: place?.storeChainId ?? token, storeProductId, quantity, addOns, isKnown: true };
}

/** Adds the refunds of the rows, with the amounts that their orders show. */
async function withRefunds(
  deps: AndroidDeps,
  q: PurchaseRequest,
  read: VoidedReading,
  rows: readonly AndroidVoidedPurchase[],
): Promise<VoidedReading> {
  if (rows.length === 0) return read;
  const store = await androidAppOf(deps, q.projectId, q.app);
  const ids = rows.map(({ orderId }) => orderId);
  const orders = await readOrders(deps.androidStore, store, ids);
  return rows.reduce(
    (sofar, v) =>
      refundCommands(v, orders.get(v.orderId), itemsOf(sofar, v.orderId), q).reduce(
        (all, command) => withCommand(all, q, command),
        sofar,
      ),
    read,
  );
}

/** Returns the parts of the purchase that the order paid for: itself and its add-ons. */
function itemsOf(read: VoidedReading, orderId: string): readonly OrderItem[] {
  const { storeChainId, storeProductId, quantity, addOns, updates } = read;
  const isOver = (chain: string) =>
    updates.some((one) => one.storeChainId === chain && one.commands.some(({ kind }) => kind === 'recordExpiry'));
  const own = { storeChainId, transactionId: orderId, storeProductId, quantity, isOver: isOver(storeChainId) };
  const added = addOns.map(([chain, productId]) => {
    const transactionId = chargeNameOf(orderId, { productId }, true);
    return { storeChainId: chain, transactionId, storeProductId: productId, quantity: 1, isOver: isOver(chain) };
  });
  return [own, ...added];
}

/** Adds a command to its chain, and clears the acknowledgement: a purchase that is refunded or under review is not acknowledged. */
function withCommand(read: VoidedReading, q: PurchaseRequest, command: StoreCommand): VoidedReading {
  const { storeChainId } = command;
  const found = read.updates.find((update) => update.storeChainId === storeChainId);
  // The purchase is neither recorded here nor shown by the store: there is nothing to refund.
  if (!found && !read.isKnown) return read;
  const updates = found
    ? read.updates.map((one) => (one === found ? { ...one, commands: insertAfterCharges(one.commands, command) } : one))
    : [...read.updates, { storeChainId, commands: [command], accountToken: null, firstAt: q.storeTime }];
  return { ...read, updates, unacknowledged: null };
}

/** Orders charges first: the end of the purchase is an effect of the refund. */
function insertAfterCharges(commands: readonly StoreCommand[], command: StoreCommand): readonly StoreCommand[] {
  const at = commands.findLastIndex(({ kind }) => CHARGES.has(kind)) + 1;
  return [...commands.slice(0, at), command, ...commands.slice(at)];
}

const CHARGES: ReadonlySet<StoreCommand['kind']> = new Set(['recordPeriod', 'recordOneTimePurchase', 'recordRefund']);

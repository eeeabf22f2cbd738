// Refunds of the android-store. Its list of voided purchases is the only evidence: a notification triggers a read of that list.
import { AndroidStoreRefusal, NotShownYet } from '../../../domain/errors.js';
import type { AndroidNotification } from '../../../adapters/android-store/envelope.js';
import type { AndroidVoidedPurchase } from '../../../adapters/android-store/port.js';
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
import { refundCommand } from './translator/product.js';
import { chargeNameOf } from './translator/purchase.js';
import { addOnChainOf } from './translator/subscription-reading.js';
import { findPurchaseToken, type PurchaseToken } from './purchases/purchase-tokens.js';

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
  if (!read.endsUnexplained) return read;
  const store = await androidAppOf(deps, q.projectId, q.app);
  const list = await deps.androidStore.voidedPurchases(store, deps.runtime.now() - LISTED_FOR_MS);
  const found = list.filter((v) => v.purchaseToken === token);
  const placed: VoidedReading = { ...read, ...positionIn(read, token, null) };
  const whole = found.reduce((sofar, v) => withRefund(sofar, v, q), placed);
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
  const read = await readVoided(deps, q, voided.purchaseToken, voided.productType);
  return found.reduce((sofar, v) => withRefund(sofar, v, q), read);
}

/** Reads the purchase of a refund that polling returned. */
export async function readListedRefund(
  deps: AndroidDeps,
  q: PurchaseRequest,
  v: AndroidVoidedPurchase,
): Promise<PurchaseReading> {
  return withRefund(await readVoided(deps, q, v.purchaseToken, undefined), v, q);
}

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
  const read = await readVoided(deps, q, order.purchaseToken, undefined);
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
  token: string,
  productType: number | undefined,
): Promise<VoidedReading> {
  const known = await findPurchaseToken(deps, q.app.appId, token);
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

type VoidedReading = PurchaseReading & {
  readonly storeChainId: string;
  readonly quantity: number;
  readonly isKnown: boolean;
  /** Names of the chains that were added to the purchase, each with its product. */
  readonly addOns: readonly (readonly [storeChainId: string, productId: string])[];
};

function positionIn({ tokens }: Pick<PurchaseReading, 'tokens'>, token: string, known: PurchaseToken | null) {
  const place = tokens.findLast(([of]) => of === token)?.[1] ?? known;
  const addOns = place?.addOns.map((productId) => [addOnChainOf(token, place, productId), productId] as const) ?? [];
  return { storeChainId: place?.storeChainId ?? token, quantity: known?.quantity ?? 1, addOns, isKnown: true };
}

/** Adds the refund for the purchase and for each add-on, because one order pays for all parts. */
function withRefund(read: VoidedReading, v: AndroidVoidedPurchase, q: PurchaseRequest): VoidedReading {
  const { storeChainId, quantity, addOns } = read;
  const command = refundCommand(v, { storeChainId, quantity, storeTime: q.storeTime, app: q.app });
  return addOns.reduce(
    (sofar, [chain, productId]) => {
      const transactionId = chargeNameOf(v.orderId, { productId }, true);
      return withCommand(sofar, q, { ...command, storeChainId: chain, transactionId });
    },
    withCommand(read, q, command),
  );
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

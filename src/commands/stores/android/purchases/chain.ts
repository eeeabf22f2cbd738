// Position of a purchase token among the linked tokens of the store: the chain that it continues and the purchase that it replaced.
import { AndroidStoreRefusal } from '../../../../domain/errors.js';
import type { AndroidApp, AndroidStoreApi, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { Deps } from '../../../handling/deps.js';
import { isUnpaid } from '../translator/intents.js';
import { chargesUpTo } from '../translator/backfill-charges.js';
import { storeProductIdOf, type AndroidContext } from '../translator/purchase.js';
import { type KnownItems, addOnsOf, bareNameOf, mainItemOf } from '../translator/subscription-reading.js';
import { findPurchaseToken, nameOfOrder, notesOfOrder, type PurchaseToken, type TokenNote } from './purchase-tokens.js';

export type Store = { readonly api: AndroidStoreApi; readonly app: AndroidApp };
type ChainRequest = { readonly deps: Pick<Deps, 'docs'>; readonly store: Store; readonly ctx: AndroidContext };
type PreviousPurchase = {
  readonly token: string;
  readonly subscription: AndroidSubscription;
  readonly place: PurchaseToken;
};
type ChainPosition = {
  readonly place: PurchaseToken;
  readonly before: readonly PreviousPurchase[];
  readonly tokens: readonly TokenNote[];
  /** True if the token was recorded with another product: a planned change has taken place. */
  readonly isOtherProduct: boolean;
};
type BoughtItems = Pick<PurchaseToken, 'storeProductId' | 'addOns'>;

/** Reads unknown earlier tokens too, oldest first, and the token that is replaced now. */
export async function findChainPosition(
  request: ChainRequest,
  token: string,
  subscription: AndroidSubscription,
  depth = 0,
): Promise<ChainPosition> {
  const { deps, ctx } = request;
  const known = await findPurchaseToken(deps, ctx.app.appId, token);
  const { linkedPurchaseToken: linked } = subscription;
  const takesPlace = !isUnpaid(subscription);
  if (known || linked === undefined || depth === MAX_LINKS) {
    const place = known
      ? { ...known, ...boughtItemsOf(subscription, known, ctx) }
      : await newPurchaseToken(request, token, subscription);
    const isOtherProduct = isDifferentProduct(known?.storeProductId ?? null, place.storeProductId);
    const former = known && linked !== undefined && takesPlace ? await markReplaced(request, linked, token, known) : [];
    return { place, before: [], tokens: [...former, [token, place]], isOtherProduct };
  }
  const former = await positionOfLinked(request, linked, { depth: depth + 1, by: takesPlace ? token : null });
  const { storeChainId, storeProductId: replacedProductId, addOnRoot } = former.place;
  const followed = mainItemOf(subscription, former.place) ? former.place : NO_KNOWN_ITEMS;
  const shared = { storeChainId, replacedProductId, addOnRoot: addOnRoot ?? linked };
  const place = {
    ...UNREAD_TOKEN,
    ...boughtItemsOf(subscription, followed, ctx),
    ...shared,
  };
  return { place, before: former.before, tokens: [...former.tokens, [token, place]], isOtherProduct: false };
}

/** A purchase that was imported by its orders alone goes on under the name that the import gave its line. */
async function newPurchaseToken(
  { deps, ctx }: ChainRequest,
  token: string,
  subscription: AndroidSubscription,
): Promise<PurchaseToken> {
  const orderId = mainItemOf(subscription, NO_KNOWN_ITEMS)?.latestSuccessfulOrderId ?? subscription.latestOrderId;
  const imported = orderId === undefined ? null : await findPurchaseToken(deps, ctx.app.appId, nameOfOrder(orderId));
  const items = boughtItemsOf(subscription, NO_KNOWN_ITEMS, ctx);
  if (!imported) return { ...UNREAD_TOKEN, storeChainId: token, ...items };
  return { ...UNREAD_TOKEN, storeChainId: imported.storeChainId, charges: imported.charges, ...items };
}

function isDifferentProduct(former: string | null, storeProductId: string | null): boolean {
  return former !== null && storeProductId !== null && bareNameOf(former) !== bareNameOf(storeProductId);
}

/** Bound on linked tokens; the store links consecutive purchases, and nobody changes plans this often. */
const MAX_LINKS = 50;

/** A purchase paid after it was recorded replaces the previous one only then. */
async function markReplaced(
  { deps, ctx }: ChainRequest,
  linked: string,
  token: string,
  { addOnRoot }: PurchaseToken,
): Promise<readonly TokenNote[]> {
  const former = await findPurchaseToken(deps, ctx.app.appId, linked);
  const replaced = { isReplaced: true, replacedBy: token, handsOnAddOns: addOnRoot !== null };
  return former && !former.isReplaced ? [[linked, { ...former, ...replaced }]] : [];
}

/** Reads a known token once more when it is replaced, because it is not read again later. */
async function positionOfLinked(
  request: ChainRequest,
  token: string,
  { depth, by }: { readonly depth: number; readonly by: string | null },
): Promise<ChainPosition> {
  const replaced = ({ place, before, tokens }: ChainPosition): ChainPosition => {
    const replacement = by === null ? {} : { isReplaced: true, replacedBy: by, handsOnAddOns: true };
    const now = { ...place, ...replacement };
    return {
      place: now,
      before,
      tokens: [...tokens.filter(([of]) => of !== token), [token, now]],
      isOtherProduct: false,
    };
  };
  const { deps, store, ctx } = request;
  const known = await findPurchaseToken(deps, ctx.app.appId, token);
  if (known && (by === null || known.isReplaced)) return replaced({ ...NO_POSITION, place: known });
  try {
    const subscription = await store.api.subscription(store.app, token);
    const placed = replaced(await findChainPosition(request, token, subscription, depth));
    return { ...placed, before: [...placed.before, { token, subscription, place: placed.place }] };
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return replaced({ ...NO_POSITION, place: known ?? { ...UNREAD_TOKEN, storeChainId: token } });
  }
}

const NO_KNOWN_ITEMS: KnownItems = { storeProductId: null, addOns: [], addOnRoot: null };
const UNREAD_TOKEN = {
  ...NO_KNOWN_ITEMS,
  kind: 'subscription' as const,
  quantity: 1,
  replacedProductId: null,
  handsOnAddOns: false,
  isReplaced: false,
  replacedBy: null,
  charges: 0,
};
const NO_POSITION = { before: [], tokens: [], isOtherProduct: false };

function boughtItemsOf(subscription: AndroidSubscription, known: KnownItems, ctx: AndroidContext): BoughtItems {
  const main = mainItemOf(subscription, known);
  const added = addOnsOf(subscription, known).map(({ productId }) => productId);
  return {
    storeProductId: main ? storeProductIdOf(main, ctx) : known.storeProductId,
    addOns: [...new Set([...known.addOns, ...added])],
  };
}

/**
 * Counts the recorded charges of a purchase, and notes it under its order, by which an import may name it. There is no charge until the store
 * shows the end of the paid time.
 */
export function chargesRead({ token, subscription, place }: PreviousPurchase): readonly TokenNote[] {
  const { expiryTime, latestSuccessfulOrderId } = mainItemOf(subscription, place) ?? {};
  const orderId = latestSuccessfulOrderId ?? subscription.latestOrderId;
  const isCharged = expiryTime !== undefined && orderId !== undefined;
  const read = { ...place, charges: isCharged ? chargesUpTo(orderId) : 0 };
  return [[token, read], ...notesOfOrder(isCharged ? orderId : undefined, read)];
}

// Where a purchase token stands among those that the store has linked: which chain it goes on, and what it took the place of.
import { AndroidStoreRefusal } from '../../../../domain/errors.js';
import type { AndroidApp, AndroidStoreApi, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { Deps } from '../../../handling/deps.js';
import { isUnpaid } from '../translator/intents.js';
import { chargesUpTo } from '../translator/missed.js';
import { storeProductIdOf, type AndroidContext } from '../translator/purchase.js';
import type { KnownItems } from '../translator/reading.js';
import { addOnsOf, mainItemOf } from '../translator/subscription.js';
import { findPurchaseToken, type PurchaseToken } from './purchase-tokens.js';

export type Store = { readonly api: AndroidStoreApi; readonly app: AndroidApp };
export type TokenNote = readonly [token: string, known: PurchaseToken];
type Asking = { readonly deps: Pick<Deps, 'docs'>; readonly store: Store; readonly ctx: AndroidContext };
type Before = { readonly token: string; readonly subscription: AndroidSubscription; readonly place: PurchaseToken };
type Placed = {
  readonly place: PurchaseToken;
  readonly before: readonly Before[];
  readonly tokens: readonly TokenNote[];
};

/** Earlier ones that are not known yet are read too, oldest first. */
export async function placeOf(
  asking: Asking,
  token: string,
  subscription: AndroidSubscription,
  depth = 0,
): Promise<Placed> {
  const { deps, ctx } = asking;
  const known = await findPurchaseToken(deps, ctx.app.appId, token);
  const bought = boughtIn(subscription, known ?? NOTHING_KNOWN, ctx);
  const fresh = {
    kind: 'subscription' as const,
    ...bought,
    quantity: 1,
    isReplaced: false,
    replacedBy: null,
    charges: 0,
  };
  const { linkedPurchaseToken: linked } = subscription;
  const takesPlace = !isUnpaid(subscription);
  if (known || linked === undefined || depth === MOST_LINKS) {
    const place = { ...(known ?? { ...fresh, storeChainId: token, replacedProductId: null }), ...bought };
    const former = known && linked !== undefined && takesPlace ? await replacedBy(asking, linked, token) : [];
    return { place, before: [], tokens: [...former, [token, place]] };
  }
  const former = await placeOfLinked(asking, linked, { depth: depth + 1, by: takesPlace ? token : null });
  const { storeChainId, storeProductId: replacedProductId } = former.place;
  const place = { ...fresh, storeChainId, replacedProductId };
  return { place, before: former.before, tokens: [...former.tokens, [token, place]] };
}

/** The store links purchases that follow each other; nobody changes plans this often. */
const MOST_LINKS = 50;

/** What was paid for after it was known takes the place of the purchase before it only then. */
async function replacedBy({ deps, ctx }: Asking, linked: string, token: string): Promise<readonly TokenNote[]> {
  const former = await findPurchaseToken(deps, ctx.app.appId, linked);
  return former && !former.isReplaced ? [[linked, { ...former, isReplaced: true, replacedBy: token }]] : [];
}

async function placeOfLinked(
  asking: Asking,
  token: string,
  { depth, by }: { readonly depth: number; readonly by: string | null },
): Promise<Placed> {
  const replaced = ({ place, before, tokens }: Placed): Placed => {
    const now = { ...place, isReplaced: place.isReplaced || by !== null, replacedBy: by ?? place.replacedBy };
    return { place: now, before, tokens: [...tokens.filter(([of]) => of !== token), [token, now]] };
  };
  const { deps, store, ctx } = asking;
  const known = await findPurchaseToken(deps, ctx.app.appId, token);
  if (known) return replaced({ place: known, before: [], tokens: [] });
  try {
    const subscription = await store.api.subscription(store.app, token);
    const placed = replaced(await placeOf(asking, token, subscription, depth));
    return { ...placed, before: [...placed.before, { token, subscription, place: placed.place }] };
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    const unread = { kind: 'subscription' as const, ...NOTHING_KNOWN, quantity: 1, replacedProductId: null };
    return replaced({
      place: { ...unread, storeChainId: token, isReplaced: by !== null, replacedBy: by, charges: 0 },
      before: [],
      tokens: [],
    });
  }
}

const NOTHING_KNOWN: KnownItems = { storeProductId: null, addOns: [] };

function boughtIn(subscription: AndroidSubscription, known: KnownItems, ctx: AndroidContext): KnownItems {
  const main = mainItemOf(subscription, known);
  const added = addOnsOf(subscription, known).map(({ productId }) => productId);
  return {
    storeProductId: main ? storeProductIdOf(main, ctx) : known.storeProductId,
    addOns: [...new Set([...known.addOns, ...added])],
  };
}

/** Nothing is charged before the store shows how long it pays for. */
export function chargesRead({ token, subscription, place }: Before): TokenNote {
  const { expiryTime, latestSuccessfulOrderId } = mainItemOf(subscription, place) ?? {};
  const orderId = latestSuccessfulOrderId ?? subscription.latestOrderId;
  const isCharged = expiryTime !== undefined && orderId !== undefined;
  return [token, { ...place, charges: isCharged ? chargesUpTo(orderId) : 0 }];
}

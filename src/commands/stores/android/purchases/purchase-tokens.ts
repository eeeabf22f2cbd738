// Records about the android-store's purchase tokens: chain, products and successor of each. The store deletes a token 60 days after its
// purchase has ended, and later messages must still find the chain.
import type { Doc } from '../../../../adapters/documents/port.js';
import { readRecord, updateRecord } from '../../../../adapters/documents/records.js';
import { firstOrderOf, ORDER_CHAIN } from '../../../../domain/imports/period-terms.js';
import { sha256Of } from '../../../accounts/api-key.js';
import type { Deps } from '../../../handling/deps.js';
import type { ImportedLineName, ImportedPurchaseName } from '../../store-integration.js';

export const purchaseTokenCollection = { name: 'purchase_tokens', indexes: [{ name: 'app', fields: ['appId'] }] };

export type PurchaseToken = {
  /** The first token of the purchases that the store has linked; of a one-time purchase its own. */
  readonly storeChainId: string;
  readonly kind: 'subscription' | 'product';
  /** Null if the purchase could not be read. */
  readonly storeProductId: string | null;
  /** Products that were added to it and are subscriptions of their own, without base plans. */
  readonly addOns: readonly string[];
  /** Token that names the chains of its add-ons: the first of the linked ones; null: its own. */
  readonly addOnRoot: string | null;
  /** True if its add-ons continue under the same chains in the successor. */
  readonly handsOnAddOns: boolean;
  readonly quantity: number;
  /** Product of the replaced purchase. */
  readonly replacedProductId: string | null;
  readonly isReplaced: boolean;
  /** Token of the purchase that replaced it, if recorded. */
  readonly replacedBy: string | null;
  /** Number of its orders, counted from the first, that have been read. */
  readonly charges: number;
};

type Needs = Pick<Deps, 'docs'>;

export async function findPurchaseToken(deps: Needs, appId: string, token: string): Promise<PurchaseToken | null> {
  const { doc } = await readRecord(deps.docs, purchaseTokenCollection.name, idOf(appId, token));
  return doc && tokenOf(doc);
}

/** Returns the chain of a token; undefined for no token or an unknown one. */
export async function chainOfToken(deps: Needs, appId: string, token: string | undefined): Promise<string | undefined> {
  return token === undefined ? undefined : (await findPurchaseToken(deps, appId, token))?.storeChainId;
}

export type TokenNote = readonly [token: string, known: PurchaseToken];

/** Returns the note by which an import that knows an order alone finds the purchase. */
export function notesOfOrder(orderId: string | undefined, known: PurchaseToken): readonly TokenNote[] {
  return orderId === undefined ? [] : [[nameOfOrder(orderId), known]];
}

/** Returns the chain of a purchase of which an order is recorded or was imported. */
export function chainOfOrder(deps: Needs, appId: string, orderId: string | undefined): Promise<string | undefined> {
  return chainOfToken(deps, appId, orderId === undefined ? undefined : nameOfOrder(orderId));
}

/** Name of a purchase line of which an import knows no purchase token. */
export function nameOfOrder(orderId: string): string {
  return `${ORDER_CHAIN}${firstOrderOf(orderId)}`;
}

/** Returns the last of the tokens that replaced each other, because the store's data about the others is outdated. */
export async function newestToken(deps: Needs, appId: string, token: string): Promise<string> {
  const passed = new Set<string>();
  for (let at = token; ;) {
    passed.add(at);
    const next = (await findPurchaseToken(deps, appId, at))?.replacedBy ?? null;
    if (next === null || passed.has(next)) return at;
    at = next;
  }
}

/** Merges new facts into the record of a token. */
export async function savePurchaseToken(
  deps: Needs,
  appId: string,
  token: string,
  learned: PurchaseToken,
): Promise<PurchaseToken> {
  let merged = learned;
  await updateRecord(deps.docs, purchaseTokenCollection.name, idOf(appId, token), (doc) => {
    const known = doc && tokenOf(doc);
    merged = known ? mergeToken(known, learned) : learned;
    return known && JSON.stringify(known) === JSON.stringify(merged) ? undefined : { appId, ...merged };
  });
  return merged;
}

/**
 * Returns the line that is recorded under the name of an import, which is that of an order where it knows no token. Earlier versions did not
 * note purchases under their orders: their charges name the token.
 */
export async function nameImportedLine(
  deps: Needs & Pick<Deps, 'findTokensOfOrder'>,
  { projectId, appId, storeChainId }: ImportedLineName,
): Promise<string> {
  const ofOrder = await chainOfToken(deps, appId, storeChainId);
  if (ofOrder !== undefined || !storeChainId.startsWith(ORDER_CHAIN)) return ofOrder ?? storeChainId;
  for (const token of await deps.findTokensOfOrder(projectId, appId, storeChainId.slice(ORDER_CHAIN.length))) {
    const recorded = await chainOfToken(deps, appId, token);
    if (recorded !== undefined) return recorded;
  }
  return storeChainId;
}

/** Stores an imported purchase line under its token; one without a token under the name that its first order gives it. */
export async function saveImportedToken(deps: Needs, purchase: ImportedPurchaseName): Promise<void> {
  const { appId, storeChainId, storeProductId, isSubscription, charges } = purchase;
  const kind = isSubscription ? ('subscription' as const) : ('product' as const);
  const place = { storeChainId, kind, storeProductId, addOns: [], addOnRoot: null, handsOnAddOns: false, quantity: 1 };
  await savePurchaseToken(deps, appId, storeChainId, {
    ...place,
    replacedProductId: null,
    isReplaced: false,
    replacedBy: null,
    charges,
  });
}

/** A purchase never leaves its chain, and a replaced one stays replaced. */
function mergeToken(known: PurchaseToken, learned: PurchaseToken): PurchaseToken {
  return {
    ...known,
    storeProductId: learned.storeProductId ?? known.storeProductId,
    addOns: [...new Set([...known.addOns, ...learned.addOns])],
    handsOnAddOns: known.handsOnAddOns || learned.handsOnAddOns,
    isReplaced: known.isReplaced || learned.isReplaced,
    replacedBy: learned.replacedBy ?? known.replacedBy,
    charges: Math.max(known.charges, learned.charges),
  };
}

function idOf(appId: string, token: string): string {
  return sha256Of(`${appId}|${token}`);
}

function tokenOf(doc: Doc): PurchaseToken {
  const text = (name: string) => (typeof doc[name] === 'string' ? doc[name] : null);
  return {
    storeChainId: String(doc['storeChainId']),
    kind: doc['kind'] === 'product' ? 'product' : 'subscription',
    storeProductId: text('storeProductId'),
    addOns: Array.isArray(doc['addOns']) ? doc['addOns'].map(String) : [],
    addOnRoot: text('addOnRoot'),
    handsOnAddOns: doc['handsOnAddOns'] === true,
    quantity: Number(doc['quantity']),
    replacedProductId: text('replacedProductId'),
    isReplaced: doc['isReplaced'] === true,
    replacedBy: text('replacedBy'),
    charges: Number(doc['charges'] ?? 0),
  };
}

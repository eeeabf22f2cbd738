// Reads the terms of a one-time purchase that the android-store shows in its former resource alone.
import { AndroidStoreRefusal } from '../../../../domain/errors.js';
import type { AndroidProduct } from '../../../../adapters/android-store/port.js';
import { isUnpaidProduct } from '../translator/product.js';
import type { Store } from './chain.js';

/** Adds the type of a purchase without an order, which may be free, and the time of a pending one. */
export async function withOldTerms(
  { api, app }: Store,
  current: AndroidProduct,
  productId: string,
  purchaseToken: string,
): Promise<AndroidProduct> {
  try {
    const old = await api.oldProduct(app, productId, purchaseToken);
    const purchasedAtMs = current.purchaseTimeMillis ?? (isUnpaidProduct(current) ? old.purchaseTimeMillis : undefined);
    return { ...current, purchaseType: current.purchaseType ?? old.purchaseType, purchaseTimeMillis: purchasedAtMs };
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return current;
  }
}

// Facts for the specs of the staging area.
import { importedPurchase, type ImportedFact } from '../../../src/domain/imports/facts.js';

const unknown = { aliases: [], firstSeenAt: null, lastSeenAt: null, country: null, platform: null, attributes: {} };

/** A grant of a long entitlement, so that few of them fill a cache. */
export function grantOf(appUserId: string, aliases: readonly string[] = []): ImportedFact {
  const grant = { appUserId, entitlement: 'x'.repeat(500), startsAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
  const customer = { appUserId, ...unknown, aliases: [...aliases] };
  const about = { customerKey: appUserId, isOriginal: false, updatedAt: '', from: { file: 'a.csv', row: 2 } };
  return { ...about, customer, purchase: null, grant, token: null };
}

/** A customer with names and nothing else. */
export function shortOf(appUserId: string, aliases: readonly string[] = []): ImportedFact {
  return { ...grantOf(appUserId, aliases), grant: null };
}

/** A month of a subscription of the ios-store. `n`: its row and transaction. */
export function purchaseOf(
  appUserId: string,
  o: { readonly n: number; readonly original: string; readonly updatedAt: string },
): ImportedFact {
  const { type: _type, ...purchase } = importedPurchase.parse({
    ...{ type: 'purchase', appUserId, store: 'ios-store', storeProductId: 'monthly', kind: 'normal' },
    ...{ transactionId: `tx_${o.n}`, originalTransactionId: o.original, purchasedAt: '2026-01-01T00:00:00Z' },
  });
  const from = { file: 'a.csv', row: o.n };
  return { ...shortOf(appUserId), isOriginal: true, updatedAt: o.updatedAt, from, purchase };
}

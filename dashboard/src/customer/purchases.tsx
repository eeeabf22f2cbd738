// One-time purchases of a customer. A consumable is used up, so it has no end.
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import type { CustomerDetail } from './customer-detail';
import { isLasting } from './headline';
import { TransactionList } from './transactions';

export function Purchases({ customer: { purchases } }: { readonly customer: CustomerDetail }) {
  const names = useProductNames();
  if (purchases.length === 0) return null;
  const rows = purchases.map((one) => ({
    ...one,
    what: `${one.quantity > 1 ? `${one.quantity} × ` : ''}${names.nameOf(one)} (${storeName(one.store)})`,
    expiresAt: isLasting(one) ? one.accessEndsAt : null,
  }));
  return (
    <section class="card" aria-labelledby="purchases-title">
      <h2 id="purchases-title">One-time purchases</h2>
      <TransactionList of={rows} />
    </section>
  );
}

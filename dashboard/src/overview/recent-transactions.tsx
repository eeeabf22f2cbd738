// Newest purchases, renewals and refunds.
import type { QueryState } from '../api/query';
import { useProject } from '../context/project';
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { formatInUnit } from '../parts/format';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import type { RecentTransactions as Recent, Transaction } from './use-recent-transactions';

const MAX_SHOWN = 10;
const KINDS = { purchase: 'Purchase', renewal: 'Renewal', refund: 'Refund' } as const;

export function RecentTransactions({ recent }: { readonly recent: QueryState<Recent> }) {
  const names = useProductNames();
  return (
    <section class="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent transactions</h2>
      <QueryView of={recent} what="the transactions">
        {({ items }) =>
          items.length === 0 ? (
            <p class="hint">No transactions yet. The first purchase appears here within seconds.</p>
          ) : (
            <div class="scroll">
              <table class="recent">
                <caption class="visually-hidden">The newest transactions</caption>
                <thead>
                  <tr>
                    <th scope="col">Customer</th>
                    <th scope="col" class="what">
                      Product
                    </th>
                    <th scope="col">Kind</th>
                    <th scope="col" class="number">
                      Amount
                    </th>
                    <th scope="col">Time</th>
                  </tr>
                </thead>
                <tbody>
                  {items.slice(0, MAX_SHOWN).map((one) => (
                    <Row key={`${one.id}${one.kind}`} transaction={one} product={names.nameOf(one)} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryView>
    </section>
  );
}

function Row({
  transaction,
  product,
}: {
  readonly transaction: Transaction;
  /** Display name. */
  readonly product: string;
}) {
  const { base } = useProject();
  const { kind, at, customerId, appUserId, amount, currency, store } = transaction;
  const sign = kind === 'refund' ? -1 : 1;
  return (
    <tr>
      <td class="customer">
        <Link to={`${base}/customers/${customerId}`}>{appUserId ?? customerId}</Link>
      </td>
      <td class="what">
        <span class="product">{product}</span> <small>{storeName(store)}</small>
      </td>
      <td>
        <span class={`badge ${kind === 'refund' ? 'bad' : kind === 'purchase' ? 'good' : ''}`}>{KINDS[kind]}</span>
      </td>
      <td class="number">
        {amount === undefined || amount === null || currency === null
          ? '–'
          : formatInUnit(sign * amount, currency.toLowerCase())}
      </td>
      <td class="when">
        <Time at={at} isAgo />
      </td>
    </tr>
  );
}

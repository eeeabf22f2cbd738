// Purchases of a customer: subscriptions with their periods, and one-time purchases.
import type { Schemas } from '../api/client';
import { money, wordsOf } from '../parts/format';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import type { CustomerDetail } from './customer-head';

type Subscription = Schemas['Subscription'];
type Transaction = Subscription['transactions'][number];

export function Subscriptions({ customer }: { readonly customer: CustomerDetail }) {
  return (
    <section class="card" aria-labelledby="subscriptions-title">
      <h2 id="subscriptions-title">Subscriptions</h2>
      {customer.subscriptions.length === 0 ? (
        <p>None.</p>
      ) : (
        customer.subscriptions.map((one) => <SubscriptionItem key={one.id} subscription={one} />)
      )}
    </section>
  );
}

function SubscriptionItem({ subscription: s }: { readonly subscription: Subscription }) {
  return (
    <article class="subscription">
      <div class="row">
        <h3>{s.storeProductId}</h3>
        <StatusBadge status={s.state} />
        {s.environment === 'sandbox' && <span class="badge warn">sandbox</span>}
        <span class="badge">{s.store}</span>
      </div>
      <dl>
        <dt>Renewal</dt>
        <dd>{wordsOf(s.autoRenewStatus)}</dd>
        <dt>Began</dt>
        <dd>
          <Time at={s.startedAt} />
        </dd>
        <dt>Period ends</dt>
        <dd>
          <Time at={s.currentPeriodEndsAt} />
        </dd>
        <dt>Access ends</dt>
        <dd>
          <Time at={s.accessEndsAt} />
        </dd>
        {s.gracePeriodExpiresAt && (
          <>
            <dt>Grace period ends</dt>
            <dd>
              <Time at={s.gracePeriodExpiresAt} />
            </dd>
          </>
        )}
        {s.expirationReason && (
          <>
            <dt>Ended by</dt>
            <dd>{wordsOf(s.expirationReason)}</dd>
          </>
        )}
        {s.totalRevenueUsd && (
          <>
            <dt>Revenue</dt>
            <dd>
              {money(s.totalRevenueUsd.gross)}, proceeds {money(s.totalRevenueUsd.proceeds)}
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>{s.transactions.length} transactions</summary>
        <Transactions of={s.transactions} />
      </details>
    </article>
  );
}

export function Purchases({ customer }: { readonly customer: CustomerDetail }) {
  if (customer.purchases.length === 0) return null;
  return (
    <section class="card" aria-labelledby="purchases-title">
      <h2 id="purchases-title">One-time purchases</h2>
      <Transactions
        of={customer.purchases.map(({ periodType: _type, ...one }) => ({ ...one, periodType: one.storeProductId }))}
      />
    </section>
  );
}

type Row = Pick<
  Transaction,
  'id' | 'purchasedAt' | 'expiresAt' | 'amount' | 'currency' | 'amountUsd' | 'refundedAt'
> & {
  readonly periodType: string;
};

function Transactions({ of }: { readonly of: readonly Row[] }) {
  const showsMoney = of.some(({ amount }) => amount !== undefined);
  return (
    <div class="scroll">
      <table>
        <caption class="visually-hidden">Transactions</caption>
        <thead>
          <tr>
            <th scope="col">Bought</th>
            <th scope="col">What</th>
            <th scope="col">Until</th>
            {showsMoney && (
              <th scope="col" class="number">
                Amount
              </th>
            )}
            <th scope="col">Transaction</th>
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.id}>
              <td>
                <Time at={one.purchasedAt} />
              </td>
              <td>
                {wordsOf(one.periodType)}
                {one.refundedAt && <span class="badge bad">refunded</span>}
              </td>
              <td>{one.expiresAt ? <Time at={one.expiresAt} /> : 'no end'}</td>
              {showsMoney && <td class="number">{amountOf(one)}</td>}
              <td class="code">{one.id}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function amountOf({ amount, currency, amountUsd }: Row): string {
  if (amount == null || currency === null) return '–';
  const own = money(amount, currency);
  return currency === 'USD' || amountUsd == null ? own : `${own} (${money(amountUsd)})`;
}

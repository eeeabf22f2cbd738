// Subscriptions of a customer: what follows, and the history of charges.
import type { Schemas } from '../api/client';
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { money, wordsOf } from '../parts/format';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import type { CustomerDetail } from './customer-detail';
import { endReason } from './headline';
import { TransactionList } from './transactions';

type Subscription = Schemas['Subscription'];

export function Subscriptions({ customer }: { readonly customer: CustomerDetail }) {
  const { subscriptions } = customer;
  if (subscriptions.length === 0) return null;
  return (
    <section class="card" aria-labelledby="subscriptions-title">
      <h2 id="subscriptions-title">{subscriptions.length === 1 ? 'Subscription' : 'Subscriptions'}</h2>
      {subscriptions.map((one) => (
        <SubscriptionItem key={one.id} subscription={one} />
      ))}
    </section>
  );
}

function SubscriptionItem({ subscription: s }: { readonly subscription: Subscription }) {
  const names = useProductNames();
  const charges = s.transactions.map(({ periodType, ...one }) => ({ ...one, what: wordsOf(periodType) }));
  return (
    <article class="subscription">
      <div class="row">
        <h3>{names.nameOf(s)}</h3>
        <StatusBadge status={s.state} />
        {s.environment === 'sandbox' && <span class="badge warn">sandbox</span>}
      </div>
      <dl class="compact">
        <dt>Store</dt>
        <dd>{storeName(s.store)}</dd>
        <dt>Began</dt>
        <dd>
          <Time at={s.startedAt} />
        </dd>
        <Terms subscription={s} />
        {s.totalRevenueUsd && (
          <>
            <dt>Revenue</dt>
            <dd>
              {money(s.totalRevenueUsd.gross)}, proceeds {money(s.totalRevenueUsd.proceeds)}
            </dd>
          </>
        )}
        {s.ownership === 'family_shared' && (
          <>
            <dt>Ownership</dt>
            <dd>shared by a family member</dd>
          </>
        )}
      </dl>
      <details>
        <summary>{charges.length === 1 ? '1 charge' : `${charges.length} charges`}</summary>
        <TransactionList of={charges} />
      </details>
    </article>
  );
}

/** A cancelled commitment is charged until its end. */
function willBeCharged({ autoRenewStatus, commitmentEndsAt }: Subscription): boolean {
  return autoRenewStatus === 'will_renew' || commitmentEndsAt !== null;
}

/** Times of the end or the renewal. Equal times are shown once. */
function Terms({ subscription: s }: { readonly subscription: Subscription }) {
  const isOver = ['expired', 'refunded', 'revoked'].includes(s.state);
  if (isOver) {
    return (
      <>
        <dt>Ended</dt>
        <dd>
          <Time at={s.accessEndsAt} />
          {endReason(s.expirationReason)}
        </dd>
      </>
    );
  }
  const isDue = s.state === 'grace_period' || s.state === 'billing_retry';
  return (
    <>
      <dt>{isDue ? 'Renewal was due' : willBeCharged(s) ? 'Renews' : 'Paid until'}</dt>
      <dd>
        <Time at={s.currentPeriodEndsAt} />
      </dd>
      {s.autoRenewStatus !== 'will_renew' && (
        <>
          <dt>Renewal</dt>
          <dd>
            {wordsOf(s.autoRenewStatus)}
            {s.unsubscribedAt !== null && (
              <>
                , since <Time at={s.unsubscribedAt} />
              </>
            )}
          </dd>
        </>
      )}
      {s.commitmentEndsAt !== null && (
        <>
          <dt>Commitment until</dt>
          <dd>
            <Time at={s.commitmentEndsAt} />
          </dd>
        </>
      )}
      {s.accessEndsAt !== s.currentPeriodEndsAt && (
        <>
          <dt>Access until</dt>
          <dd>
            <Time at={s.accessEndsAt} />
            {s.gracePeriodExpiresAt === s.accessEndsAt && ' (grace period)'}
          </dd>
        </>
      )}
    </>
  );
}

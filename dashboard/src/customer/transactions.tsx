// List of charges: what, when, the amount, and the store's ID of each.
import type { Schemas } from '../api/client';
import { money } from '../parts/format';
import { Time } from '../parts/time';

type Transaction = Schemas['Transaction'];
type Charge = Pick<
  Transaction,
  'id' | 'purchasedAt' | 'expiresAt' | 'amount' | 'currency' | 'amountUsd' | 'refundedAt'
> & {
  readonly what: string;
};

const MAX_OPEN = 4;

/** Newest first; of a long list, the older ones are folded. */
export function TransactionList({ of }: { readonly of: readonly Charge[] }) {
  const newestFirst = of.toSorted((a, b) => Date.parse(b.purchasedAt) - Date.parse(a.purchasedAt));
  const older = newestFirst.slice(MAX_OPEN);
  return (
    <>
      <Charges of={newestFirst.slice(0, MAX_OPEN)} />
      {older.length > 0 && (
        <details>
          <summary>{older.length === 1 ? '1 older' : `${older.length} older`}</summary>
          <Charges of={older} />
        </details>
      )}
    </>
  );
}

function Charges({ of }: { readonly of: readonly Charge[] }) {
  return (
    <ul class="charges">
      {of.map((one) => (
        <li key={one.id}>
          <span class="charge-what">
            {one.what} {one.refundedAt && <span class="badge bad">refunded</span>}
          </span>
          {one.amount !== undefined && <span class="charge-amount">{amountOf(one)}</span>}
          <span class="hint">
            <Time at={one.purchasedAt} />
            {one.expiresAt && (
              <>
                {' '}
                – <Time at={one.expiresAt} />
              </>
            )}
          </span>
          <span class="code hint">{one.id}</span>
        </li>
      ))}
    </ul>
  );
}

function amountOf({ amount, currency, amountUsd }: Charge): string {
  if (amount == null || currency === null) return '–';
  const own = money(amount, currency);
  return currency === 'USD' || amountUsd == null ? own : `${own} (${money(amountUsd)})`;
}

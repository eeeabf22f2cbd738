// Transactions of the last hour as a strip, minute by minute.
import type { QueryState } from '../api/query';
import { useProject } from '../context/project';
import { count } from '../parts/format';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { HOUR_MS, type RecentTransactions, type Transaction } from './use-recent-transactions';

const MINUTES = 60;
const MINUTE_MS = 60_000;
const HEIGHT = 44;
const STEP = 5;
const BASE = 3;
const KINDS = [
  ['purchase', 'purchase', 'purchases'],
  ['renewal', 'renewal', 'renewals'],
  ['refund', 'refund', 'refunds'],
] as const;

export function LastHour({ recent }: { readonly recent: QueryState<RecentTransactions> }) {
  const { base, may } = useProject();
  return (
    <section class="card" aria-labelledby="hour-title">
      <h2 id="hour-title">Last hour</h2>
      <QueryView of={recent} what="the last hour">
        {({ items, isCut }) => {
          const now = Date.now();
          const ofLastHour = items.filter(({ at }) => Date.parse(at) > now - HOUR_MS && Date.parse(at) <= now);
          const text = summaryOf(ofLastHour, isCut);
          return (
            <>
              <Strip transactions={ofLastHour} now={now} label={text} />
              <p class="strip-ends hint" aria-hidden="true">
                <span>60 minutes ago</span>
                <span>now</span>
              </p>
              <p>{text}</p>
            </>
          );
        }}
      </QueryView>
      {may('readCustomers') && <Link to={`${base}/live`}>Watch live</Link>}
    </section>
  );
}

function Strip({
  transactions,
  now,
  label,
}: {
  readonly transactions: readonly Transaction[];
  readonly now: number;
  readonly label: string;
}) {
  const minuteOf = ({ at }: Transaction) => MINUTES - 1 - Math.floor((now - Date.parse(at)) / MINUTE_MS);
  const minutes = Array.from({ length: MINUTES }, (_, i) => transactions.filter((one) => minuteOf(one) === i));
  const most = Math.max(1, ...minutes.map(({ length }) => length));
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${MINUTES * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last hour by minute: ${label}`}
    >
      {minutes.map((all, i) => {
        const height = all.length === 0 ? BASE : BASE + (all.length / most) * (HEIGHT - BASE);
        const hasRefund = all.some(({ kind }) => kind === 'refund');
        const name = all.length === 0 ? 'none' : hasRefund ? 'refunded' : 'some';
        return <rect key={i} class={name} x={i * STEP} y={HEIGHT - height} width={STEP - 1} height={height} />;
      })}
    </svg>
  );
}

function summaryOf(transactions: readonly Transaction[], isCut: boolean): string {
  if (transactions.length === 0) return 'No transactions.';
  const parts = KINDS.flatMap(([kind, one, many]) => {
    const n = transactions.filter((t) => t.kind === kind).length;
    return n === 0 ? [] : [`${count(n)} ${n === 1 ? one : many}`];
  });
  return `${isCut ? 'At least ' : ''}${parts.join(', ')}.`;
}

// Reasons of a difference, the largest first. Each opens the customers behind it with their shares.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../../api/client';
import { useProject } from '../../context/project';
import { count, formatInUnit, withTimesInZone } from '../../parts/format';
import { Link } from '../../parts/link';
import { PagedTable } from '../../parts/paged-table';
import type { Parameters } from '../data/query';
import type { Change } from './changes';
import { DifferenceBar } from './difference-bar';
import '../../styles/reasons.css';

export type ReasonScope = {
  readonly chartId: string;
  /** Parameters of the comparison. */
  readonly query: Parameters;
};

type Props = {
  readonly change: Change;
  readonly scope: ReasonScope;
  /** Shows a bar for each amount. */ readonly isWide?: boolean;
};

export function Reasons({ change, scope, isWide = false }: Props) {
  const { reasons = [] } = change.value;
  const ordered = reasons.filter(({ amount }) => amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const most = Math.abs(ordered[0]?.amount ?? 0);
  if (ordered.length === 0) return <>–</>;
  return (
    <ul class={isWide ? 'plain reasons wide' : 'plain reasons'}>
      {ordered.map((reason) => (
        <li key={reason.kind}>
          <Reason change={change} scope={scope} isWide={isWide} reason={reason} most={most} />
        </li>
      ))}
    </ul>
  );
}

type ReasonOf = NonNullable<Change['value']['reasons']>[number];

function Reason({
  change,
  scope,
  isWide = false,
  reason,
  most,
}: Props & { readonly reason: ReasonOf; readonly most: number }) {
  const [isOpen, setOpen] = useState(false);
  const { kind, amount, count: customers } = reason;
  const sentence = withTimesInZone(reason.sentence);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="amount">{formatInUnit(amount, change.unit)}</span>{' '}
        {isWide && <DifferenceBar value={amount} most={most} />}
        <span class="cause">
          {sentence} ({count(customers)} {customers === 1 ? 'customer' : 'customers'})
        </span>
      </summary>
      {isOpen && <ReasonCustomers change={change} scope={scope} kind={kind} sentence={sentence} />}
    </details>
  );
}

function ReasonCustomers({
  change,
  scope: { chartId, query },
  kind,
  sentence,
}: Props & Pick<ReasonOf, 'kind' | 'sentence'>) {
  const { project, base } = useProject();
  const { bucket, measure, column, unit } = change;
  const own = { ...query, bucket, measure, kind, ...(column !== null && { column }) };
  return (
    <PagedTable
      what="the customers"
      caption={`Customers, ${change.place}: ${sentence}`}
      of={`reason|${project.id}|${chartId}|${JSON.stringify(own)}`}
      columns={[{ name: 'Customer' }, { name: 'What changed' }, { name: 'Share', isNumber: true }]}
      load={(page, signal) => {
        const params = { path: { id: project.id, chartId }, query: { ...own, ...page, limit: 10 } };
        return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/compare/customers', { params, signal }));
      }}
      row={({ customerId, appUserId, value, sentence: ofCustomer }) => (
        <tr key={customerId}>
          <td>
            <Link to={`${base}/customers/${customerId}`}>{appUserId ?? customerId}</Link>
          </td>
          <td>{withTimesInZone(ofCustomer)}</td>
          <td class="number">{formatInUnit(value, unit)}</td>
        </tr>
      )}
      empty={<p>No customers.</p>}
    />
  );
}

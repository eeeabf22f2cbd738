// Customers of a value in each of two periods: the chart page lists them.
import { useProject } from '../../context/project';
import { Link } from '../../parts/link';
import type { Parameters } from '../data/query';
import type { Change } from './changes';
import type { ReasonScope } from './reasons';
import type { Comparison } from './use-comparison';

type Props = {
  readonly change: Change;
  readonly comparison: Pick<Comparison, 'then' | 'now'>;
  readonly scope: ReasonScope;
};

export function PeriodCustomers({ change, comparison: { then, now }, scope }: Props) {
  const { base } = useProject();
  const { bucket, thenBucket, value } = change;
  const urlOf = ({ startDate, endDate }: Comparison['then'], start: string) =>
    `${base}/charts/${scope.chartId}?${customersQuery(scope.query, change, `${startDate}..${endDate}`, start)}`;
  return (
    <ul class="plain row">
      {value.then !== null && typeof thenBucket === 'string' && (
        <li>
          <Link to={urlOf(then, thenBucket)}>Customers then</Link>
        </li>
      )}
      {value.now !== null && (
        <li>
          <Link to={urlOf(now, bucket)}>Customers now</Link>
        </li>
      )}
    </ul>
  );
}

function customersQuery(
  { previous: _other, segment: _whole, segmentLimit: _limit, environment: _preserved, ...parameters }: Parameters,
  { measure, column }: Change,
  period: string,
  bucket: string,
): string {
  const fields = Object.entries({ ...parameters, period, tab: 'customers', bucket, of: measure });
  const pairs = fields.flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return new URLSearchParams(column === null ? pairs : [...pairs, ['column', String(column)]]).toString();
}

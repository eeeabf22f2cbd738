// The value of a chart whose customers are listed, in words.
import { setQuery } from '../context/router';
import { useProject } from '../context/project';
import { useCharts } from '../charts/use-charts';
import { bucketName } from '../charts/data/series';
import { Link } from '../parts/link';
import { nameOf } from '../parts/format';

/** Says which value of a chart the list belongs to, and leads back to the chart. */
export function ChartValueNote({ value }: { readonly value: string }) {
  const { base } = useProject();
  const charts = useCharts();
  const [chartId = '', rest = ''] = value.split('?', 2);
  const params = new URLSearchParams(rest);
  const chart = charts.data?.items.find(({ id }) => id === chartId);
  const interval = params.get('interval') ?? 'day';
  const measure = chart?.measures.find(({ id }) => id === params.get('measure'))?.name;
  const column = params.get('column');
  const parts = [
    ...[chart?.name ?? chartId, measure].filter((name) => name !== undefined),
    bucketName(params.get('bucket') ?? '', interval),
    ...(column === null ? [] : [`${interval} ${column}`]),
    ...params.getAll('filter').map((filter) => {
      const [dimension = '', values = ''] = filter.split(':', 2);
      return `${nameOf(dimension)}: ${values}`;
    }),
  ];
  const address = new URLSearchParams(params);
  address.set('of', params.get('measure') ?? '');
  address.delete('measure');
  address.set('tab', 'customers');
  return (
    <p class="note row">
      <span>
        Customers of a value: <Link to={`${base}/charts/${chartId}?${address.toString()}`}>{parts.join(', ')}</Link>.
        Their figures are those of now; erased customers are not listed.
      </span>
      <button type="button" onClick={() => setQuery({ chartValue: null })}>
        Show all customers
      </button>
    </p>
  );
}

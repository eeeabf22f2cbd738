// Customers of one value of a chart, with the share of each, and what changed in the value since its period ended.
import { api, unwrap } from '../../api/client';
import { useProject } from '../../context/project';
import { setQuery } from '../../context/router';
import { formatInUnit } from '../../parts/format';
import { Select } from '../../parts/form';
import { Link } from '../../parts/link';
import { PagedTable } from '../../parts/paged-table';
import type { ChartData, ChartDescription, Parameters } from '../data/query';
import { bucketName, OTHER } from '../data/series';
import { chartValueOf } from '../data/value-address';
import { segmentName } from '../data/segment-names';
import { showValue, type ShownValue } from './shown-value';

type Props = {
  readonly chart: ChartDescription;
  readonly data: ChartData;
  readonly parameters: Parameters;
  /** Null, or not a value of this chart: the last value is shown. */
  readonly shown: ShownValue | null;
  readonly measure: string;
};

export function ValueCustomers({ chart, data, parameters, shown, measure }: Props) {
  const measures = measuresOf(data);
  const places = placesOf(data);
  const [usual] = measures;
  const own = measures.find(({ id }) => id === measure) ?? usual;
  const last = places[0];
  const isThere = shown !== null && places.some(({ start }) => start === shown.bucket);
  const usualValue = last && own ? { bucket: last.start, measure: own.id, column: null, segment: null } : null;
  const chosen = isThere ? shown : usualValue;
  if (!chosen) return <p>There are no figures in this period.</p>;
  const value = data.segment === undefined ? { ...chosen, segment: null } : chosen;
  const place = places.find(({ start }) => start === value.bucket);
  const hasEnded =
    place !== undefined && !place.incomplete && parameters['asOf'] === undefined && parameters['replay'] === undefined;
  return (
    <>
      <div class="row end controls">
        <Select
          label={chart.kind === 'cohort' ? 'Cohort' : 'Period of the value'}
          value={value.bucket}
          options={places.map(({ start }) => [start, bucketName(start, data.interval)] as const)}
          onChange={({ currentTarget }) => showValue({ ...value, bucket: currentTarget.value })}
        />
        {measures.length > 1 && value.column === null && (
          <Select
            label="Value of"
            value={value.measure}
            options={measures.map(({ id, name }) => [id, name] as const)}
            onChange={({ currentTarget }) => showValue({ ...value, measure: currentTarget.value })}
          />
        )}
        {hasEnded && (
          <button type="button" onClick={() => setQuery({ tab: 'changed', then: place.end, thenReplay: null })}>
            What changed since {bucketName(value.bucket, data.interval)} ended
          </button>
        )}
      </div>
      <Customers chart={chart} data={data} parameters={parameters} value={value} />
    </>
  );
}

function Customers({
  chart,
  data,
  parameters,
  value,
}: Pick<Props, 'chart' | 'data' | 'parameters'> & { readonly value: ShownValue }) {
  const { project, base } = useProject();
  const { bucket, column, segment } = value;
  const measures = measuresOf(data);
  const { name = value.measure, unit = data.unit } =
    data.measures.find(({ id }) => id === value.measure) ?? measures.find(({ id }) => id === value.measure) ?? {};
  const query = requestOf(parameters, value);
  const period = `${data.startDate}..${data.endDate}`;
  const of = [
    name,
    ...(segment === null ? [] : [segmentName(data.segment ?? '', segment, data.segments?.[segment]?.name ?? null)]),
    bucketName(bucket, data.interval),
    ...(column === null ? [] : [`${data.interval} ${column}`]),
  ].join(', ');
  return (
    <div class="value-customers">
      <p>
        <Link
          to={`${base}/customers?${new URLSearchParams({ chartValue: chartValueOf(chart.id, query, period) }).toString()}`}
        >
          Open in the customer list
        </Link>
      </p>
      <PagedTable
        what="the customers"
        caption={of}
        of={`customers of|${project.id}|${chart.id}|${JSON.stringify(query)}`}
        columns={[{ name: 'Customer' }, { name: 'Share', isNumber: true }]}
        load={(page, signal) => {
          const params = { path: { id: project.id, chartId: chart.id }, query: { ...query, ...page, limit: 10 } };
          return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/customers', { params, signal }));
        }}
        row={({ customerId, appUserId, value: share }) => (
          <tr key={customerId}>
            <td>
              <Link to={`${base}/customers/${customerId}`}>{appUserId ?? customerId}</Link>
            </td>
            <td class="number">{formatInUnit(share, unit)}</td>
          </tr>
        )}
        empty={<p>No customers.</p>}
      />
    </div>
  );
}

/** Returns the request for the customers of the value: a segment is a filter, and a mean per customer is explained by its total. */
function requestOf(parameters: Parameters, { bucket, measure, column, segment }: ShownValue): Parameters {
  const { segment: dimension, segmentLimit: _limit, ...rest } = parameters;
  const filter = [
    ...[rest['filter'] ?? []].flat(),
    ...(segment === null || segment === OTHER || dimension === undefined ? [] : [`${String(dimension)}:${segment}`]),
  ];
  const isMean = rest['cohortMeasure'] === 'realized_ltv_per_customer' && column !== null;
  return {
    ...rest,
    ...(filter.length > 0 && { filter }),
    ...(isMean && { cohortMeasure: 'realized_ltv' }),
    ...(column !== null && { column: String(column) }),
    bucket,
    measure,
  };
}

/** Returns the measures whose values add up from customers. */
function measuresOf({ kind, measures }: ChartData): readonly { id: string; name: string; unit: string }[] {
  if (kind === 'cohort') return [{ id: 'size', name: 'Customers of the cohort', unit: 'count' }];
  return measures.filter(({ unit }) => unit !== 'percent');
}

/** Returns the buckets or cohorts, newest first. */
function placesOf({ buckets, rows, total }: ChartData) {
  return [...(buckets ?? total?.buckets ?? rows ?? [])].reverse();
}

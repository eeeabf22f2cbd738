// One chart: its definition, its controls, the drawing, the same values as a table, and the reasons of changes.
import { useState } from 'preact/hooks';
import { useProject } from '../app/project';
import { useQuery } from '../api/query';
import { query, setQuery, type PageProps } from '../app/router';
import { formatInUnit, utc, wordsOf } from '../parts/format';
import { Select } from '../parts/form';
import { Deferred } from '../parts/deferred';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { Annotations, useAnnotations } from './annotations';
import { BucketCustomers, type SelectedValue } from './bucket-customers';
import { ChartSql } from './chart-sql';
import { Controls } from './controls';
import { CohortTable, SeriesTable } from './data-table';
import { loadChart, loadCsv, parametersOf, periodBefore, type ChartData, type ChartDescription } from './data/query';
import { bucketName, movementOf, seriesOf, type Series } from './data/series';
import { SeriesChart } from './drawing/series-chart';
import { DeleteReplay, CreateReplay } from './replays';
import { useCharts } from './use-charts';
import { SaveView } from './views';
import { WhatChanged } from './what-changed';
import '../styles/charts.css';

/** Charts whose values add up over segments and time: they are drawn as bars. */
const AS_BARS = /^(revenue|actives_new|trials_new|customers_new|subscription_status|customers_active)$/;

export default function ChartPage({ params: { chartId = '' } }: PageProps) {
  const { base } = useProject();
  const charts = useCharts();
  return (
    <>
      <p>
        <Link to={`${base}/charts`}>All charts</Link>
      </p>
      <QueryView of={charts} what="the charts">
        {({ items }) => {
          const chart = items.find(({ id }) => id === chartId);
          return chart ? <ChartView key={chartId} chart={chart} /> : <ChartNotFound />;
        }}
      </QueryView>
    </>
  );
}

function ChartNotFound() {
  const { base } = useProject();
  return (
    <>
      <h1>Chart not found</h1>
      <Empty title="The address contains an unknown chart.">
        <Link to={`${base}/charts`}>See all charts</Link>
      </Empty>
    </>
  );
}

function ChartView({ chart }: { readonly chart: ChartDescription }) {
  const { project } = useProject();
  const asked = parametersOf(chart.kind);
  const measure = query.value.get('measure') ?? mainMeasure(chart);
  const key = `chart|${project.id}|${chart.id}|${JSON.stringify(asked)}`;
  const read = useQuery(key, (signal) => loadChart(project.id, chart.id, asked, signal));
  const downloadCsv = async () => {
    const text = await loadCsv(project.id, chart.id, asked);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = `${chart.id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <h1>{chart.name}</h1>
      <p class="definition">{chart.description}</p>
      <ChartSql chart={chart} />
      <Controls chart={chart} asked={asked} />
      <QueryView of={read} what="the figures">
        {(data) => <Figure chart={chart} data={data} measure={measure} />}
      </QueryView>
      <p class="row controls">
        <button type="button" onClick={() => void downloadCsv().catch((err: Error) => toast(err.message))}>
          CSV
        </button>
        <SaveView chartId={chart.id} asked={asked} />
        <CreateReplay />
        <DeleteReplay />
      </p>
      <WhatChanged chartId={chart.id} asked={asked} measure={measure} />
    </>
  );
}

/** Returns the measure that gives the chart its name. It comes last, after its components. */
function mainMeasure({ id, measures }: ChartDescription): string {
  return (
    (measures.find((one) => one.id === id) ?? (id.startsWith('revenue') ? measures[0] : measures.at(-1)))?.id ?? ''
  );
}

type FigureProps = { readonly chart: ChartDescription; readonly data: ChartData; readonly measure: string };

function Figure({ chart, data, measure }: FigureProps) {
  const { project } = useProject();
  const [picked, setPicked] = useState<SelectedValue | null>(null);
  const asked = parametersOf(chart.kind);
  const isMovement = chart.id.endsWith('_movement') && !data.segments;
  const series = isMovement ? movementOf(data) : seriesOf(data, measure);
  const wantsBefore = query.value.get('before') === 'on' && !data.segments && !isMovement && data.kind === 'series';
  const { period: _now, ...rest } = asked;
  const earlier = { ...rest, period: periodBefore(data) };
  const before = useQuery(wantsBefore ? `chart|${project.id}|${chart.id}|${JSON.stringify(earlier)}` : null, (signal) =>
    loadChart(project.id, chart.id, earlier, signal),
  );
  const annotations = useAnnotations().data?.items.filter(({ day }) => day >= data.startDate && day <= data.endDate);
  const form = isMovement ? 'movement' : AS_BARS.test(chart.id) ? 'bars' : 'lines';
  return (
    <>
      <figure class="card" aria-labelledby="figure-title">
        <div class="row end">
          <h2 id="figure-title">{summaryOf(data, series)}</h2>
          {data.measures.length > 1 && !isMovement && (
            <Select
              label="Measure"
              value={measure}
              options={data.measures.map(({ id, name }) => [id, name] as const)}
              onChange={({ currentTarget }) => setQuery({ measure: currentTarget.value })}
            />
          )}
        </div>
        <Notes data={data} />
        {data.kind === 'cohort' ? (
          <CohortTable data={data} measure={measure} />
        ) : (
          <SeriesChart
            series={series}
            before={wantsBefore && before.data ? seriesOf(before.data, measure)[0] : undefined}
            form={form}
            interval={data.interval}
            summary={summaryOf(data, series)}
            marks={annotations ?? []}
            onPick={data.segments ? undefined : (bucket) => setPicked({ bucket, measure })}
          />
        )}
        <figcaption class="hint">
          As of <Time at={data.asOf} />
          {query.value.get('asOf') === null && query.value.get('replay') === null && ': now'}.{' '}
          {data.replay && `Figures of the replay ${data.replay.name}. `}Hatched and dashed: not complete yet.
        </figcaption>
      </figure>
      {data.kind === 'series' && (
        <section class="card" aria-label="Data as a table">
          <Deferred>
            <SeriesTable data={data} series={series} onPick={(bucket, of) => setPicked({ bucket, measure: of })} />
          </Deferred>
        </section>
      )}
      <Annotations annotations={annotations ?? []} />
      {picked && <BucketCustomers data={data} asked={asked} picked={picked} onClose={() => setPicked(null)} />}
    </>
  );
}

function Notes({ data }: { readonly data: ChartData }) {
  const { ignoredFilters, unconverted, staleSince } = data;
  return (
    <>
      {staleSince !== undefined && (
        <p class="problem">
          Nothing recorded since {utc(staleSince)} is included in these figures: the charts have stopped updating.
        </p>
      )}
      {ignoredFilters && (
        <p class="note">Customer counts ignore the filters {ignoredFilters.map(wordsOf).join(', ')}.</p>
      )}
      {unconverted && unconverted.transactions > 0 && (
        <p class="note">
          {unconverted.transactions} transactions are left out: there is no exchange rate for {unconverted.dayCount}{' '}
          days.
        </p>
      )}
    </>
  );
}

/** Returns a one-line summary such as `MRR: $790.75 on 23 Nov 2026`. */
function summaryOf(data: ChartData, [first]: readonly Series[]): string {
  if (data.kind === 'cohort' || !first || data.segments) return `${data.name}, ${data.startDate} to ${data.endDate}`;
  const last = first.points.findLast(({ value }) => value !== null);
  if (!last) return `${data.name}: no figures in this period`;
  const where = data.interval === 'day' ? 'on' : data.interval === 'week' ? 'in the week of' : 'in';
  return `${first.name}: ${formatInUnit(last.value, first.unit)} ${where} ${bucketName(last.start, data.interval)}`;
}

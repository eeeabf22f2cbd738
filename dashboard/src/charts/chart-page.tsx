// One chart: its controls, the drawing, and tabs with the same values as a table, what changed, the customers and the definition.
import { useProject } from '../context/project';
import { useQuery } from '../api/query';
import { query, setQuery, type PageProps } from '../context/router';
import { CsvButton } from '../parts/csv-button';
import { Deferred } from '../parts/deferred';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { Tabs, type Tab } from '../parts/tabs';
import { AnnotationsPanel } from './annotations';
import { SinceLastVisit, useLastVisit } from './compare/since-last-visit';
import { WhatChanged } from './compare/what-changed';
import { Controls } from './controls/controls';
import { ReplaysPanel } from './controls/replays';
import {
  loadChart,
  loadCsv,
  ownFigures,
  parametersOf,
  type ChartData,
  type ChartDescription,
  type Parameters,
} from './data/query';
import { Definition } from './figure/definition';
import { Figure, shownSeries } from './figure/figure';
import { SeriesTable } from './figure/series-table';
import { readShownValue, showValue } from './figure/shown-value';
import { UsualBand } from './figure/usual-band';
import { ValueCustomers } from './figure/value-customers';
import { mainMeasure } from './data/measures';
import { inOptionLabels } from './data/parameter-labels';
import { useCharts } from './use-charts';
import { OpenedView, SaveView } from './views';
import '../styles/charts.css';
import '../styles/chart-options.css';
import '../styles/chart-page.css';

export default function ChartPage({ params: { chartId = '' } }: PageProps) {
  const charts = useCharts();
  return (
    <QueryView of={charts} what="the charts">
      {({ items }) => {
        const chart = items.find(({ id }) => id === chartId);
        return chart ? <ChartView key={chartId} chart={chart} /> : <ChartNotFound />;
      }}
    </QueryView>
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
  const { base, project } = useProject();
  const measure = query.value.get('measure') ?? mainMeasure(chart);
  const own = parametersOf(chart.kind, project.displayCurrency);
  // Segments are ranked by the shown measure.
  const parameters: Parameters = own['segment'] === undefined ? own : { ...own, measure };
  const key = `figures|${project.id}|${chart.id}|${JSON.stringify(parameters)}`;
  // Data of the previous parameters stays visible while newer data is loading; what belongs to a figure is requested with its own.
  const read = useQuery(key, async (signal) => ({
    parameters,
    data: await loadChart(project.id, chart.id, parameters, signal),
  }));
  return (
    <>
      <div class="chart-head">
        <p class="crumb">
          <Link to={`${base}/charts`}>Charts</Link>
        </p>
        <h1>{chart.name}</h1>
        <div class="row controls">
          <CsvButton fileName={`${chart.id}.csv`} load={() => loadCsv(project.id, chart.id, parameters)} />
          <SaveView chartId={chart.id} parameters={parameters} />
          <AnnotationsPanel />
          <ReplaysPanel />
        </div>
      </div>
      <OpenedView chartId={chart.id} />
      <Controls chart={chart} parameters={parameters} />
      <QueryView of={{ ...read, error: read.error && inOptionLabels(read.error) }} what="the figures">
        {(loaded) => <Loaded chart={chart} {...loaded} measure={measure} />}
      </QueryView>
    </>
  );
}

type TabId = 'table' | 'changed' | 'customers' | 'usual' | 'definition';
const TABS: readonly Tab<TabId>[] = [
  { id: 'table', name: 'Table' },
  { id: 'changed', name: 'What changed' },
  { id: 'customers', name: 'Customers' },
  { id: 'usual', name: 'Usual band' },
  { id: 'definition', name: 'Definition' },
];

type LoadedProps = {
  readonly chart: ChartDescription;
  readonly data: ChartData;
  readonly parameters: Parameters;
  readonly measure: string;
};

function Loaded({ chart, data, parameters, measure }: LoadedProps) {
  const looked = useLastVisit(chart.id);
  // The table of a cohort chart is its drawing.
  const tabs = TABS.filter(
    ({ id }) => (id !== 'table' || data.kind !== 'cohort') && (id !== 'usual' || chart.isWatchable),
  );
  const isCompared = query.value.has('then') || query.value.has('thenReplay');
  const usual = isCompared ? 'changed' : (tabs[0]?.id ?? 'definition');
  const tab = tabs.find(({ id }) => id === query.value.get('tab'))?.id ?? usual;
  const panel = () => {
    if (tab === 'changed') return <WhatChanged chart={chart} parameters={parameters} measure={measure} />;
    if (tab === 'usual') return <UsualBand chartId={chart.id} />;
    if (tab === 'definition') return <Definition chart={chart} />;
    if (tab === 'customers') {
      return (
        <ValueCustomers
          chart={chart}
          data={data}
          parameters={ownFigures(parameters)}
          shown={readShownValue()}
          measure={measure}
        />
      );
    }
    return (
      <Deferred>
        <SeriesTable data={data} series={shownSeries(chart, data, measure)} measure={measure} onPick={showValue} />
      </Deferred>
    );
  };
  return (
    <>
      {looked !== null && !isCompared && parameters['replay'] === undefined && (
        <SinceLastVisit chartId={chart.id} parameters={parameters} measure={measure} looked={looked} />
      )}
      <Figure chart={chart} data={data} measure={measure} onPick={showValue} />
      {data.settledShare && data.settledShare.total !== null && (
        <p class="muted">
          {Math.floor(data.settledShare.total * 100)} % of what was charged is settled by the stores’ reports; the rest
          is estimated.
        </p>
      )}
      <Tabs label="Details" tabs={tabs} selected={tab} onSelect={(id) => setQuery({ tab: id })}>
        {panel()}
      </Tabs>
    </>
  );
}

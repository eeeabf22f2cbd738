// Two instants, periods or replays of a chart side by side, the bars of their differences, and the reasons with their customers. The URL contains
// all of it.
import { useEffect } from 'preact/hooks';
import { useProject } from '../../context/project';
import { query, setQuery } from '../../context/router';
import { Select } from '../../parts/form';
import { nameOf, sentenceCase } from '../../parts/format';
import { QueryView } from '../../parts/states';
import { Filters } from '../controls/filters';
import { PeriodChoice } from '../controls/period';
import { mainMeasure } from '../data/measures';
import { inOptionLabels } from '../data/parameter-labels';
import { parametersOf, type ChartDescription, type Parameters } from '../data/query';
import { useCharts } from '../use-charts';
import { ComparedFigures } from './compared-figures';
import { daysAgoWithin } from './instant-choice';
import { kindOfSides, Sides } from './sides';
import { comparisonQuery, readComparisonBase, useComparison, type ComparisonBase } from './use-comparison';
import '../../styles/charts.css';
import '../../styles/chart-options.css';
import '../../styles/compare.css';

const USUAL_CHART = 'revenue';
const USUAL_DAYS = 30;

export default function ComparePage() {
  const charts = useCharts();
  return (
    <>
      <h1>Compare</h1>
      <QueryView of={charts} what="the charts">
        {({ items }) => {
          const chartId = query.value.get('chart') ?? USUAL_CHART;
          const chart = items.find(({ id }) => id === chartId) ?? items[0];
          return chart && <Chart key={chart.id} chart={chart} charts={items} />;
        }}
      </QueryView>
    </>
  );
}

type Props = { readonly chart: ChartDescription; readonly charts: readonly ChartDescription[] };

function Chart({ chart, charts }: Props) {
  const { project } = useProject();
  const period = query.value.get('period') ?? 'last_12_months';
  const measure = query.value.get('measure') ?? mainMeasure(chart);
  const own = parametersOf(chart.kind, project.displayCurrency);
  const parameters: Parameters = {
    ...own,
    ...(own['segment'] !== undefined && chart.kind === 'series' && { measure }),
    period,
    interval: query.value.get('interval') ?? 'month',
  };
  const earlier = readComparisonBase({ isPage: true });
  const isUnset = earlier === null && kindOfSides() === 'instants';
  // In the URL, so that a link shows the same tomorrow.
  useEffect(() => {
    if (isUnset) setQuery({ then: daysAgoWithin(project, USUAL_DAYS) });
  }, [isUnset, project]);
  return (
    <>
      <section class="options controls" aria-label="Options">
        <Select
          label="Chart"
          value={chart.id}
          options={charts.map(({ id, name }) => [id, name] as const)}
          onChange={({ currentTarget }) => setQuery({ chart: currentTarget.value, measure: null, bucket: null })}
        />
        {chart.measures.length > 1 && (
          <Select
            label="Measure"
            value={measure}
            options={chart.measures.map(({ id, name }) => [id, name] as const)}
            onChange={({ currentTarget }) => setQuery({ measure: currentTarget.value })}
          />
        )}
        <PeriodChoice period={period} />
        <Select
          label="Interval"
          value={String(parameters['interval'])}
          options={chart.intervals.map((id) => [id, sentenceCase(id)] as const)}
          onChange={({ currentTarget }) => setQuery({ interval: currentTarget.value, bucket: null })}
        />
        {chart.kind === 'series' && (
          <Select
            label="Segment by"
            value={String(parameters['segment'] ?? '')}
            options={[['', 'No segment'], ...chart.segments.map((id) => [id, nameOf(id)] as const)]}
            onChange={({ currentTarget }) => setQuery({ segment: currentTarget.value || null, bucket: null })}
          />
        )}
        <Filters chart={chart} parameters={parameters} />
      </section>
      <Sides earlier={earlier} />
      {earlier && (
        <Compared
          key={`${project.id}|${chart.id}`}
          chart={chart}
          parameters={parameters}
          measure={measure}
          earlier={earlier}
        />
      )}
    </>
  );
}

function Compared({
  chart,
  parameters,
  measure,
  earlier,
}: {
  readonly chart: ChartDescription;
  readonly parameters: Parameters;
  readonly measure: string;
  readonly earlier: ComparisonBase;
}) {
  const compared = useComparison(chart.id, parameters, earlier);
  const scope = { chartId: chart.id, query: comparisonQuery(parameters, earlier) };
  return (
    <QueryView of={{ ...compared, error: compared.error && inOptionLabels(compared.error) }} what="the comparison">
      {(comparison) => <ComparedFigures comparison={comparison} measure={measure} scope={scope} />}
    </QueryView>
  );
}

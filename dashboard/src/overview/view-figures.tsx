// Saved views on the overview: the latest figure of each, and its course.
import { useQuery } from '../api/query';
import { mainMeasure } from '../charts/data/measures';
import { loadChart, type ChartDescription, type Parameters } from '../charts/data/query';
import { pointsOf } from '../charts/data/series';
import { viewPath } from '../charts/data/view-address';
import { Sparkline } from '../charts/sparkline';
import { useCharts } from '../charts/use-charts';
import { useViews, type View } from '../charts/use-views';
import { useProject } from '../context/project';
import { formatInUnit } from '../parts/format';
import { Link } from '../parts/link';

/** Each loads a chart. */
const MAX_SHOWN = 12;

export function ViewFigures() {
  const views = useViews().data?.items.filter(({ isOnOverview }) => isOnOverview) ?? [];
  return views.length === 0 ? null : <Figures views={views} />;
}

function Figures({ views }: { readonly views: readonly View[] }) {
  const charts = useCharts().data?.items ?? [];
  return (
    <section aria-label="Saved views">
      <ul class="overview-figures">
        {views.slice(0, MAX_SHOWN).map((view) => {
          const chart = charts.find(({ id }) => id === view.query['chartId']);
          return chart && <ViewFigure key={view.id} view={view} chart={chart} />;
        })}
      </ul>
    </section>
  );
}

function ViewFigure({ view, chart }: { readonly view: View; readonly chart: ChartDescription }) {
  const { base, project } = useProject();
  // Of all segments together: a card has one course.
  const {
    chartId: _id,
    segment: _segment,
    segmentLimit: _limit,
    previous: _then,
    measure: ranked,
    ...own
  } = view.query;
  const chosen = new URLSearchParams(view.pageQuery).get('measure') ?? ranked;
  const measure = chart.measures.find(({ id }) => id === chosen)?.id ?? mainMeasure(chart);
  const parameters = own as Parameters;
  const read = useQuery(`view-figure|${project.id}|${view.id}|${JSON.stringify(parameters)}`, (signal) =>
    loadChart(project.id, chart.id, parameters, signal),
  );
  const { data } = read;
  const unit = data?.measures.find(({ id }) => id === measure)?.unit ?? 'count';
  const points = pointsOf(data?.buckets ?? [], measure);
  return (
    <li class="card">
      <h2>
        <Link to={`${base}${viewPath(view)}`}>{view.name}</Link>
      </h2>
      <p class="figure">{data ? formatInUnit(points.at(-1)?.value, unit) : '…'}</p>
      <p class="change">{read.error ? read.error.message : chart.name}</p>
      <Sparkline points={points} label={`${view.name}: ${chart.name}`} />
      <p class="hint">{view.isShared ? 'Shared view' : 'Your view'}</p>
    </li>
  );
}

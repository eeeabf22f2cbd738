// Drawing of a chart with its summary, notes and legend.
import { query, setQuery } from '../../context/router';
import { timeZone } from '../../context/time-zone';
import { calendarDay, dateTime, formatInUnit, wordsOf } from '../../parts/format';
import { Select } from '../../parts/form';
import { Time } from '../../parts/time';
import { useAnnotations } from '../annotations';
import { previousNote } from '../data/previous';
import type { ChartData, ChartDescription } from '../data/query';
import { bucketName, movementOf, seriesOf, type Series } from '../data/series';
import { IncompleteLegend } from '../drawing/incomplete-legend';
import { SeriesChart } from '../drawing/series-chart';
import { CohortTable } from './cohort-table';
import type { ShownValue } from './shown-value';

/** Number of lines and bars that can be distinguished. */
const MAX_DRAWN = 8;

type Props = {
  readonly chart: ChartDescription;
  readonly data: ChartData;
  readonly measure: string;
  readonly onPick: (value: ShownValue) => void;
};

export function Figure({ chart, data, measure, onPick }: Props) {
  const form = formOf(chart, data);
  const isMovement = form === 'movement';
  const series = shownSeries(chart, data, measure);
  const drawn = series.length > MAX_DRAWN ? series.slice(0, MAX_DRAWN - 1) : series;
  const compared = previousNote(data);
  const annotations = useAnnotations().data?.items.filter(
    (one) => one.day >= data.startDate && one.day <= data.endDate,
  );
  return (
    <figure class="card" aria-labelledby="figure-title">
      <div class="figure-head">
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
      {compared !== null && <p class="note">{compared}</p>}
      {drawn.length < series.length && (
        <p class="note">
          The drawing shows the {drawn.length} largest of {series.length} segments; the table shows all of these.
        </p>
      )}
      {data.kind === 'cohort' ? (
        <CohortTable data={data} measure={measure} onPick={onPick} />
      ) : (
        <SeriesChart
          series={drawn}
          form={form}
          interval={data.interval}
          summary={summaryOf(data, series)}
          marks={annotations ?? []}
          onPick={
            data.segments || unitOfMeasure(data, measure) === 'percent'
              ? undefined
              : (bucket) => onPick({ bucket, measure, column: null, segment: null })
          }
        />
      )}
      <figcaption class="hint">
        {hasIncomplete(data, series) && <IncompleteLegend />}
        <span>
          As of <Time at={data.asOf} />
          {query.value.get('asOf') === null && query.value.get('replay') === null && ': now'}.{' '}
          {timeZone.value !== 'UTC' && 'Days, weeks and months are those of UTC. '}
          {data.replay && `Figures of the replay ${data.replay.name}. `}
        </span>
      </figcaption>
    </figure>
  );
}

/** Returns the lines or bars of the drawing. */
export function shownSeries(chart: ChartDescription, data: ChartData, measure: string): readonly Series[] {
  return formOf(chart, data) === 'movement' ? movementOf(chart, data) : seriesOf(data, measure);
}

/** One measure of a movement by segments is a line for each of them. */
function formOf({ drawing }: ChartDescription, { segments }: ChartData): ChartDescription['drawing'] {
  return drawing === 'movement' && segments ? 'lines' : drawing;
}

export function unitOfMeasure(data: ChartData, measure: string): string {
  return data.measures.find(({ id }) => id === measure)?.unit ?? data.unit;
}

function hasIncomplete({ rows = [] }: ChartData, series: readonly Series[]): boolean {
  return (
    rows.some(({ columns }) => columns.some((one) => one['incomplete'] === true)) ||
    series.some(({ points }) => points.some(({ isIncomplete }) => isIncomplete))
  );
}

function Notes({ data }: { readonly data: ChartData }) {
  const { ignoredFilters, unconverted, staleSince } = data;
  return (
    <>
      {staleSince !== undefined && (
        <p class="problem">
          Nothing recorded since {dateTime(staleSince)} is included in these figures: the charts have stopped updating.
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
  if (data.kind === 'cohort' || !first || data.segments)
    return `${data.name}, ${calendarDay(data.startDate)} to ${calendarDay(data.endDate)}`;
  const last = first.points.findLast(({ value }) => value !== null);
  if (!last) return `${data.name}: no figures in this period`;
  const where = data.interval === 'day' ? 'on' : data.interval === 'week' ? 'in the week of' : 'in';
  return `${first.name}: ${formatInUnit(last.value, first.unit)} ${where} ${bucketName(last.start, data.interval)}`;
}

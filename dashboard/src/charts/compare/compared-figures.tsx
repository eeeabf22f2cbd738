// Both sides of a comparison as drawings of one scale, the differences as bars, and the reasons of the chosen one.
import { query, setQuery } from '../../context/router';
import { formatInUnit, sentenceCase } from '../../parts/format';
import { type Point, type Series } from '../data/series';
import { extentOf, SeriesChart } from '../drawing/series-chart';
import { changesOf, type Change } from './changes';
import { Differences, ExplainedBy, sideName } from './differences';
import { Reasons, type ReasonScope } from './reasons';
import { PeriodCustomers } from './period-customers';
import { isOfPeriods, type Comparison } from './use-comparison';

type Props = { readonly comparison: Comparison; readonly measure: string; readonly scope: ReasonScope };
type Side = 'then' | 'now' | 'difference';

const DAY_MS = 86_400_000;
const SIDE_HEIGHT = 180;
const DIFFERENCE_HEIGHT = 160;

export function ComparedFigures({ comparison, measure, scope }: Props) {
  const own = comparison.measures.find(({ id }) => id === measure) ?? comparison.measures[0];
  if (!own) return null;
  // Drawings show the whole, the table each segment.
  const whole = comparison.total ? { ...comparison, ...comparison.total } : comparison;
  const changes = changesOf(whole, own);
  return (
    <>
      {comparison.kind === 'series' && (
        <SeriesSides comparison={whole} measure={own} changes={changes} scope={wholeScopeOf(scope)} />
      )}
      <section class="card" aria-labelledby="differences-title">
        <h2 id="differences-title">All differences</h2>
        <Differences comparison={comparison} measure={own.id} scope={scope} />
      </section>
    </>
  );
}

function SeriesSides({
  comparison,
  measure,
  changes,
  scope,
}: {
  readonly comparison: Comparison;
  readonly measure: Comparison['measures'][number];
  readonly changes: readonly Change[];
  readonly scope: ReasonScope;
}) {
  const sides = (['then', 'now'] as const).map((side) => ({ side, series: [seriesOfSide(comparison, measure, side)] }));
  const extent = extentOf(
    sides.flatMap(({ series }) => series),
    'lines',
  );
  // A period that had not begun on one side has no difference.
  const comparable = changes.filter(({ value }) => value.then !== null && value.now !== null);
  const chosen = chosenChange(comparable);
  return (
    <>
      <div class="pair">
        {sides.map(({ side, series }) => (
          <figure key={side} class="card" aria-labelledby={`side-${side}`}>
            <h2 id={`side-${side}`}>{titleOf(comparison, side)}</h2>
            <p class="figure">{chosen ? formatInUnit(chosen.value[side], measure.unit) : '–'}</p>
            <p class="hint">
              {measure.name}
              {chosen && `, ${chosen.place}`}
            </p>
            <SeriesChart
              series={series}
              form="lines"
              interval={comparison.interval}
              summary={`${measure.name} ${sideName(comparison, side)}.`}
              marks={[]}
              height={SIDE_HEIGHT}
              extent={extent}
            />
          </figure>
        ))}
      </div>
      <figure class="card" aria-labelledby="difference-title">
        <h2 id="difference-title">Difference</h2>
        {comparable.length === 0 ? (
          <p role="status">None: the periods that both sides have are the same.</p>
        ) : (
          <SeriesChart
            series={[seriesOfSide(comparison, measure, 'difference')]}
            form="movement"
            interval={comparison.interval}
            summary={`Differences of ${measure.name}.`}
            marks={[]}
            height={DIFFERENCE_HEIGHT}
            onPick={(bucket) => setQuery({ bucket })}
          />
        )}
      </figure>
      {chosen && isOfPeriods(comparison) && (
        <section class="card" aria-labelledby="who-title">
          <h2 id="who-title">
            {chosen.place}: {formatInUnit(chosen.value.difference, chosen.unit)}
          </h2>
          <PeriodCustomers change={chosen} comparison={comparison} scope={scope} />
        </section>
      )}
      {chosen && !isOfPeriods(comparison) && (
        <section class="card" aria-labelledby="why-title">
          <h2 id="why-title">
            Why {chosen.place} changed by {formatInUnit(chosen.value.difference, chosen.unit)}
          </h2>
          <ExplainedBy comparison={comparison} measure={measure.id} />
          <Reasons key={chosen.bucket} change={chosen} scope={scope} isWide />
        </section>
      )}
    </>
  );
}

function wholeScopeOf({
  query: { segment: _value, segmentLimit: _limit, ...whole },
  ...scope
}: ReasonScope): ReasonScope {
  return { ...scope, query: whole };
}

/** Returns the change in the URL, or the largest one that has reasons. */
function chosenChange(changes: readonly Change[]): Change | undefined {
  const bucket = query.value.get('bucket');
  const sizeOf = ({ value }: Change) => Math.abs(value.difference ?? 0);
  const explained = changes.filter(({ value }) => value.reasons !== undefined);
  const [largest] = (explained.length > 0 ? [...explained] : [...changes]).sort((a, b) => sizeOf(b) - sizeOf(a));
  return changes.find((one) => one.bucket === bucket) ?? largest;
}

function titleOf(comparison: Comparison, side: 'then' | 'now'): string {
  const { replay } = comparison[side];
  const name = sideName(comparison, side);
  return replay ? `Replay ${replay.name}` : sentenceCase(name);
}

function seriesOfSide(comparison: Comparison, { id, name, unit }: Comparison['measures'][number], side: Side): Series {
  const { buckets = [], then, now } = comparison;
  if (side === 'then' && isOfPeriods(comparison)) return { id, name, unit, points: pointsOfPeriod(comparison, id) };
  const points = buckets.map(({ start, end, thenStart, incomplete, values }): Point => {
    const at = start ?? thenStart ?? '';
    const value = values[id]?.[side] ?? null;
    // What was complete now may not have been on the first side.
    const isIncomplete = incomplete || (end !== null && end > (side === 'then' ? then : now).asOf);
    return { start: at, end: end ?? at, isIncomplete, value };
  });
  return { id, name, unit, points };
}

/** Returns the values of the other period at its own times. */
function pointsOfPeriod({ buckets = [], then }: Comparison, measure: string): readonly Point[] {
  const own = buckets.flatMap(({ thenStart, values }) => (thenStart ? [{ thenStart, values }] : []));
  const endOfPeriod = new Date(Date.parse(then.endDate) + DAY_MS).toISOString();
  return own.map(({ thenStart, values }, i) => {
    const end = own[i + 1]?.thenStart ?? endOfPeriod;
    return { start: thenStart, end, isIncomplete: end > then.asOf, value: values[measure]?.then ?? null };
  });
}

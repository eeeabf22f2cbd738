// Differences of a comparison as a table, with the reasons and the customers of each.
import { useState } from 'preact/hooks';
import { query, setQuery } from '../../context/router';
import { calendarDay, count, dateTime, formatInUnit, sentenceCase, wordsOf } from '../../parts/format';
import { changeText } from '../data/previous';
import { OTHER } from '../data/series';
import { changesBySegment, type Change } from './changes';
import { DifferenceBar } from './difference-bar';
import { Reasons, type ReasonScope } from './reasons';
import { PeriodCustomers } from './period-customers';
import { isOfPeriods, type Comparison } from './use-comparison';

const MAX_ROWS = 200;

type Props = { readonly comparison: Comparison; readonly measure: string; readonly scope: ReasonScope };

export function Differences({ comparison, measure, scope }: Props) {
  const [most, setMost] = useState(MAX_ROWS);
  const { name, kind, interval, measures, then, now } = comparison;
  const visibleMeasure = measures.find(({ id }) => id === measure) ?? measures[0];
  if (!visibleMeasure) return null;
  const changes = withFirst(changesBySegment(comparison, visibleMeasure), query.value.get('bucket'));
  const widest = Math.max(...changes.map(({ value }) => Math.abs(value.difference ?? 0)), 0);
  if (changes.length === 0) {
    return (
      <p role="status">
        Nothing: {name} {then.replay ? 'is' : 'was'} the same {sideName(comparison, 'then')}.
      </p>
    );
  }
  return (
    <>
      <ExplainedBy comparison={comparison} measure={visibleMeasure.id} />
      <div class="scroll">
        <table class="differences">
          <caption>
            {visibleMeasure.name} {sideName(comparison, 'then')} and {sideName(comparison, 'now')}
          </caption>
          <thead>
            <tr>
              <th scope="col">{kind === 'cohort' ? `Cohort, ${interval} of life` : sentenceCase(wordsOf(interval))}</th>
              <th scope="col" class="number">
                {then.replay?.name ?? 'Then'}
              </th>
              <th scope="col" class="number">
                {now.replay?.name ?? 'Now'}
              </th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col" class="number">
                Change
              </th>
              <th scope="col">{isOfPeriods(comparison) ? 'Customers' : 'Why'}</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, most).map((change) => (
              <tr key={change.place}>
                <th scope="row">{change.place}</th>
                <td class="number">{formatInUnit(change.value.then, change.unit)}</td>
                <td class="number">{formatInUnit(change.value.now, change.unit)}</td>
                <td class="number">
                  {formatInUnit(change.value.difference, change.unit)}
                  <DifferenceBar value={change.value.difference ?? 0} most={widest} />
                </td>
                <td class="number">{changeText(change.value.now, change.value.then, change.unit)}</td>
                <td>
                  {change.segment === OTHER ? null : isOfPeriods(comparison) ? (
                    <PeriodCustomers change={change} comparison={comparison} scope={scopeOf(change, scope)} />
                  ) : change.value.then === null ? (
                    <span class="hint">The period had not begun then.</span>
                  ) : (
                    <Reasons change={change} scope={scopeOf(change, scope)} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {changes.length > most && (
          <button type="button" onClick={() => setMost(most + MAX_ROWS)}>
            Show {Math.min(MAX_ROWS, changes.length - most)} earlier ones of {count(changes.length - most)}
          </button>
        )}
      </div>
    </>
  );
}

/** Moves the changes of the value that the user came from to the top. */
function withFirst(changes: readonly Change[], bucket: string | null): readonly Change[] {
  const isOfBucket = (change: Change) => change.bucket === bucket;
  return [...changes.filter(isOfBucket), ...changes.filter((change) => !isOfBucket(change))];
}

/** Limits the customers to the segment of the change. */
function scopeOf({ segment }: Change, scope: ReasonScope): ReasonScope {
  if (segment === undefined) return scope;
  const { filter = [], segment: dimension, ...rest } = scope.query;
  return { ...scope, query: { ...rest, filter: [...[filter].flat(), `${String(dimension)}:${segment}`] } };
}

/** Leads from a rate, which has no reasons, to the two measures that explain it. */
export function ExplainedBy({ comparison, measure }: Pick<Props, 'comparison' | 'measure'>) {
  const { explainedBy = [] } = comparison.measures.find(({ id }) => id === measure) ?? {};
  const explaining = comparison.measures.filter(({ id }) => explainedBy.includes(id));
  if (explaining.length === 0) return null;
  return (
    <p class="note row">
      <span>A rate has no reasons of its own. Two measures explain it:</span>
      {explaining.map(({ id, name }) => (
        <button key={id} type="button" onClick={() => setQuery({ measure: id })}>
          {name}
        </button>
      ))}
    </p>
  );
}

/** Returns `as of 20 Nov 2026, 10:00 UTC`, `in the replay half`, or `from 1 Nov 2026 to 30 Nov 2026`. */
export function sideName(comparison: Pick<Comparison, 'then' | 'now'>, side: 'then' | 'now'): string {
  const { asOf, replay, startDate, endDate } = comparison[side];
  if (replay) return `in the replay ${replay.name}`;
  return isOfPeriods(comparison)
    ? `from ${calendarDay(startDate)} to ${calendarDay(endDate)}`
    : `as of ${dateTime(asOf)}`;
}

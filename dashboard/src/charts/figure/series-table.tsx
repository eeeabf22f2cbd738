// Values of a chart as a table: the same as in the drawing, in an accessible form.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { useProject } from '../../context/project';
import { query } from '../../context/router';
import { calendarDay, count, formatInUnit, sentenceCase, wordsOf } from '../../parts/format';
import { changeText } from '../data/previous';
import { bucketName, OTHER, previousOf, type Series } from '../data/series';
import type { ChartData } from '../data/query';
import type { ShownValue } from './shown-value';

/** Maximum of rows that are rendered at once without blocking the page. */
const MAX_ROWS = 100;

type Props = {
  readonly data: ChartData;
  readonly series: readonly Series[];
  readonly measure: string;
  readonly onPick: (value: ShownValue) => void;
};

export function SeriesTable({ data, series, measure, onPick }: Props) {
  const { may } = useProject();
  const [most, setMost] = useState(MAX_ROWS);
  const isSegmented = data.segments !== undefined;
  const columns = isSegmented ? series : allMeasures(data);
  const counterparts = columns[0]?.before;
  const rows = [...(columns[0]?.points.entries() ?? [])].reverse();
  const opens = may('readCustomers') && query.value.get('replay') === null;
  const pick = (bucket: string, id: string) =>
    onPick(
      isSegmented
        ? { bucket, measure, column: null, segment: id }
        : { bucket, measure: id, column: null, segment: null },
    );
  return (
    <div class="scroll tall" role="group" aria-label="Figures" tabIndex={0}>
      <table>
        <caption>
          {data.name}, by {data.interval}, {calendarDay(data.startDate)} to {calendarDay(data.endDate)} (UTC days)
        </caption>
        <thead>
          <tr>
            <th scope="col">{sentenceCase(wordsOf(data.interval))}</th>
            {columns.map(({ id, name, before }) => (
              <Fragment key={id}>
                <th scope="col" class="number">
                  {name}
                </th>
                {before && (
                  <>
                    <th scope="col" class="number">
                      Before<span class="visually-hidden">: {name}</span>
                    </th>
                    <th scope="col" class="number">
                      Change<span class="visually-hidden"> of {name}</span>
                    </th>
                  </>
                )}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(([i, { start, isIncomplete }]) => (
            <tr key={start}>
              <th scope="row">
                {bucketName(start, data.interval)}
                {isIncomplete && <em class="hint"> incomplete</em>}
                {counterparts && <CounterpartName start={counterparts[i]?.start} interval={data.interval} />}
              </th>
              {columns.map(({ id, unit, points, before }) => {
                const value = points[i]?.value;
                const hasCustomers =
                  value !== null && value !== 0 && unit !== 'percent' && !(isSegmented && id === OTHER);
                return (
                  <Fragment key={id}>
                    <td class="number">
                      {opens && hasCustomers ? (
                        <button type="button" class="cell" onClick={() => pick(start, id)}>
                          {formatInUnit(value, unit)}
                          <span class="visually-hidden">: show the customers</span>
                        </button>
                      ) : (
                        formatInUnit(value, unit)
                      )}
                    </td>
                    {before && (
                      <>
                        <td class="number">{formatInUnit(before[i]?.value, unit)}</td>
                        <td class="number">{changeText(value, before[i]?.value, unit)}</td>
                      </>
                    )}
                  </Fragment>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <button type="button" onClick={() => setMost(most + MAX_ROWS)}>
          Show {Math.min(MAX_ROWS, rows.length - most)} earlier ones of {count(rows.length - most)}
        </button>
      )}
    </div>
  );
}

function allMeasures(data: ChartData): readonly Series[] {
  return data.measures.map((measure) => ({
    ...measure,
    points: (data.buckets ?? []).map(({ start, end, incomplete, values }) => {
      return { start, end, isIncomplete: incomplete, value: values[measure.id] ?? null };
    }),
    ...previousOf(data, measure.id),
  }));
}

function CounterpartName({ start, interval }: { readonly start: string | undefined; readonly interval: string }) {
  return <span class="hint"> {start === undefined ? '(no counterpart)' : `(${bucketName(start, interval)})`}</span>;
}

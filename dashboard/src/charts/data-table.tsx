// Values of a chart as a table: the same as in the drawing, in an accessible form.
import { useState } from 'preact/hooks';
import { useProject } from '../app/project';
import { query } from '../app/router';
import { count, day, formatInUnit, wordsOf } from '../parts/format';
import { bucketName, type Series } from './data/series';
import type { ChartData } from './data/query';

/** Maximum of rows that are rendered at once without blocking the page. */
const MAX_ROWS = 100;

export function SeriesTable({
  data,
  series,
  onPick,
}: {
  readonly data: ChartData;
  readonly series: readonly Series[];
  readonly onPick: (bucket: string, measure: string) => void;
}) {
  const { may } = useProject();
  const [most, setMost] = useState(MAX_ROWS);
  const shown = data.segments ? series : allMeasures(data);
  const rows = [...(shown[0]?.points.entries() ?? [])].reverse();
  const opens = may('readCustomers') && !data.segments && query.value.get('replay') === null;
  return (
    <div class="scroll" role="group" aria-label="Figures" tabIndex={0}>
      <table>
        <caption>
          {data.name}, by {data.interval}, {data.startDate} to {data.endDate} (UTC days)
        </caption>
        <thead>
          <tr>
            <th scope="col">{wordsOf(data.interval)}</th>
            {shown.map(({ id, name }) => (
              <th key={id} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(([i, { start, isIncomplete }]) => (
            <tr key={start}>
              <th scope="row">
                {bucketName(start, data.interval)}
                {isIncomplete && <em class="hint"> incomplete</em>}
              </th>
              {shown.map(({ id, unit, points }) => {
                const value = points[i]?.value;
                return (
                  <td key={id} class="number">
                    {opens && value !== null && value !== 0 && unit !== 'percent' ? (
                      <button type="button" class="as-link" onClick={() => onPick(start, id)}>
                        {formatInUnit(value, unit)}
                        <span class="visually-hidden">: the customers behind it</span>
                      </button>
                    ) : (
                      formatInUnit(value, unit)
                    )}
                  </td>
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
  }));
}

/** Renders one row per cohort and one column per period of its age; higher values have a deeper colour. */
export function CohortTable({ data, measure }: { readonly data: ChartData; readonly measure: string }) {
  const rows = data.rows ?? [];
  const unit = data.measures.find(({ id }) => id === measure)?.unit ?? data.unit;
  const most = Math.max(1, ...rows.flatMap(({ columns }) => columns.map((one) => Number(one[measure] ?? 0))));
  const width = Math.max(0, ...rows.map(({ columns }) => columns.length));
  return (
    <div class="scroll" role="group" aria-label="Figures" tabIndex={0}>
      <table class="cohorts">
        <caption>
          {data.name}: {wordsOf(measure)} by {data.interval} of life. Cells in italics are incomplete.
        </caption>
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" class="number">
              Size
            </th>
            {Array.from({ length: width }, (_, i) => (
              <th key={i} scope="col" class="number">
                {i}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ start, size, columns }) => (
            <tr key={start}>
              <th scope="row">{data.interval === 'day' ? day(start) : bucketName(start, data.interval)}</th>
              <td class="number">{count(size)}</td>
              {columns.map((one, i) => {
                const value = one[measure];
                const depth = Math.round((Math.max(0, Number(value ?? 0)) / most) * 8);
                const text = formatInUnit(typeof value === 'number' ? value : null, unit);
                return (
                  <td key={i} class={`number heat h${depth}`}>
                    {one['incomplete'] === true ? <i>{text}</i> : text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

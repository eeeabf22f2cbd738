// Cohorts as a table: one row per cohort and one column per period of its age. Higher values have a deeper colour; each leads to its customers.
import { useProject } from '../../context/project';
import { calendarDay, count, formatInUnit } from '../../parts/format';
import { query } from '../../context/router';
import { bucketName } from '../data/series';
import type { ChartData } from '../data/query';
import type { ShownValue } from './shown-value';

const DEPTHS = 8;

type Props = {
  readonly data: ChartData;
  readonly measure: string;
  readonly onPick: (value: ShownValue) => void;
};

export function CohortTable({ data, measure, onPick }: Props) {
  const { may } = useProject();
  const rows = data.rows ?? [];
  const { unit = data.unit } = data.measures.find(({ id }) => id === measure) ?? {};
  const most = Math.max(1, ...rows.flatMap(({ columns }) => columns.map((one) => Number(one[measure] ?? 0))));
  const width = Math.max(0, ...rows.map(({ columns }) => columns.length));
  const opens = may('readCustomers') && query.value.get('replay') === null;
  const pick = (bucket: string, column: number | null) => {
    // Rates have no customers of their own: those who were retained explain them.
    const own = measure === 'retention_rate' ? 'retained' : measure;
    onPick({ bucket, measure: column === null ? 'size' : own, column, segment: null });
  };
  return (
    <div class="scroll" role="group" aria-label="Figures" tabIndex={0}>
      <table class="cohorts">
        <caption>
          {data.name}, by {data.interval} of life
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
              <th scope="row">{data.interval === 'day' ? calendarDay(start) : bucketName(start, data.interval)}</th>
              <td class="number">
                <Cell text={count(size)} onOpen={opens && size > 0 ? () => pick(start, null) : null} />
              </td>
              {columns.map((one, i) => {
                const value = typeof one[measure] === 'number' ? one[measure] : null;
                const depth = Math.round((Math.max(0, value ?? 0) / most) * DEPTHS);
                const isIncomplete = one['incomplete'] === true;
                return (
                  <td key={i} class={`number heat h${depth}${isIncomplete ? ' incomplete' : ''}`}>
                    <Cell
                      text={formatInUnit(value, unit)}
                      note={isIncomplete ? 'not complete yet' : ''}
                      onOpen={opens && value !== null && value !== 0 ? () => pick(start, i) : null}
                    />
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

function Cell({
  text,
  note = '',
  onOpen,
}: {
  readonly text: string;
  readonly note?: string;
  readonly onOpen: (() => void) | null;
}) {
  const hidden = note !== '' && <span class="visually-hidden">, {note}</span>;
  if (!onOpen)
    return (
      <>
        {text}
        {hidden}
      </>
    );
  return (
    <button type="button" class="cell" onClick={onOpen}>
      {text}
      {hidden}
      <span class="visually-hidden">: show the customers</span>
    </button>
  );
}

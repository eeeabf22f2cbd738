// Choice of the period that the displayed one is compared with: the one before, the same a year earlier, or any first day.
import { useEffect, useId } from 'preact/hooks';
import { useQuery } from '../../api/query';
import { useProject } from '../../app/project';
import { query, setQuery } from '../../app/router';
import { day } from '../../parts/format';
import { loadChart, periodBefore, rangeOf, type ChartDescription, type Parameters } from '../data/query';

export function PeriodSides({
  chart,
  parameters,
}: {
  readonly chart: ChartDescription;
  readonly parameters: Parameters;
}) {
  const { project } = useProject();
  const id = useId();
  const chosen = query.value.get('thenStart') ?? '';
  // Only the service knows the days of a named period.
  const { data } = useQuery(`days|${project.id}|${chart.id}|${JSON.stringify(parameters)}`, (signal) =>
    loadChart(project.id, chart.id, parameters, signal),
  );
  const [previous] = (data && rangeOf(periodBefore(data))) ?? [];
  const yearEarlier = data && aYearBefore(data.startDate);
  const choose = (thenStart: string) => setQuery({ thenStart, bucket: null });
  useEffect(() => {
    if (chosen === '' && previous !== undefined) choose(previous);
  }, [chosen, previous]);
  return (
    <div class="row end">
      <p class="field">
        <label for={id}>Compared with the period from (UTC)</label>
        <input
          id={id}
          type="date"
          value={chosen}
          onChange={({ currentTarget: { value } }) => value !== '' && choose(value)}
        />
      </p>
      {previous !== undefined && (
        <button type="button" aria-pressed={chosen === previous} onClick={() => choose(previous)}>
          Previous period
        </button>
      )}
      {yearEarlier !== undefined && (
        <button type="button" aria-pressed={chosen === yearEarlier} onClick={() => choose(yearEarlier)}>
          A year earlier
        </button>
      )}
      {data && (
        <span class="hint">
          As long as {day(data.startDate)} to {day(data.endDate)}
        </span>
      )}
    </div>
  );
}

/** Returns the same day of the year before; 28 February for 29 February. */
function aYearBefore(date: string): string {
  const year = Number(date.slice(0, 4)) - 1;
  return `${year}${date.slice(4).replace('-02-29', '-02-28')}`;
}

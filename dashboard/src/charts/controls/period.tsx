// Choice of the period: a named one, or two days.
import { setQuery } from '../../app/router';
import { Select } from '../../parts/form';
import { sentenceCase, wordsOf } from '../../parts/format';
import { rangeOf } from '../data/query';

const PERIODS = [
  ...['last_7_days', 'last_28_days', 'last_90_days', 'last_12_months', 'last_24_months'],
  ...['this_month', 'last_month', 'this_year', 'all_time'],
];
const CUSTOM = 'own';
const CUSTOM_DAYS = 30;
const DAY_MS = 86_400_000;

export function PeriodChoice({ period }: { readonly period: string }) {
  const range = rangeOf(period);
  const set = (from: string, to: string) => from <= to && setQuery({ period: `${from}..${to}` });
  return (
    <>
      <Select
        label="Period"
        value={range ? CUSTOM : period}
        options={[...PERIODS.map((id) => [id, sentenceCase(wordsOf(id))] as const), [CUSTOM, 'Custom']]}
        onChange={({ currentTarget: { value } }) => setQuery({ period: value === CUSTOM ? customRange() : value })}
      />
      {range && (
        <>
          <p class="field">
            <label for="range-from">From</label>
            <input
              id="range-from"
              type="date"
              value={range[0]}
              onChange={({ currentTarget }) => set(currentTarget.value, range[1])}
            />
          </p>
          <p class="field">
            <label for="range-to">To</label>
            <input
              id="range-to"
              type="date"
              value={range[1]}
              onChange={({ currentTarget }) => set(range[0], currentTarget.value)}
            />
          </p>
        </>
      )}
    </>
  );
}

function customRange(): string {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return `${dayOf(CUSTOM_DAYS)}..${dayOf(0)}`;
}

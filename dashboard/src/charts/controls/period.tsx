// Choice of the period: a named one, or two days.
import { setQuery } from '../../context/router';
import { Select } from '../../parts/form';
import { sentenceCase, wordsOf } from '../../parts/format';
import { rangeOf } from '../data/query';
import { customRange, DayRange } from './day-range';

const PERIODS = [
  ...['last_7_days', 'last_28_days', 'last_90_days', 'last_12_months', 'last_24_months'],
  ...['this_month', 'last_month', 'this_year', 'all_time'],
];
const CUSTOM = 'own';

export function PeriodChoice({ period }: { readonly period: string }) {
  const range = rangeOf(period);
  return (
    <>
      <Select
        label="Period"
        value={range ? CUSTOM : period}
        options={[...PERIODS.map((id) => [id, sentenceCase(wordsOf(id))] as const), [CUSTOM, 'Custom']]}
        onChange={({ currentTarget: { value } }) => setQuery({ period: value === CUSTOM ? customRange() : value })}
      />
      {range && <DayRange id="range" name="period" range={range} onChange={(period) => setQuery({ period })} />}
    </>
  );
}

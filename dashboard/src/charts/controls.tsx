// Controls of a chart. They change the URL, which determines the request.
import { setQuery, query } from '../app/router';
import { nameOf, wordsOf } from '../parts/format';
import { Select } from '../parts/form';
import { Filters } from './filters';
import { ReplayChoice } from './replays';
import type { ChartDescription, Parameters } from './data/query';

const PERIODS = [
  ...['last_7_days', 'last_28_days', 'last_90_days', 'last_12_months'],
  ...['this_month', 'last_month', 'this_year', 'all_time'],
];
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'BRL', 'INR', 'SEK', 'MXN'];
const CUSTOM = 'own';

export function Controls({ chart, asked }: { readonly chart: ChartDescription; readonly asked: Parameters }) {
  const period = String(asked['period']);
  const range = RANGE.exec(period);
  const isMoney = chart.measures.some(({ unit }) => unit === 'usd');
  const choose =
    (name: string) =>
    ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
      setQuery({ [name]: currentTarget.value || null });
  return (
    <section class="card controls" aria-label="Options">
      <div class="row end">
        <Select
          label="Period"
          value={range ? CUSTOM : period}
          options={[...PERIODS.map((id) => [id, wordsOf(id)] as const), [CUSTOM, 'custom']]}
          onChange={({ currentTarget: { value } }) => setQuery({ period: value === CUSTOM ? customRange() : value })}
        />
        {range && <Range from={range[1] ?? ''} to={range[2] ?? ''} />}
        <Select
          label="Interval"
          value={String(asked['interval'])}
          options={chart.intervals.map((id) => [id, id] as const)}
          onChange={choose('interval')}
        />
        <Select
          label="Segment by"
          value={String(asked['segment'] ?? '')}
          options={[['', 'nothing'], ...chart.segments.map((id) => [id, nameOf(id)] as const)]}
          onChange={choose('segment')}
        />
        {isMoney && (
          <Select
            label="Currency"
            value={String(asked['currency'] ?? 'USD')}
            options={CURRENCIES.map((id) => [id, id] as const)}
            onChange={choose('currency')}
          />
        )}
        {Object.entries(chart.selectors).map(([name, selector]) => (
          <Selector key={name} name={name} selector={selector} value={String(asked[name] ?? selector.default)} />
        ))}
        <p class="field">
          <label for="chart-as-of">As of (UTC)</label>
          <input
            id="chart-as-of"
            type="datetime-local"
            value={String(asked['asOf'] ?? '').slice(0, 16)}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ asOf: value === '' ? null : new Date(`${value}:00Z`).toISOString() })
            }
          />
        </p>
        <ReplayChoice />
        <label class="check">
          <input
            type="checkbox"
            checked={query.value.get('before') === 'on'}
            onChange={({ currentTarget }) => setQuery({ before: currentTarget.checked ? 'on' : null })}
          />
          Period before
        </label>
      </div>
      <Filters dimensions={chart.filters} />
    </section>
  );
}

function Range({ from, to }: { readonly from: string; readonly to: string }) {
  const set = (start: string, end: string) => start <= end && setQuery({ period: `${start}..${end}` });
  return (
    <>
      <p class="field">
        <label for="range-from">From</label>
        <input id="range-from" type="date" value={from} onChange={({ currentTarget: t }) => set(t.value, to)} />
      </p>
      <p class="field">
        <label for="range-to">To</label>
        <input id="range-to" type="date" value={to} onChange={({ currentTarget: t }) => set(from, t.value)} />
      </p>
    </>
  );
}

function customRange(): string {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `${dayOf(30)}..${dayOf(0)}`;
}

type SelectorOf = ChartDescription['selectors'][string];

function Selector({
  name,
  selector,
  value,
}: {
  readonly name: string;
  readonly selector: SelectorOf;
  readonly value: string;
}) {
  const options = selector.values ?? suggestions[name] ?? [selector.default];
  const all = options.includes(value) ? options : [...options, value];
  return (
    <Select
      label={nameOf(name)}
      value={value}
      options={all.map((one) => [one, /^\d+$/.test(one) ? `${one} days` : wordsOf(one)] as const)}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  );
}

/** Suggested values of selectors that accept any number of days or any duration. */
const suggestions: Readonly<Record<string, readonly string[]>> = {
  conversionTimeframe: ['7', '14', '30', '60', '90', 'unbounded'],
  customerLifetime: ['7', '30', '90', '180', '365', 'unbounded'],
  productDuration: ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'],
};

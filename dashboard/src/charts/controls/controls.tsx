// Controls of a chart. They change the URL, which determines the request.
import { setQuery, query } from '../../context/router';
import { fieldOf, instantOf, timeZone } from '../../context/time-zone';
import { nameOf, sentenceCase, spanName, wordsOf } from '../../parts/format';
import { Select } from '../../parts/form';
import type { ChartDescription, Parameters } from '../data/query';
import { Filters } from './filters';
import { PREVIOUS_NAMES } from '../data/previous';
import { PeriodChoice } from './period';
import { PreviousChoice } from './previous-choice';
import { ReplayChoice } from './replays';
import { CURRENCIES } from './currencies';

export function Controls({ chart, parameters }: { readonly chart: ChartDescription; readonly parameters: Parameters }) {
  const isMoney = chart.measures.some(({ unit }) => unit === 'usd');
  const choose =
    (name: string) =>
    ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
      setQuery({ [name]: currentTarget.value || null });
  return (
    <section class="options controls" aria-label="Options">
      <PeriodChoice period={String(parameters['period'])} />
      <Select
        label="Interval"
        value={String(parameters['interval'])}
        options={chart.intervals.map((id) => [id, sentenceCase(id)] as const)}
        onChange={choose('interval')}
      />
      {chart.kind === 'series' && (
        <Select
          label="Segment by"
          value={String(parameters['segment'] ?? '')}
          options={[['', 'No segment'], ...chart.segments.map((id) => [id, nameOf(id)] as const)]}
          onChange={({ currentTarget }) => setQuery({ segment: currentTarget.value || null, value: null })}
        />
      )}
      {parameters['segment'] !== undefined && (
        <Select
          label="Segments"
          value={query.value.get('show') ?? ''}
          options={[
            ['', 'The 7 largest'],
            ['more', 'The 15 largest'],
            ['all', 'All'],
          ]}
          onChange={choose('show')}
        />
      )}
      {isMoney && (
        <Select
          label="Currency"
          value={String(parameters['currency'] ?? 'USD')}
          options={CURRENCIES.map((id) => [id, id] as const)}
          onChange={choose('currency')}
        />
      )}
      {Object.entries(chart.selectors).map(([name, selector]) => (
        <Selector key={name} name={name} selector={selector} value={String(parameters[name] ?? selector.default)} />
      ))}
      <p class="field">
        <label for="chart-as-of">As of ({timeZone})</label>
        <input
          id="chart-as-of"
          type="datetime-local"
          value={parameters['asOf'] === undefined ? '' : fieldOf(String(parameters['asOf']))}
          onChange={({ currentTarget: { value } }) => setQuery({ asOf: value === '' ? null : instantOf(value) })}
        />
      </p>
      <ReplayChoice />
      {chart.kind === 'series' && (
        <PreviousChoice choice={String(parameters['previous'] ?? '')} names={PREVIOUS_NAMES} />
      )}
      <Filters chart={chart} parameters={parameters} />
    </section>
  );
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
      options={all.map((one) => [one, optionName(one)] as const)}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  );
}

function optionName(value: string): string {
  return /^\d+$/.test(value) ? `${value} days` : sentenceCase(wordsOf(spanName(value)));
}

/** Suggested values of selectors that accept any number of days or any duration. */
const suggestions: Readonly<Record<string, readonly string[]>> = {
  conversionTimeframe: ['7', '14', '30', '60', '90', 'unbounded'],
  customerLifetime: ['7', '30', '90', '180', '365', 'unbounded'],
  productDuration: ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'],
};

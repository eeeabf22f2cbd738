// Filters by dimension, chosen from the values that occur. All dimensions must match; values of one dimension are alternatives.
import { useId, useState } from 'preact/hooks';
import { query, setQuery } from '../../context/router';
import { count, nameOf } from '../../parts/format';
import { Select } from '../../parts/form';
import { Popover } from '../../parts/popover';
import { QueryView } from '../../parts/states';
import type { ChartDescription, Parameters } from '../data/query';
import { segmentName } from '../data/segment-names';
import { useSegmentValues, type SegmentValue } from './segment-values';

type Props = { readonly chart: ChartDescription; readonly parameters: Parameters };

/** Shown first if no filter is set. */
const USUAL = 'country';
/** Number of values from which on the list can be searched. */
const SEARCHABLE = 5;

export function Filters({ chart, parameters }: Props) {
  const filters = readFilters();
  return (
    <>
      <Popover label="Filter" text="Filter" class="filter">
        {() => <FilterPanel chart={chart} parameters={parameters} />}
      </Popover>
      {[...filters].map(([dimension, values]) => (
        <ActiveFilter key={dimension} chart={chart} parameters={parameters} dimension={dimension} values={values} />
      ))}
    </>
  );
}

function FilterPanel({ chart, parameters }: Props) {
  const { filters: dimensions } = chart;
  const filters = readFilters();
  const [first] = filters.keys();
  const usual = dimensions.find((one) => one === USUAL) ?? dimensions[0] ?? '';
  const [dimension, setDimension] = useState<string>(first ?? usual);
  const values = useSegmentValues(chart.id, dimension, parameters);
  return (
    <>
      <Select
        label="Filter by"
        value={dimension}
        options={dimensions.map((id) => [id, nameOf(id)] as const)}
        onChange={({ currentTarget }) => setDimension(currentTarget.value)}
      />
      <QueryView of={values} what="the values">
        {(found) => (
          <Values key={dimension} dimension={dimension} found={found} chosen={filters.get(dimension) ?? []} />
        )}
      </QueryView>
      {(filters.get(dimension)?.length ?? 0) > 0 && (
        <button type="button" onClick={() => setFilter(dimension, [])}>
          Clear {nameOf(dimension).toLowerCase()}
        </button>
      )}
    </>
  );
}

function Values({
  dimension,
  found,
  chosen,
}: {
  readonly dimension: string;
  readonly found: readonly SegmentValue[];
  readonly chosen: readonly string[];
}) {
  const [search, setSearch] = useState('');
  const id = useId();
  const missing = chosen.filter((value) => !found.some((one) => one.value === value));
  const all = [
    ...found.map(({ value, name, count: n }) => ({ value, n, name: segmentName(dimension, value, name) })),
    ...missing.map((value) => ({ value, n: 0, name: segmentName(dimension, value, null) })),
  ];
  const term = search.trim().toLowerCase();
  const matching = all.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(term));
  const toggle = (value: string, isOn: boolean) =>
    setFilter(dimension, isOn ? [...chosen, value] : chosen.filter((one) => one !== value));
  if (all.length === 0) return <p class="hint">No values yet.</p>;
  return (
    <>
      {all.length >= SEARCHABLE && (
        <p class="field">
          <label for={id}>Search</label>
          <input
            id={id}
            type="search"
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </p>
      )}
      <ul class="values" aria-label={nameOf(dimension)}>
        {matching.map(({ value, name, n }) => (
          <li key={value}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
              />
              <span class="value-name">{name}</span> <span class="hint">{count(n)}</span>
            </label>
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p class="hint">No value contains “{search}”.</p>}
    </>
  );
}

function ActiveFilter({
  chart,
  parameters,
  dimension,
  values,
}: Props & { readonly dimension: string; readonly values: readonly string[] }) {
  const segmentValues = useSegmentValues(chart.id, dimension, parameters).data ?? [];
  const nameOfValue = (value: string) =>
    segmentName(dimension, value, segmentValues.find((one) => one.value === value)?.name ?? null);
  const [first = '', ...more] = values.map(nameOfValue);
  return (
    <span class="chip">
      {nameOf(dimension)}: {first}
      {more.length > 0 && ` + ${more.length}`}
      <button
        type="button"
        class="quiet"
        aria-label={`Remove the filter ${nameOf(dimension)}: ${values.map(nameOfValue).join(', ')}`}
        onClick={() => setFilter(dimension, [])}
      >
        ✕
      </button>
    </span>
  );
}

/** Returns the filters in the URL, by dimension. */
function readFilters(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const text of query.value.getAll('filter')) {
    const colon = text.indexOf(':');
    const dimension = text.slice(0, colon);
    const values = text.slice(colon + 1).split(',');
    found.set(
      dimension,
      [...(found.get(dimension) ?? []), ...values].filter((value) => value !== ''),
    );
  }
  return found;
}

function setFilter(dimension: string, values: readonly string[]): void {
  const next = new Map(readFilters()).set(dimension, values);
  setQuery({ filter: [...next].filter(([, all]) => all.length > 0).map(([id, all]) => `${id}:${all.join(',')}`) });
}

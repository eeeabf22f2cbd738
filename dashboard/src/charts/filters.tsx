// Filters by dimension. All dimensions must match; values of one dimension are alternatives.
import { useState } from 'preact/hooks';
import { query, setQuery } from '../app/router';
import { nameOf } from '../parts/format';

const EXAMPLES: Readonly<Record<string, string>> = {
  store: 'ios-store, android-store',
  country: 'US, DE',
  platform: 'ios',
  productDuration: 'P1M',
};

export function Filters({ dimensions }: { readonly dimensions: readonly string[] }) {
  const filters = query.value.getAll('filter');
  const [dimension, setDimension] = useState(dimensions[0] ?? '');
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = String(new FormData(form).get('values'))
      .split(',')
      .map((one) => one.trim());
    const given = values.filter((one) => one !== '').join(',');
    if (given === '') return;
    const others = filters.filter((one) => !one.startsWith(`${dimension}:`));
    setQuery({ filter: [...others, `${dimension}:${given}`] });
    form.reset();
  };
  return (
    <form class="row end filters" onSubmit={add}>
      <p class="field">
        <label for="filter-dimension">Filter</label>
        <select
          id="filter-dimension"
          value={dimension}
          onChange={({ currentTarget }) => setDimension(currentTarget.value)}
        >
          {dimensions.map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
      </p>
      <p class="field">
        <label for="filter-values">is one of</label>
        <input
          id="filter-values"
          name="values"
          placeholder={EXAMPLES[dimension] ?? 'values, with commas'}
          autocomplete="off"
        />
      </p>
      <button type="submit">Add filter</button>
      {filters.map((one) => (
        <button
          key={one}
          type="button"
          class="badge"
          aria-label={`Remove the filter ${one}`}
          onClick={() => setQuery({ filter: filters.filter((other) => other !== one) })}
        >
          {one.replace(':', ': ')} ✕
        </button>
      ))}
    </form>
  );
}

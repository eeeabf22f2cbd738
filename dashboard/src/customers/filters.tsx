// Filters of the customer list: the usual ones side by side, the others in a panel.
import { useProject } from '../context/project';
import { setQuery } from '../context/router';
import { fieldOf, instantOf } from '../context/time-zone';
import { listCountries } from '../names/countries';
import { productChoices } from '../names/product-choices';
import { STORE_NAMES } from '../names/stores';
import { Field, Select } from '../parts/form';
import { Popover } from '../parts/popover';
import { statusText } from '../parts/status-badge';
import { useEntitlements, useProducts } from '../setup/lists';
import { showList, type ListQuery } from './list-query';

const STATUSES = ['active', 'trial', 'grace_period', 'billing_retry', 'expired', 'transferred', 'never'];
const ANY = ['', 'Any'] as const;
const countries = listCountries();
/** Filters in the panel. */
const MORE = [
  ...['store', 'maxSpentUsd', 'createdAfter', 'createdBefore', 'lastSeenAfter', 'lastSeenBefore', 'attribute'],
];
const DAY_MS = 86_400_000;

type Props = { readonly list: ListQuery };

export function CustomerFilters({ list }: Props) {
  const { may } = useProject();
  const products = useProducts().data?.items ?? [];
  const entitlements = useEntitlements().data?.items ?? [];
  const more = MORE.filter((name) => list[name] !== undefined).length;
  const { environment: _environment, ...filters } = list;
  return (
    <>
      <Choice
        list={list}
        name="status"
        label="Status"
        options={STATUSES.map((one) => [one, statusText(one)] as const)}
      />
      <Choice list={list} name="country" label="Country" options={countries} />
      <Choice list={list} name="productId" label="Product" options={productChoices(products)} />
      <Choice
        list={list}
        name="entitlement"
        label="Access to"
        options={entitlements.map(({ lookupKey, displayName }) => [lookupKey, displayName] as const)}
      />
      {may('readCharts') && <Amount list={list} name="minSpentUsd" label="Spent at least, USD" />}
      <Popover label={more === 0 ? 'More filters' : `More filters (${more})`} text="More filters" class="to-end">
        {() => <MoreFilters list={list} />}
      </Popover>
      {Object.keys(filters).length > 0 && (
        <button type="button" class="quiet" onClick={() => showList({})}>
          Clear
        </button>
      )}
    </>
  );
}

function MoreFilters({ list }: Props) {
  const { may } = useProject();
  const seesPersonal = may('changeSubscriber');
  return (
    <>
      <Choice list={list} name="store" label="Store" options={Object.entries(STORE_NAMES)} />
      {may('readCharts') && <Amount list={list} name="maxSpentUsd" label="Spent at most, USD" />}
      <Day list={list} name="createdAfter" label="First seen from" />
      <Day list={list} name="createdBefore" label="First seen until" isEnd />
      <Day list={list} name="lastSeenAfter" label="Last seen from" />
      <Day list={list} name="lastSeenBefore" label="Last seen until" isEnd />
      {seesPersonal && (
        <Text
          list={list}
          name="attribute"
          label="Attribute"
          hint="name:value, or the name alone for any value"
          placeholder="plan:gold"
        />
      )}
    </>
  );
}

type FilterProps = Props & { readonly name: string; readonly label: string };

function valueOf(list: ListQuery, name: string): string {
  return String([list[name] ?? ''].flat()[0]);
}

function Choice({
  list,
  name,
  label,
  options,
}: FilterProps & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  return (
    <Select
      label={label}
      value={valueOf(list, name)}
      options={[ANY, ...options]}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value || null })}
    />
  );
}

/** The key renews the field when the URL changes otherwise. */
function Amount({ list, name, label }: FilterProps) {
  const value = valueOf(list, name);
  return (
    <Field
      key={value}
      label={label}
      type="number"
      step="0.01"
      inputMode="decimal"
      class="short"
      defaultValue={value}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value || null })}
    />
  );
}

function Text({ list, name, label, ...input }: FilterProps & { readonly hint: string; readonly placeholder: string }) {
  const value = valueOf(list, name);
  return (
    <Field
      key={value}
      label={label}
      {...input}
      autocomplete="off"
      defaultValue={value}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value.trim() || null })}
    />
  );
}

/** Days are in the zone of the project and inclusive; the API's end is exclusive. */
function Day({ list, name, label, isEnd = false }: FilterProps & { readonly isEnd?: boolean }) {
  const at = valueOf(list, name);
  const shift = isEnd ? 1 : 0;
  const value = Number.isNaN(Date.parse(at)) ? '' : addDays(fieldOf(at).slice(0, 10), -shift);
  return (
    <Field
      key={value}
      label={label}
      type="date"
      defaultValue={value}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value;
        setQuery({ [name]: chosen === '' ? null : instantOf(addDays(chosen, shift)) });
      }}
    />
  );
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

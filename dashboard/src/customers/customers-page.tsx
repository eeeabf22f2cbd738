// Customers of a project as a list to work with: search, filters, count, order, columns, table and segments. The URL contains all of it.
import type { ComponentChildren } from 'preact';
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { environment, query, setQuery } from '../context/router';
import { count, money } from '../parts/format';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { Empty } from '../parts/states';
import { CustomerFilters } from './filters';
import { ColumnChoice, ListCsvButton, Segments } from './list-actions';
import { ChartValueNote } from './chart-value';
import { filtersOf, hasOwnOrder, readListQuery, sortOf, toggleSort, type ListQuery, type Sort } from './list-query';
import { shownStatusOf } from './shown-status';
import { Time } from '../parts/time';
import '../styles/customers.css';
import '../styles/stacked.css';

type Customer = Schemas['Customer'];

type ShownColumn = {
  readonly id: string;
  readonly name: string;
  readonly sort?: Sort;
  readonly isNumber?: true;
  readonly isUsual: boolean;
  readonly cell: (customer: Customer) => ComponentChildren;
};

const COLUMNS: readonly ShownColumn[] = [
  { id: 'status', name: 'Status', isUsual: true, cell: (customer) => <Status of={customer} /> },
  {
    id: 'access',
    name: 'Access to',
    isUsual: true,
    cell: ({ activeEntitlements }) => activeEntitlements.join(', ') || '–',
  },
  { id: 'country', name: 'Country', isUsual: true, cell: ({ country }) => country ?? '–' },
  { id: 'platform', name: 'Platform', isUsual: false, cell: ({ platform }) => platform ?? '–' },
  {
    ...{ id: 'firstSeen', name: 'First seen', sort: 'firstSeenAt', isUsual: true },
    cell: ({ firstSeenAt }) => <Time at={firstSeenAt} />,
  },
  {
    ...{ id: 'lastSeen', name: 'Last seen', sort: 'lastSeenAt', isUsual: false },
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
];
const SPENT: ShownColumn = {
  ...{ id: 'spent', name: 'Spent', sort: 'totalSpentUsd', isNumber: true, isUsual: true },
  cell: ({ totalSpentUsd }) => totalSpentUsd !== undefined && money(totalSpentUsd),
};
const PAGE = 50;

export default function CustomersPage() {
  const { project, may } = useProject();
  const list = readListQuery();
  const all = may('readCharts') ? [...COLUMNS, SPENT] : COLUMNS;
  const chosen = query.value.get('columns')?.split(',');
  const { sort } = sortOf(list);
  // The column of the order is always shown.
  const columns = all.filter((one) => (chosen ? chosen.includes(one.id) : one.isUsual) || one.sort === sort);
  const search = (data: FormData) =>
    setQuery({ search: String(data.get('search') ?? '').trim() || null, chartValue: null });
  const text = String(list['search'] ?? '');
  return (
    <>
      <h1>Customers</h1>
      <div class="card controls row end customer-filters">
        <form
          class="row end"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            search(new FormData(event.currentTarget));
          }}
        >
          <p class="field">
            <label for="customer-search">Full ID or email, or the beginning of an app user ID</label>
            <input key={text} id="customer-search" name="search" type="search" defaultValue={text} />
          </p>
          <button type="submit">Search</button>
        </form>
        <CustomerFilters list={list} />
      </div>
      {typeof list['chartValue'] === 'string' && <ChartValueNote value={list['chartValue']} />}
      <div class="row controls list-actions">
        <CustomerCount list={list} />
        <ListCsvButton list={list} />
        <Segments list={list} />
        <ColumnChoice columns={all} shown={new Set(columns.map(({ id }) => id))} />
      </div>
      <div class="customers stacked">
        <PagedTable
          what="customers"
          caption={captionOf(list)}
          columns={[{ name: 'Customer' }, ...columns.map((one) => headOf(one, list))]}
          of={`customers|${project.id}|${JSON.stringify(list)}`}
          load={(page, signal) => {
            const params = { path: { id: project.id }, query: { limit: PAGE, ...list, ...page } };
            return unwrap(api.GET('/v1/projects/{id}/customers', { params, signal }));
          }}
          row={(customer) => <Row key={customer.id} customer={customer} columns={columns} />}
          empty={
            <Empty title="No customers found.">
              <p>Customers appear with their first purchase, or when an app identifies them.</p>
            </Empty>
          }
        />
      </div>
    </>
  );
}

/** A search has an order of its own. */
function headOf({ name, isNumber, sort: by }: ShownColumn, list: ListQuery): Column {
  const { sort, isAscending } = sortOf(list);
  const number = isNumber && { isNumber };
  if (by === undefined || hasOwnOrder(list)) return { name, ...number };
  const direction = by === sort ? (isAscending ? 'ascending' : 'descending') : 'none';
  return { name, ...number, sort: { direction, toggle: () => toggleSort(list, by) } };
}

function CustomerCount({ list }: { readonly list: ListQuery }) {
  const { project } = useProject();
  const filters = filtersOf(list);
  const { data } = useQuery(`customer-count|${project.id}|${JSON.stringify(filters)}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/customer-count', { params: { path: { id: project.id }, query: filters }, signal }),
    ),
  );
  return (
    <p class="hint grow" role="status">
      {data && countText(data)}
    </p>
  );
}

/** A long list is counted in part, and says so. */
export function countText({ count: found, complete, examined }: Schemas['CustomerCount']): string {
  const noun = found === 1 ? 'customer' : 'customers';
  if (complete) return `${count(found)} ${noun}`;
  if (found === examined) return `More than ${count(found)} customers`;
  return `${count(found)} ${noun} among the first ${count(examined)} that were looked at; the CSV has all`;
}

/** A search lists app user IDs that begin with the text in the order of the IDs. */
function captionOf(list: ListQuery): string {
  const { sort, isAscending } = sortOf(list);
  const orders = {
    firstSeenAt: isAscending ? 'Oldest first' : 'Newest first',
    lastSeenAt: isAscending ? 'Longest unseen first' : 'Last seen first',
    totalSpentUsd: isAscending ? 'Lowest spent first' : 'Highest spent first',
  };
  const ownOrder = list['search'] === undefined ? 'By customer ID' : 'By app user ID';
  const order = hasOwnOrder(list) ? ownOrder : orders[sort];
  return environment.value === 'sandbox' ? `${order}, with sandbox purchases` : order;
}

function Status({ of }: { readonly of: Customer }) {
  const badge = shownStatusOf(of);
  return <span class={`badge ${badge.tone}`}>{badge.text}</span>;
}

function Row({ customer, columns }: { readonly customer: Customer; readonly columns: readonly ShownColumn[] }) {
  const { base } = useProject();
  const { id, appUserId } = customer;
  return (
    <tr>
      <th scope="row">
        <Link to={`${base}/customers/${id}`}>{appUserId}</Link>
      </th>
      {columns.map((one) => (
        <td key={one.id} class={one.isNumber && 'number'}>
          {one.cell(customer)}
        </td>
      ))}
    </tr>
  );
}

// Customers of a project, with search and filters. The URL contains both.
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { environment, query, setQuery } from '../context/router';
import { money } from '../parts/format';
import { Select } from '../parts/form';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { Empty } from '../parts/states';
import { statusText } from '../parts/status-badge';
import { shownStatusOf } from './shown-status';
import { Time } from '../parts/time';
import '../styles/customers.css';
import '../styles/stacked.css';

type Customer = Schemas['Customer'];

const STATUSES = ['active', 'trial', 'grace_period', 'billing_retry', 'expired', 'transferred', 'never'];
const COLUMNS: readonly Column[] = [
  { name: 'Customer' },
  { name: 'Status' },
  { name: 'Access to' },
  { name: 'Country' },
  { name: 'First seen' },
];
const SPENT: Column = { name: 'Spent', isNumber: true };
const PAGE = 50;

export default function CustomersPage() {
  const { project, may } = useProject();
  const showsMoney = may('readCharts');
  const pageQuery: Readonly<Record<string, string>> = Object.fromEntries(
    [...query.value].filter(([name]) => name !== 'environment'),
  );
  const sandbox: Readonly<Record<string, string>> = environment.value === 'sandbox' ? { environment: 'sandbox' } : {};
  const search = (data: FormData) => setQuery({ search: String(data.get('search') ?? '').trim() || null });
  return (
    <>
      <h1>Customers</h1>
      <div class="card controls row end">
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
            <input id="customer-search" name="search" type="search" defaultValue={pageQuery['search'] ?? ''} />
          </p>
          <button type="submit">Search</button>
        </form>
        <Select
          label="Status"
          value={pageQuery['status'] ?? ''}
          options={[['', 'Any'], ...STATUSES.map((status) => [status, statusText(status)] as const)]}
          onChange={({ currentTarget }) => setQuery({ status: currentTarget.value || null })}
        />
      </div>
      <div class="customers stacked">
        <PagedTable
          what="customers"
          caption={captionOf(pageQuery)}
          columns={showsMoney ? [...COLUMNS, SPENT] : COLUMNS}
          of={`customers|${project.id}|${JSON.stringify([pageQuery, sandbox])}`}
          load={(page, signal) => {
            const params = { path: { id: project.id }, query: { limit: PAGE, ...pageQuery, ...sandbox, ...page } };
            return unwrap(api.GET('/v1/projects/{id}/customers', { params, signal }));
          }}
          row={(customer) => <Row key={customer.id} customer={customer} />}
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

/** A search lists app user IDs that begin with the text in the order of the IDs. */
function captionOf({ search }: Readonly<Record<string, string>>): string {
  const order = search === undefined ? 'Newest first' : 'By app user ID';
  return environment.value === 'sandbox' ? `${order}, with sandbox purchases` : order;
}

function Row({ customer }: { readonly customer: Customer }) {
  const { base } = useProject();
  const { id, appUserId, activeEntitlements, country, firstSeenAt, totalSpentUsd } = customer;
  const badge = shownStatusOf(customer);
  return (
    <tr>
      <th scope="row">
        <Link to={`${base}/customers/${id}`}>{appUserId}</Link>
      </th>
      <td>
        <span class={`badge ${badge.tone}`}>{badge.text}</span>
      </td>
      <td>{activeEntitlements.join(', ') || '–'}</td>
      <td>{country ?? '–'}</td>
      <td>
        <Time at={firstSeenAt} />
      </td>
      {totalSpentUsd !== undefined && <td class="number">{money(totalSpentUsd)}</td>}
    </tr>
  );
}

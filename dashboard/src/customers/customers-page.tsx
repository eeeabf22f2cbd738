// The customers of a project, found by what they sent or narrowed by what they have; the address holds what was asked.
import { useState } from 'preact/hooks';
import { api, ask, nextPageOf, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { environment, query, setQuery } from '../app/router';
import { money, words } from '../parts/format';
import { Select } from '../parts/form';
import { Link } from '../parts/link';
import { Empty, Shown } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';

type Customer = Schemas['Customer'];
type Asked = Readonly<Record<string, string>>;

const STATUSES = ['active', 'trial', 'grace_period', 'billing_retry', 'expired', 'transferred', 'never'];
const PAGE = 50;

export default function CustomersPage() {
  const { project } = useProject();
  const asked: Asked = Object.fromEntries([...query.value].filter(([name]) => name !== 'environment'));
  const sandbox: Asked = environment.value === 'sandbox' ? { environment: 'sandbox' } : {};
  const [more, setMore] = useState<readonly Asked[]>([]);
  const search = (data: FormData) => setQuery({ search: String(data.get('search') ?? '').trim() || null });
  const key = JSON.stringify([project.id, asked, sandbox]);
  return (
    <>
      <h1>Customers</h1>
      <div class="card controls row end">
        <form
          class="row end"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            setMore([]);
            search(new FormData(event.currentTarget));
          }}
        >
          <p class="field">
            <label for="customer-search">Whole id or email, or the beginning of an app user id</label>
            <input id="customer-search" name="search" type="search" defaultValue={asked['search'] ?? ''} />
          </p>
          <button type="submit">Search</button>
        </form>
        <Select
          label="Status"
          value={asked['status'] ?? ''}
          options={[['', 'Any'], ...STATUSES.map((status) => [status, words(status)] as const)]}
          onChange={({ currentTarget }) => setQuery({ status: currentTarget.value || null })}
        />
      </div>
      <div class="scroll">
        <table>
          <caption>Newest first{environment.value === 'sandbox' && ', with sandbox purchases'}</caption>
          <thead>
            <tr>
              <th scope="col">App user id</th>
              <th scope="col">Status</th>
              <th scope="col">Access to</th>
              <th scope="col">Country</th>
              <th scope="col">First seen</th>
              <th scope="col" class="number">
                Spent
              </th>
            </tr>
          </thead>
          {[{}, ...more].map((page) => (
            <Rows
              key={`${key}${JSON.stringify(page)}`}
              asked={{ ...asked, ...sandbox, ...page }}
              onMore={(next) => setMore([...more, next])}
              isLast={page === more.at(-1) || more.length === 0}
            />
          ))}
        </table>
      </div>
    </>
  );
}

function Rows({
  asked,
  onMore,
  isLast,
}: {
  readonly asked: Asked;
  readonly onMore: (next: Asked) => void;
  readonly isLast: boolean;
}) {
  const { project } = useProject();
  const params = { path: { id: project.id }, query: { limit: PAGE, ...asked } };
  const listed = useQuery(`customers|${project.id}|${JSON.stringify(asked)}`, (signal) =>
    ask(api.GET('/v1/projects/{id}/customers', { params, signal })),
  );
  const next = nextPageOf(listed.data?.nextPage ?? null);
  const isNone = listed.data?.items.length === 0 && next === null && asked['startingAfter'] === undefined;
  return (
    <tbody>
      {listed.data?.items.map((customer) => (
        <Row key={customer.id} customer={customer} />
      ))}
      {(!listed.data || listed.error || isNone || (isLast && next)) && (
        <tr>
          <td colSpan={6}>
            <Shown of={listed} what="customers">
              {() =>
                isNone ? (
                  <Empty title="No customer fits.">
                    <p>Customers appear with their first purchase, or when an app names them.</p>
                  </Empty>
                ) : (
                  <button type="button" onClick={() => next && onMore(next)}>
                    Show more
                  </button>
                )
              }
            </Shown>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Row({ customer }: { readonly customer: Customer }) {
  const { base } = useProject();
  const { id, appUserId, status, activeEntitlements, country, firstSeenAt, totalSpentUsd } = customer;
  return (
    <tr>
      <th scope="row">
        <Link to={`${base}/customers/${id}`}>{appUserId}</Link>
      </th>
      <td>
        <StatusBadge status={status} />
      </td>
      <td>{activeEntitlements.join(', ') || '–'}</td>
      <td>{country ?? '–'}</td>
      <td>
        <Time at={firstSeenAt} />
      </td>
      <td class="number">{totalSpentUsd === undefined ? '' : money(totalSpentUsd)}</td>
    </tr>
  );
}

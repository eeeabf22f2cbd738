// Store notifications with their results, newest first. The URL contains the filters.
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { notificationWords, outcomeText } from '../names/notifications';
import { storeName, withStoreNames } from '../names/stores';
import { wordsOf } from '../parts/format';
import { Select } from '../parts/form';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { Empty } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { useApps } from '../setup/lists';
import '../styles/notifications.css';
import '../styles/stacked.css';

const STATES = ['handled', 'ignored', 'refused', 'parked', 'waiting'] as const;
const COLUMNS: readonly Column[] = [
  { name: 'Kind' },
  { name: 'State' },
  { name: 'Result' },
  { name: 'App' },
  { name: 'Received' },
  { name: 'Customer' },
];
const PAGE = 50;

export default function NotificationsPage() {
  const { project, base } = useProject();
  const apps = useApps().data?.items ?? [];
  const state = STATES.find((one) => one === query.value.get('state'));
  const appId = query.value.get('appId');
  const narrowed = { ...(state && { state }), ...(appId !== null && { appId }) };
  return (
    <>
      <h1>Notifications</h1>
      <div class="card controls row end">
        <Select
          label="App"
          value={appId ?? ''}
          options={[['', 'any'], ...apps.map(({ id, name, store }) => [id, `${name} (${storeName(store)})`] as const)]}
          onChange={({ currentTarget }) => setQuery({ appId: currentTarget.value || null })}
        />
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'any'], ...STATES.map((one) => [one, wordsOf(one)] as const)]}
          onChange={({ currentTarget }) => setQuery({ state: currentTarget.value || null })}
        />
      </div>
      <div class="notifications stacked">
        <PagedTable
          what="notifications"
          caption="Newest first"
          columns={COLUMNS}
          of={`notifications|${project.id}|${JSON.stringify(narrowed)}`}
          load={(page, signal) => {
            const params = { path: { id: project.id }, query: { limit: PAGE, ...narrowed, ...page } };
            return unwrap(api.GET('/v1/projects/{id}/notifications', { params, signal }));
          }}
          row={({ id, type, state: reached, outcome, reason, appId: of, receivedAt, customerId }) => (
            <tr key={id}>
              <th scope="row">
                <Link to={`${base}/notifications/${id}`}>{notificationWords(type)}</Link>
              </th>
              <td>
                <StatusBadge status={reached} />
              </td>
              <td>{reason === null ? outcomeText(outcome) : withStoreNames(reason)}</td>
              <td>{apps.find(({ id: one }) => one === of)?.name ?? of}</td>
              <td>
                <Time at={receivedAt} />
              </td>
              <td>{customerId ? <Link to={`${base}/customers/${customerId}`}>Customer</Link> : '–'}</td>
            </tr>
          )}
          empty={
            <Empty title={state || appId ? 'No notifications found.' : 'No notifications yet.'}>
              <p>
                {state || appId ? (
                  'Choose another app or state.'
                ) : (
                  <>
                    Enter the notification address of each app in its store’s console; the{' '}
                    <Link to={`${base}/setup`}>setup page</Link> shows it.
                  </>
                )}
              </p>
            </Empty>
          }
        />
      </div>
    </>
  );
}

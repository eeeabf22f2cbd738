// One store notification: its decoded content, its result, and a retry.
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import type { PageProps } from '../context/router';
import { useProject } from '../context/project';
import { notificationWords, outcomeText } from '../names/notifications';
import { useProductNames } from '../names/products';
import { storeName, withStoreNames } from '../names/stores';
import { wordsOf } from '../parts/format';
import { Form } from '../parts/form';
import { Link } from '../parts/link';
import { RawText } from '../parts/raw-text';
import { QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';

type Notification = Schemas['NotificationDetail'];

export default function NotificationPage({ params: { nid = '' } }: PageProps) {
  const { project, base, may } = useProject();
  const params = { path: { id: project.id, nid } };
  const read = useQuery(`notification|${project.id}|${nid}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/notifications/{nid}', { params, signal })),
  );
  const retry = async () => {
    const { state } = await unwrap(api.POST('/v1/projects/{id}/notifications/{nid}/retry', { params, body: {} }));
    invalidate();
    toast(`Processed again: ${wordsOf(state)}.`);
  };
  return (
    <>
      <p>
        <Link to={`${base}/notifications`}>All notifications</Link>
      </p>
      <h1>{read.data ? notificationWords(read.data.type) : 'Notification'}</h1>
      <QueryView of={read} what="the notification">
        {(notification) => (
          <>
            <section class="card" aria-label="Result">
              <Result notification={notification} />
              {may('support') && (
                <Form label="Process again" submit={retry} isPlain class="controls">
                  {null}
                </Form>
              )}
            </section>
            <Events notification={notification} />
            <NotificationContent notification={notification} />
          </>
        )}
      </QueryView>
    </>
  );
}

function Result({ notification }: { readonly notification: Notification }) {
  const { base } = useProject();
  const { id, store, type, state, outcome, reason, error, customerId, receivedAt, signedAt, finishedAt } = notification;
  const { nextAttemptAt, waitsForCredentials, revocationChecked } = notification;
  return (
    <>
      <p>
        <StatusBadge status={state} /> {reason === null ? outcomeText(outcome) : withStoreNames(reason)}
      </p>
      {error && <p class="problem">{error}</p>}
      {waitsForCredentials && (
        <p class="note">
          Waiting for the app’s store credentials. Enter them on the <Link to={`${base}/setup`}>setup page</Link>.
        </p>
      )}
      <dl>
        <dt>Customer</dt>
        <dd>{customerId ? <Link to={`${base}/customers/${customerId}`}>Show customer</Link> : 'none'}</dd>
        <dt>Sent by</dt>
        <dd>{storeName(store)}</dd>
        <dt>Signed by the store</dt>
        <dd>
          <Time at={signedAt} />
        </dd>
        <dt>Received</dt>
        <dd>
          <Time at={receivedAt} />
        </dd>
        <dt>Processed</dt>
        <dd>{finishedAt ? <Time at={finishedAt} /> : 'not yet'}</dd>
        {revocationChecked !== null && (
          <>
            <dt>Certificates</dt>
            <dd>
              {revocationChecked ? 'confirmed valid by the store’s OCSP responder' : 'not checked for revocation'}
            </dd>
          </>
        )}
        {nextAttemptAt !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={nextAttemptAt} isAgo />
            </dd>
          </>
        )}
        <dt>The store’s type</dt>
        <dd class="code">{type}</dd>
        <dt>ID</dt>
        <dd class="code">{id}</dd>
      </dl>
    </>
  );
}

function Events({ notification: { events } }: { readonly notification: Notification }) {
  const { reword } = useProductNames();
  if (events.length === 0) return null;
  return (
    <section class="card" aria-labelledby="events-title">
      <h2 id="events-title">Resulting events</h2>
      <ul>
        {events.map(({ id, summary, at }) => (
          <li key={id}>
            {reword(summary)}{' '}
            <span class="hint">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NotificationContent({ notification: { words, rawBody } }: { readonly notification: Notification }) {
  return (
    <section class="card" aria-labelledby="said-title">
      <h2 id="said-title">Decoded content</h2>
      {words === undefined && rawBody === undefined && (
        <p>Contains personal fields and amounts that your role cannot see.</p>
      )}
      {words && <RawText title="Decoded" text={JSON.stringify(words, null, 2)} isOpen />}
      {rawBody !== undefined && <RawText title="Raw body" text={rawBody} />}
    </section>
  );
}

// One webhook: its state, and all deliveries. The URL contains the selected delivery.
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { query, setQuery, type PageProps } from '../context/router';
import { wordsOf } from '../parts/format';
import { Select } from '../parts/form';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { Empty, QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { DeliveryDetail } from './delivery-detail';
import '../styles/stacked.css';
import '../styles/webhooks.css';
import { KINDS } from './kinds';
import { LastProblem, lastAnswer } from './last-answer';
import { useWebhooks } from './use-webhooks';
import { WebhookActions } from './webhook-actions';
import { WebhookState } from './webhook-state';

const STATES = ['pending', 'delivered', 'failed', 'held'] as const;
const COLUMNS: readonly Column[] = [
  { name: 'Event' },
  { name: 'State' },
  { name: 'Customer' },
  { name: 'Created' },
  { name: 'Last answer' },
  { name: 'Attempts', isNumber: true },
];
const PAGE = 50;

export default function WebhookPage({ params: { wid = '' } }: PageProps) {
  const { base, may } = useProject();
  const webhooks = useWebhooks();
  const webhook = webhooks.data?.find((one) => one.webhook.id === wid)?.webhook;
  const delivery = query.value.get('delivery');
  return (
    <>
      <p>
        <Link to={`${base}/webhooks`}>All webhooks</Link>
      </p>
      <QueryView of={webhooks} what="the webhook">
        {(all) => {
          const found = all.find(({ webhook }) => webhook.id === wid);
          if (!found) return <h1>Webhook not found</h1>;
          const { name, url, eventTypes, environment, ordered } = found.webhook;
          return (
            <>
              <h1>{name ?? url}</h1>
              <section class="card" aria-label="The webhook">
                <p>
                  <WebhookState {...found} />
                </p>
                <dl>
                  <dt>Address</dt>
                  <dd class="code">{url}</dd>
                  <dt>Sent</dt>
                  <dd>
                    {eventTypes === null ? 'all kinds of events' : eventTypes.join(', ')},{' '}
                    {environment === null ? 'production and sandbox' : `${environment} only`}
                  </dd>
                  <dt>Order</dt>
                  <dd>
                    {ordered
                      ? 'in order per customer: later events wait for one that failed'
                      : 'each event as soon as possible, without an order'}
                  </dd>
                  {found.failing && (
                    <>
                      <dt>Last answer</dt>
                      <dd>
                        <LastProblem webhookId={wid} />
                      </dd>
                    </>
                  )}
                </dl>
                {may('configure') && <WebhookActions webhook={found.webhook} />}
              </section>
            </>
          );
        }}
      </QueryView>
      {delivery !== null && webhook && <DeliveryDetail key={delivery} webhook={webhook} deliveryId={delivery} />}
      <Deliveries webhookId={wid} />
    </>
  );
}

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { project } = useProject();
  const state = STATES.find((one) => one === query.value.get('state'));
  const type = KINDS.find((one) => one === query.value.get('type'));
  const appUserId = query.value.get('appUserId');
  const narrowed = { ...(state && { state }), ...(type && { type }), ...(appUserId !== null && { appUserId }) };
  const isNarrowed = Object.keys(narrowed).length > 0;
  const emptyOfState =
    state && !type && appUserId === null ? `No delivery is ${wordsOf(state)}.` : 'No deliveries found.';
  const path = { id: project.id, wid: webhookId };
  return (
    <section class="deliveries stacked" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">Deliveries</h2>
      <div class="row end controls">
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'any'], ...STATES.map((one) => [one, wordsOf(one)] as const)]}
          onChange={({ currentTarget }) => setQuery({ state: currentTarget.value || null })}
        />
        <Select
          label="Kind"
          value={type ?? ''}
          options={[['', 'any'], ...KINDS.map((one) => [one, one] as const)]}
          onChange={({ currentTarget }) => setQuery({ type: currentTarget.value || null })}
        />
        {appUserId !== null && (
          <button type="button" onClick={() => setQuery({ appUserId: null })}>
            Only of {appUserId} ✕<span class="visually-hidden"> show all</span>
          </button>
        )}
      </div>
      <PagedTable
        what="deliveries"
        caption="Newest first"
        columns={COLUMNS}
        of={`deliveries|${project.id}|${webhookId}|${JSON.stringify(narrowed)}`}
        load={(page, signal) => {
          const params = { path, query: { limit: PAGE, ...narrowed, ...page } };
          return unwrap(api.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', { params, signal }));
        }}
        row={({ id, type: kind, state: reached, appUserId: of, createdAt, attempts, nextAttemptAt }) => (
          <tr key={id}>
            <th scope="row">
              <button type="button" class="as-link" onClick={() => show(id)}>
                {kind}
                <span class="visually-hidden"> of {createdAt}</span>
              </button>
            </th>
            <td>
              <StatusBadge status={reached} />
            </td>
            <td>
              {of === null ? (
                '–'
              ) : (
                <button type="button" class="as-link" onClick={() => setQuery({ appUserId: of })}>
                  {of}
                </button>
              )}
            </td>
            <td>
              <Time at={createdAt} />
            </td>
            <td>
              {lastAnswer(attempts)}
              {nextAttemptAt !== null && attempts.length > 0 && Date.parse(nextAttemptAt) > Date.now() && (
                <>
                  , next <Time at={nextAttemptAt} isAgo />
                </>
              )}
            </td>
            <td class="number">
              {attempts.length}
              <span class="narrow-only">{attempts.length === 1 ? ' attempt' : ' attempts'}</span>
            </td>
          </tr>
        )}
        empty={
          <Empty title={isNarrowed ? emptyOfState : 'No deliveries yet.'}>
            <p>
              {isNarrowed
                ? 'Choose another state or event type.'
                : 'A delivery is created with the next matching event, or with a test event.'}
            </p>
          </Empty>
        }
      />
    </section>
  );
}

function show(deliveryId: string): void {
  setQuery({ delivery: deliveryId }, { replaces: false });
  window.scrollTo(0, 0);
}

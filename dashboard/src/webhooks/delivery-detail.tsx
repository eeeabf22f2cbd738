// One delivery: its body, the response to each attempt, and redelivery.
import { useEffect, useRef } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { setQuery } from '../context/router';
import { answerText } from '../names/problems';
import { Form } from '../parts/form';
import { Link } from '../parts/link';
import { RawText, readable } from '../parts/raw-text';
import { QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { toCurl } from './as-curl';
import { BlockingDelivery } from './blocking-delivery';
import type { Webhook } from './webhook-state';

type Delivery = Schemas['DeliveryDetail'];

const EVERY_MS = 10_000;

export function DeliveryDetail({ webhook, deliveryId }: { readonly webhook: Webhook; readonly deliveryId: string }) {
  const { project, may } = useProject();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const params = { path: { id: project.id, wid: webhook.id, did: deliveryId } };
  const read = useQuery(
    `delivery|${project.id}|${deliveryId}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/webhooks/{wid}/deliveries/{did}', { params, signal })),
    { every: EVERY_MS },
  );
  const again = async () => {
    await unwrap(api.POST('/v1/projects/{id}/webhooks/{wid}/deliveries/{did}/redeliver', { params, body: {} }));
    invalidate();
    toast('Sending again.');
  };
  return (
    <section class="card delivery" aria-labelledby="delivery-title">
      <h2 id="delivery-title" ref={title} tabIndex={-1}>
        Delivery
      </h2>
      <QueryView of={read} what="the delivery">
        {(delivery) => <Detail delivery={delivery} webhook={webhook} />}
      </QueryView>
      <div class="row controls">
        {may('support') && (
          <Form label="Send again" submit={again} isPlain>
            {null}
          </Form>
        )}
        {read.data?.body != null && <CopyAsCurl delivery={read.data} body={read.data.body} url={webhook.url} />}
        <button type="button" onClick={() => setQuery({ delivery: null })}>
          Close
        </button>
      </div>
    </section>
  );
}

function Detail({ delivery, webhook }: { readonly delivery: Delivery; readonly webhook: Webhook }) {
  const { id, type, state, appUserId, createdAt, eventId, nextAttemptAt, attempts, body } = delivery;
  const { base } = useProject();
  return (
    <>
      <dl>
        <dt>Event</dt>
        <dd>
          {type} <StatusBadge status={state} />
        </dd>
        {appUserId !== null && (
          <>
            <dt>Customer</dt>
            <dd>
              <Link to={`${base}/customers/${encodeURIComponent(appUserId)}`}>{appUserId}</Link>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        {nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now() && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={nextAttemptAt} isAgo />
            </dd>
          </>
        )}
        <dt>Delivery</dt>
        <dd class="code">{id}</dd>
        <dt>webhook-id</dt>
        <dd class="code">{eventId}</dd>
      </dl>
      {webhook.ordered && attempts.length === 0 && <BlockingDelivery webhookId={webhook.id} delivery={delivery} />}
      <h3>Attempts</h3>
      {attempts.length === 0 ? <p>None yet.</p> : <Attempts attempts={attempts} />}
      {body != null && <RawText title="Request body" text={readable(body)} />}
      {body === null && <p class="hint">The request body is no longer stored.</p>}
      {body === undefined && <p class="hint">The request body contains personal fields that your role cannot see.</p>}
    </>
  );
}

type CurlProps = { readonly delivery: Delivery; readonly body: string; readonly url: string };

function CopyAsCurl({ delivery: { eventId, contentType }, body, url }: CurlProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(toCurl(url, { body, eventId, contentType }));
    toast('Copied without a signature: the secret is not stored in readable form.');
  };
  return (
    <button type="button" onClick={() => void copy()}>
      Copy as curl
    </button>
  );
}

function Attempts({ attempts }: { readonly attempts: Delivery['attempts'] }) {
  return (
    <div class="scroll" role="group" aria-label="Attempts" tabIndex={0}>
      <table>
        <caption>Newest last</caption>
        <thead>
          <tr>
            <th scope="col">At</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Answer</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ at, ms, status, errorCode, responseSnippet }) => (
            <tr key={at}>
              <td>
                <Time at={at} />
              </td>
              <td>{answerText({ status, errorCode })}</td>
              <td class="number">{ms.toLocaleString()} ms</td>
              <td>{responseSnippet ? <RawText title="Body" text={readable(responseSnippet)} /> : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

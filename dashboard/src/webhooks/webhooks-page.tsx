// Webhooks of a project, with their state.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { FormDialog } from '../parts/form-dialog';
import { answerText } from '../names/problems';
import { count } from '../parts/format';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { Time } from '../parts/time';
import '../styles/stacked.css';
import '../styles/webhooks.css';
import { LastProblem } from './last-answer';
import { useWebhooks } from './use-webhooks';
import { WebhookFields, webhookBody } from './webhook-fields';
import { WebhookSecret } from './webhook-secret';
import { WebhookState, type FailingWebhook, type Webhook } from './webhook-state';

export default function WebhooksPage() {
  const { may } = useProject();
  const webhooks = useWebhooks();
  return (
    <>
      <h1>Webhooks</h1>
      <QueryView of={webhooks} what="the webhooks">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No webhooks yet.">
              <p>
                {may('configure')
                  ? 'A webhook notifies another system of purchases, renewals and refunds as they happen. Add one below.'
                  : 'An owner or admin of the project can add one.'}
              </p>
            </Empty>
          ) : (
            <div class="scroll webhooks stacked">
              <table>
                <caption>Attempts of the last 24 hours</caption>
                <thead>
                  <tr>
                    <th scope="col">Webhook</th>
                    <th scope="col">State</th>
                    <th scope="col">Last attempt</th>
                    <th scope="col" class="number">
                      Delivered
                    </th>
                    <th scope="col" class="number">
                      Failed
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map(({ webhook, failing }) => (
                    <Row key={webhook.id} webhook={webhook} failing={failing} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryView>
      {may('configure') && <AddWebhook />}
    </>
  );
}

function Row({ webhook, failing }: { readonly webhook: Webhook; readonly failing: FailingWebhook | undefined }) {
  const { base } = useProject();
  const { id, name, url, lastDelivery, stats24h } = webhook;
  return (
    <tr>
      <th scope="row">
        <Link to={`${base}/webhooks/${id}`}>{name ?? url}</Link>
        {name !== null && (
          <>
            <br />
            <small>{url}</small>
          </>
        )}
      </th>
      <td>
        <WebhookState webhook={webhook} failing={failing} />
      </td>
      <td>
        {lastDelivery ? (
          <>
            {lastDelivery.status === null ? <LastProblem webhookId={id} /> : answerText(lastDelivery)},{' '}
            <Time at={lastDelivery.at} isAgo />
          </>
        ) : (
          '–'
        )}
      </td>
      <td class="number">
        {count(stats24h.delivered)}
        <span class="narrow-only"> delivered</span>
      </td>
      <td class="number">
        {count(stats24h.failed)}
        <span class="narrow-only"> failed</span>
      </td>
    </tr>
  );
}

function AddWebhook() {
  const { project } = useProject();
  const [secret, setSecret] = useState<string | null>(null);
  const add = async (data: FormData) => {
    const body = { ...webhookBody(data), sendTestEvent: true };
    const webhook = await unwrap(
      api.POST('/v1/projects/{id}/webhooks', { params: { path: { id: project.id } }, body }),
    );
    setSecret(webhook.secret ?? null);
  };
  return (
    <>
      <FormDialog label="Add webhook" add={add} done="Added. A test event is being sent.">
        <WebhookFields />
      </FormDialog>
      {secret !== null && <WebhookSecret secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

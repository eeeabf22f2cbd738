// Actions of owners and admins on a webhook: edit, disable, enable, test, replay, rotate the secret, delete.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { navigate } from '../context/router';
import { fieldOf, instantOf, timeZone } from '../context/time-zone';
import { FormDialog, text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { count } from '../parts/format';
import { Check, Field, Form } from '../parts/form';
import { Menu } from '../parts/menu';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { SendTest } from './send-test';
import { WebhookFields, webhookBody } from './webhook-fields';
import { WebhookSecret } from './webhook-secret';
import type { Webhook } from './webhook-state';

const DAY_MS = 86_400_000;

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { project, base } = useProject();
  const [secret, setSecret] = useState<string | null>(null);
  const { id, name, url, enabled, lastDelivery } = webhook;
  const params = { path: { id: project.id, wid: id } };
  const change = (body: Schemas['UpdateWebhookBody']) =>
    unwrap(api.PATCH('/v1/projects/{id}/webhooks/{wid}', { params, body }));
  const turnOn = async () => {
    await change({ enabled: true });
    invalidate();
    toast('Turned on. Use “Send again since” for what happened in the meantime.');
  };
  const rotate = async (data: FormData) => {
    const changed = await change({ rotateSecret: true, rotateGraceHours: Number(text(data, 'hours')) });
    setSecret(changed.secret ?? null);
  };
  const remove = async () => {
    await unwrap(api.DELETE('/v1/projects/{id}/webhooks/{wid}', { params }));
    navigate(`${base}/webhooks`, { replaces: true });
  };
  return (
    <div class="row controls actions">
      {!enabled && (
        <Form label="Turn on" submit={turnOn}>
          {null}
        </Form>
      )}
      <SendTest webhookId={id} />
      <Replay webhookId={id} />
      <Menu label={`Actions for ${name ?? url}`}>
        <FormDialog
          label="Edit"
          title={`Edit ${name ?? url}`}
          action="Save"
          add={(data) => change(webhookBody(data))}
          done="Saved."
        >
          <WebhookFields webhook={webhook} />
        </FormDialog>
        {enabled && (
          <Confirm
            label="Turn off"
            title={`Turn off ${name ?? url}`}
            run={() => change({ enabled: false })}
            done="Turned off."
            breaks="Nothing is sent to it until it is turned on again. Its events are stored for 30 days: turn it on in that time and use “Send again since”. Later they are lost."
          />
        )}
        <Confirm
          label="Rotate secret"
          run={rotate}
          done="The webhook has a new secret."
          breaks="Both secrets stay valid until the old one expires. After that, a receiver that still has the old one rejects every request."
        >
          <Field
            label="Old secret stays valid for (hours)"
            name="hours"
            type="number"
            required
            min={0}
            max={168}
            defaultValue="24"
          />
        </Confirm>
        <Confirm
          label="Delete"
          title={`Delete ${name ?? url}`}
          run={remove}
          done="Deleted."
          breaks="Nothing is sent to this address any more, pending deliveries are dropped, and its delivery log is no longer available. This cannot be undone; a new webhook has another secret."
          lastUse={
            lastDelivery ? (
              <>
                Last sent to <Time at={lastDelivery.at} isAgo />.
              </>
            ) : (
              'Nothing sent yet.'
            )
          }
        />
      </Menu>
      {secret !== null && <WebhookSecret secret={secret} onClose={() => setSecret(null)} />}
    </div>
  );
}

function Replay({ webhookId }: { readonly webhookId: string }) {
  const { project } = useProject();
  const replay = async (data: FormData) => {
    const body = {
      from: instantOf(text(data, 'from')),
      to: instantOf(text(data, 'to')),
      onlyFailed: data.get('onlyFailed') !== null,
    };
    const params = { path: { id: project.id, wid: webhookId } };
    const { queued } = await unwrap(api.POST('/v1/projects/{id}/webhooks/{wid}/replay', { params, body }));
    toast(queued === 0 ? 'No matching deliveries in that period.' : `${count(queued)} deliveries queued.`);
  };
  const now = Date.now();
  return (
    <FormDialog label="Send again since" action="Send again" add={replay}>
      <p>
        Each delivery of the period is sent again, oldest first, with the same webhook-id, so that receivers can skip
        duplicates.
      </p>
      <div class="row end">
        <Field
          label={`From (${timeZone.value})`}
          name="from"
          type="datetime-local"
          required
          defaultValue={fieldOf(now - DAY_MS)}
        />
        <Field
          label={`To (${timeZone.value})`}
          name="to"
          type="datetime-local"
          required
          defaultValue={fieldOf(now + 60_000)}
        />
      </div>
      <Check label="Failed deliveries only" name="onlyFailed" value="on" isOn />
    </FormDialog>
  );
}

// Buttons that end an open problem, for members who may press them.
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { Form } from '../parts/form';
import { toast } from '../parts/toast';

/** Processes notifications again, one after the other, and stops at the first that cannot be processed now. */
export function ProcessAgain({ ids }: { readonly ids: readonly string[] }) {
  const { project, may } = useProject();
  if (!may('support')) return null;
  const run = async () => {
    try {
      for (const nid of ids) {
        const params = { path: { id: project.id, nid } };
        await unwrap(api.POST('/v1/projects/{id}/notifications/{nid}/retry', { params, body: {} }));
      }
      toast(ids.length === 1 ? 'Processed again.' : `${ids.length} notifications were processed again.`);
    } finally {
      invalidate();
    }
  };
  return (
    <Form label="Process again" submit={run} isPlain>
      {null}
    </Form>
  );
}

export function TurnOn({ webhookId }: { readonly webhookId: string }) {
  const { project, may } = useProject();
  if (!may('configure')) return null;
  const run = async () => {
    const params = { path: { id: project.id, wid: webhookId } };
    await unwrap(api.PATCH('/v1/projects/{id}/webhooks/{wid}', { params, body: { enabled: true } }));
    invalidate();
    toast('Turned on. Its page sends what happened in the meantime: “Send again since”.');
  };
  return (
    <Form label="Turn on" submit={run} isPlain>
      {null}
    </Form>
  );
}

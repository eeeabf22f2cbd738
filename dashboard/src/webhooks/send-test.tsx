// Sends the example of one kind to a webhook, after showing it.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { FormDialog } from '../parts/form-dialog';
import { Select } from '../parts/form';
import { RawText, readable } from '../parts/raw-text';
import { QueryView } from '../parts/states';
import { toast } from '../parts/toast';
import type { Kind } from './kinds';

export function SendTest({ webhookId }: { readonly webhookId: string }) {
  const { project } = useProject();
  const [kind, setKind] = useState<Kind>('TEST');
  const send = async () => {
    const params = { path: { id: project.id, wid: webhookId } };
    const sent = await unwrap(api.POST('/v1/projects/{id}/webhooks/{wid}/test', { params, body: { type: kind } }));
    toast(`The example of ${kind} is ${sent.state}; see the list below.`);
  };
  return (
    <FormDialog label="Send test event" action="Send" add={send}>
      <p>Sends sample data for a fictional sandbox customer (marked isExample).</p>
      <Example webhookId={webhookId} kind={kind} choose={setKind} />
    </FormDialog>
  );
}

/** The kinds of the webhook's payload format, and the example of one. */
function Example({
  webhookId,
  kind,
  choose,
}: {
  readonly webhookId: string;
  readonly kind: Kind;
  readonly choose: (kind: Kind) => void;
}) {
  const { project } = useProject();
  const params = { path: { id: project.id, wid: webhookId } };
  const examples = useQuery(`examples|${webhookId}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/webhooks/{wid}/examples', { params, signal })),
  );
  return (
    <QueryView of={examples} what="the example">
      {({ items }) => (
        <>
          <Select
            label="Kind"
            value={kind}
            options={items.map(({ type }) => [type, type] as const)}
            onChange={({ currentTarget }) => choose(currentTarget.value as Kind)}
          />
          <RawText title="Request body" text={readable(items.find(({ type }) => type === kind)?.body ?? '')} isOpen />
        </>
      )}
    </QueryView>
  );
}

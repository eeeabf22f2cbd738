// Button that makes a key like one that expires soon, where the problem is listed. The former key works until its end.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';
import { Form } from '../parts/form';

export function ReplaceKey({ apiKey }: { readonly apiKey: Schemas['ApiKey'] }) {
  const { project } = useProject();
  const [newKey, setNewKey] = useState<string | null>(null);
  const { name, kind, appId, scopes } = apiKey;
  const replace = async () => {
    const body = kind === 'public' && appId !== null ? { name, kind, appId } : { name, scopes };
    const params = { path: { id: project.id } };
    const { key } = await unwrap(api.POST('/v1/projects/{id}/api-keys', { params, body }));
    setNewKey(key);
  };
  const close = () => {
    setNewKey(null);
    invalidate();
  };
  return (
    <>
      <Form label="Replace" submit={replace} isPlain>
        {null}
      </Form>
      {newKey !== null && (
        <Dialog title={`The new key ${name}`} onClose={close}>
          <p>
            It is shown only once, and has no end. Store it where the former key is used, which works until its end.
          </p>
          <Copy value={newKey} label="the key" />
        </Dialog>
      )}
    </>
  );
}

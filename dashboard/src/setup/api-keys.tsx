// API keys: shown once, when they are made.
import { useState } from 'preact/hooks';
import { api, ask } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../app/project';
import { Adding, text } from '../parts/adding';
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';
import { Field, Form, Select } from '../parts/form';
import { Shown } from '../parts/states';
import { Time } from '../parts/time';
import { useApiKeys, useApps } from './lists';

export function ApiKeys() {
  const { project } = useProject();
  const keys = useApiKeys();
  const apps = useApps().data?.items ?? [];
  const [made, setMade] = useState<string | null>(null);
  const add = async (data: FormData) => {
    const appId = text(data, 'appId');
    const name = text(data, 'name');
    const body = appId === '' ? { name } : { name, kind: 'public' as const, appId };
    const { key } = await ask(api.POST('/v1/projects/{id}/api-keys', { params: { path: { id: project.id } }, body }));
    setMade(key);
  };
  const remove = async (keyId: string) => {
    await ask(api.DELETE('/v1/projects/{id}/api-keys/{keyId}', { params: { path: { id: project.id, keyId } } }));
    invalidate();
  };
  return (
    <section class="card" aria-labelledby="keys-title">
      <h2 id="keys-title">API keys</h2>
      <Shown of={keys} what="the keys">
        {({ items }) =>
          items.length === 0 ? (
            <p>None yet. Apps take a public key, servers a secret one.</p>
          ) : (
            <ul class="plain">
              {items.map(({ id, name, kind, keyPreview, lastUsedAt }) => (
                <li key={id} class="row">
                  <strong>{name}</strong> <span class="badge">{kind}</span> <code>{keyPreview}</code>
                  <small>{lastUsedAt ? <Used at={lastUsedAt} /> : 'never used'}</small>
                  <Form label="Delete" submit={() => remove(id)} isPlain>
                    <span class="visually-hidden">{name}</span>
                  </Form>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <Adding label="Make key" add={add} done="Made.">
        <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
        <Select
          label="For"
          name="appId"
          options={[
            ['', 'a server (secret key)'],
            ...apps.map(({ id, name }) => [id, `the app ${name} (public key)`] as const),
          ]}
        />
      </Adding>
      {made !== null && (
        <Dialog title="The new key" onClose={() => setMade(null)}>
          <p>It is shown now and never again. Keep it where it is used.</p>
          <Copy value={made} label="the key" />
        </Dialog>
      )}
    </section>
  );
}

function Used({ at }: { readonly at: string }) {
  return (
    <>
      used <Time at={at} isAgo />
    </>
  );
}

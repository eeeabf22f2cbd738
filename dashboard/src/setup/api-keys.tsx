// API keys. A key is shown once, when it is created.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { FormDialog, text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Copy } from '../parts/copy';
import { Dialog } from '../parts/dialog';
import { Field, Select } from '../parts/form';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { FirstCall } from './first-call';
import { useApiKeys, useApps } from './lists';

type ApiKey = Schemas['ApiKey'];

/** Scopes of keys for assistants, by the value of the form. */
const ASSISTANT_SCOPES: Readonly<Record<string, ApiKey['scopes']>> = {
  'assistant-read': ['read'],
  'assistant-support': ['read', 'support'],
};

export function ApiKeys() {
  const { project } = useProject();
  const keys = useApiKeys();
  const apps = useApps().data?.items ?? [];
  const [newKey, setNewKey] = useState<CreatedKey | null>(null);
  const add = async (data: FormData) => {
    const appId = text(data, 'appId');
    const name = text(data, 'name');
    const existing = text(data, 'key');
    const ofApp = { name, kind: 'public' as const, appId, ...(existing !== '' && { key: existing }) };
    const scopes = ASSISTANT_SCOPES[appId];
    const body = scopes ? { name, scopes } : appId === '' ? { name } : ofApp;
    const { key } = await unwrap(
      api.POST('/v1/projects/{id}/api-keys', { params: { path: { id: project.id } }, body }),
    );
    const platform = apps.find(({ id }) => id === appId)?.platform ?? null;
    setNewKey({ key, isForAssistant: scopes !== undefined, platform });
  };
  return (
    <section class="card" aria-labelledby="keys-title">
      <header class="head">
        <h2 id="keys-title">API keys</h2>
        <FormDialog label="Make key" add={add} done="Made.">
          <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
          <Select
            label="For"
            name="appId"
            options={[
              ['', 'a server (secret key)'],
              ['assistant-read', 'an assistant that only reads (secret key)'],
              ['assistant-support', 'an assistant that may also grant access and redeliver (secret key)'],
              ...apps.map(({ id, name }) => [id, `the app ${name} (public key)`] as const),
            ]}
          />
          <Field
            label="Public key that is in the app already (optional)"
            name="key"
            maxLength={200}
            placeholder="appl_… or goog_…"
            autocomplete="off"
          />
        </FormDialog>
      </header>
      <QueryView of={keys} what="the keys">
        {({ items }) =>
          items.length === 0 ? (
            <p>No API keys yet. Apps use a public key, servers a secret key.</p>
          ) : (
            <ul class="plain entries">
              {items.map((one) => (
                <li key={one.id} class="head">
                  <span class="row">
                    <strong>{one.name}</strong> <span class="badge">{one.kind}</span> <code>{one.keyPreview}</code>
                    {one.kind === 'secret' && <small>{one.scopes.join(', ')}</small>}
                    <small>{one.lastUsedAt ? <LastUsed at={one.lastUsedAt} /> : 'never used'}</small>
                  </span>
                  <Menu label={`Actions for ${one.name}`}>
                    <DeleteKey apiKey={one} app={apps.find(({ id }) => id === one.appId)?.name} />
                  </Menu>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {newKey !== null && <NewKey created={newKey} onClose={() => setNewKey(null)} />}
    </section>
  );
}

type CreatedKey = {
  readonly key: string;
  readonly isForAssistant: boolean;
  /** Platform of its app; null for a secret key. */
  readonly platform: Schemas['App']['platform'] | null;
};

export function NewKey({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  return (
    <Dialog title="The new key" onClose={onClose}>
      <p>It is shown only once. Store it where it is used.</p>
      <Copy value={created.key} label="the key" />
      {created.isForAssistant ? (
        <p class="hint">
          Save it in a file that only you can read, and let your assistant start{' '}
          <code>node /path/to/subledger/dist/cli/subledger.js mcp</code>, of a checkout that is built, with{' '}
          <code>SUBLEDGER_URL={window.location.origin}</code> and <code>SUBLEDGER_API_KEY_FILE</code>: see the guide
          “Tools for assistants”.
        </p>
      ) : (
        <FirstCall keyText={created.key} platform={created.platform} />
      )}
    </Dialog>
  );
}

/** `app` is the name of the app of a public key. */
function DeleteKey({
  apiKey: { id, name, kind, keyPreview, lastUsedAt },
  app,
}: {
  apiKey: ApiKey;
  app?: string | undefined;
}) {
  const { project } = useProject();
  const remove = () =>
    unwrap(api.DELETE('/v1/projects/{id}/api-keys/{keyId}', { params: { path: { id: project.id, keyId: id } } }));
  return (
    <Confirm
      label={`Delete ${name}`}
      action="Delete"
      run={remove}
      done="Deleted. The key no longer works."
      breaks={
        kind === 'secret'
          ? `Servers that send ${keyPreview} get 401 immediately. Give them another key first. This cannot be undone.`
          : `Every installed version of ${app ?? 'the app'} that contains ${keyPreview} gets 401 immediately: purchases and access are no longer updated until people install a version with another key. This cannot be undone.`
      }
      lastUse={
        lastUsedAt === null ? (
          'Never used.'
        ) : (
          <>
            Last used <Time at={lastUsedAt} isAgo />
            {app !== undefined && ` by the app ${app}`}.
          </>
        )
      }
    />
  );
}

function LastUsed({ at }: { readonly at: string }) {
  return (
    <>
      used <Time at={at} isAgo />
    </>
  );
}

// Apps, each with the evidence that its store is connected, and its notification URL.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { bodyOfApp, PlatformFields, type Platform } from '../app/app-fields';
import { useProject } from '../context/project';
import { navigate } from '../context/router';
import { FormDialog } from '../parts/form-dialog';
import { Copy } from '../parts/copy';
import { Field } from '../parts/form';
import { Link } from '../parts/link';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { AppChanges } from './app-changes';
import { Credentials } from './credentials';
import { useApps } from './lists';
import { LastRefusal } from './notification-check';
import { CredentialEvidence, NotificationEvidence } from './wizard/app-steps';

type App = Schemas['App'];
type StoreEvidence = Schemas['SetupEvidence']['apps'][number];

function identifierOf(app: App): string {
  if (app.platform === 'test') return 'test store';
  return app.platform === 'ios' ? app.bundleId : app.packageName;
}

export function Apps({ evidence }: { readonly evidence: readonly StoreEvidence[] }) {
  const { may } = useProject();
  const apps = useApps();
  return (
    <section class="card" aria-labelledby="apps-title">
      <header class="head">
        <h2 id="apps-title">Apps</h2>
        {may('administer') && <RegisterApp />}
      </header>
      <QueryView of={apps} what="the apps">
        {({ items }) =>
          items.length === 0 ? (
            <p>No apps yet. Register the app whose purchases you want to track.</p>
          ) : (
            <ul class="plain entries">
              {items.map((app) => (
                <li key={app.id}>
                  <AppEntry app={app} evidence={evidence.find(({ appId }) => appId === app.id)} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

function AppEntry({ app, evidence }: { readonly app: App; readonly evidence: StoreEvidence | undefined }) {
  const { base, may } = useProject();
  return (
    <>
      <header class="head">
        <h3>
          {app.name} <small>{identifierOf(app)}</small>
        </h3>
        {may('administer') && (
          <div class="row">
            <Link to={`${base}/setup/${app.id}`}>Guide</Link>
            <Menu label={`Actions for ${app.name}`}>
              {app.platform !== 'test' && <Credentials app={app} />}
              <AppChanges app={app} />
            </Menu>
          </div>
        )}
      </header>
      {evidence && <StoreState of={evidence} />}
      {app.notificationUrl && <Copy value={app.notificationUrl} label={`the notification address of ${app.name}`} />}
    </>
  );
}

function StoreState({ of }: { readonly of: StoreEvidence }) {
  const { lastNotification: last, credentials, refusedNotifications } = of;
  const isHandled = last?.state === 'handled';
  return (
    <dl>
      <dt>Last notification</dt>
      <dd>
        {last ? (
          <>
            <span class={`badge ${isHandled ? 'good' : 'warn'}`}>{isHandled ? 'received' : 'not handled'}</span>{' '}
            <NotificationEvidence of={last} />
          </>
        ) : (
          <>
            <span class="badge warn">none yet</span> Enter the address below in the store’s console.
          </>
        )}
        <LastRefusal of={refusedNotifications} />
      </dd>
      <dt>Credentials</dt>
      <dd>
        {credentials.configured ? (
          <>
            <span class={`badge ${credentials.proven ? 'good' : 'warn'}`}>
              {credentials.proven ? 'proven' : 'not proven'}
            </span>{' '}
            <CredentialEvidence of={credentials} />
          </>
        ) : (
          <>
            <span class="badge">none</span> Missed notifications cannot be fetched from the store.
          </>
        )}
      </dd>
    </dl>
  );
}

function RegisterApp() {
  const { project, base } = useProject();
  const [platform, setPlatform] = useState<Platform>('ios');
  const add = async (data: FormData) => {
    const params = { path: { id: project.id } };
    const app = await unwrap(api.POST('/v1/projects/{id}/apps', { params, body: bodyOfApp(platform, data) }));
    navigate(`${base}/setup/${app.id}`);
  };
  return (
    <FormDialog label="Register app" add={add} done="Registered.">
      <PlatformFields platform={platform} onChange={setPlatform} />
      <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
    </FormDialog>
  );
}

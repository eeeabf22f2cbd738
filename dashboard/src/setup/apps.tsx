// Apps, with the notification URL to enter at each store.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../app/project';
import { FormDialog, text } from '../parts/form-dialog';
import { Copy } from '../parts/copy';
import { Field, Select } from '../parts/form';
import { QueryView } from '../parts/states';
import { AppChanges } from './app-changes';
import { Credentials } from './credentials';
import { useApps } from './lists';

const PLATFORMS = ['ios', 'android', 'test'] as const;
type Platform = (typeof PLATFORMS)[number];

function identifierOf(app: Schemas['App']): string {
  if (app.platform === 'test') return 'test store';
  return app.platform === 'ios' ? app.bundleId : app.packageName;
}

export function Apps() {
  const { project, may } = useProject();
  const apps = useApps();
  const [platform, setPlatform] = useState<Platform>('ios');
  const add = (data: FormData) => {
    const common = { name: text(data, 'name') };
    const identifier = text(data, 'identifier');
    const body =
      platform === 'test'
        ? { ...common, platform }
        : platform === 'ios'
          ? { ...common, platform, bundleId: identifier }
          : { ...common, platform, packageName: identifier };
    return unwrap(api.POST('/v1/projects/{id}/apps', { params: { path: { id: project.id } }, body }));
  };
  return (
    <section class="card" aria-labelledby="apps-title">
      <h2 id="apps-title">Apps</h2>
      <QueryView of={apps} what="the apps">
        {({ items }) =>
          items.length === 0 ? (
            <p>No apps yet. Register the app whose purchases you want to track.</p>
          ) : (
            <ul class="plain">
              {items.map((app) => (
                <li key={app.id}>
                  <h3>
                    {app.name} <small>{identifierOf(app)}</small>
                  </h3>
                  {app.notificationUrl && (
                    <>
                      <p class="hint">
                        {app.platform === 'ios'
                          ? 'Enter this address in App Store Connect under App Store Server Notifications (version 2, production and sandbox):'
                          : 'Enter this address as the push endpoint of the Pub/Sub topic for Google Play notifications:'}
                      </p>
                      <Copy value={app.notificationUrl} label={`the notification address of ${app.name}`} />
                    </>
                  )}
                  {may('administer') && (
                    <div class="row controls">
                      {app.platform !== 'test' && <Credentials app={app} />}
                      <AppChanges app={app} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {may('administer') && (
        <FormDialog
          label="Register app"
          add={add}
          done="Registered. Enter its notification address in the store’s console."
        >
          <Select
            label="Platform"
            value={platform}
            options={[
              ['ios', 'iOS'],
              ['android', 'Android'],
              ['test', 'Test store (purchases in the SDK’s own dialog)'],
            ]}
            onChange={({ currentTarget }) => setPlatform(PLATFORMS.find((one) => one === currentTarget.value) ?? 'ios')}
          />
          <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
          {platform !== 'test' && (
            <Field
              label={platform === 'ios' ? 'Bundle ID' : 'Package name'}
              name="identifier"
              required
              placeholder="com.example.app"
              autocomplete="off"
            />
          )}
        </FormDialog>
      )}
    </section>
  );
}

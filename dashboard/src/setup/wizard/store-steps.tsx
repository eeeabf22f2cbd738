// Steps of the guide at the store and in the app: notifications, credentials, API key and the first purchase.
import type { ComponentChildren } from 'preact';
import { api, unwrap, type Schemas } from '../../api/client';
import { refresh } from '../../api/query';
import { useProject } from '../../context/project';
import { Copy } from '../../parts/copy';
import { Field, Form } from '../../parts/form';
import { text } from '../../parts/form-dialog';
import { Link } from '../../parts/link';
import { CredentialFields, useStoreCredentials } from '../credentials';
import { useSetupStatus } from '../lists';
import { LastRefusal, NotificationCheck } from '../notification-check';
import { SimulatedPurchase } from '../simulated-purchase';

type App = Schemas['App'];
type StepProps = { readonly app: App; readonly onDone: () => void };

/** Interval at which a refused notification appears. */
const EVERY_MS = 3000;

export function NotificationsStep({ app, onSkip }: { readonly app: App; readonly onSkip: () => void }) {
  const own = useSetupStatus(EVERY_MS).data?.evidence.apps.find(({ appId }) => appId === app.id);
  return (
    <>
      <ol>
        <li>
          <p>Copy the address of this app:</p>
          <Copy value={app.notificationUrl ?? ''} label={`the notification address of ${app.name}`} />
          <NotificationCheck appId={app.id} />
        </li>
        {app.platform === 'ios' ? (
          <>
            <li>
              <p>
                Enter it in App Store Connect, App Information, App Store Server Notifications: as the production and
                the sandbox URL, version 2.
              </p>
            </li>
            <li>
              <p>Send a test notification, or buy something with a sandbox account.</p>
            </li>
          </>
        ) : (
          <>
            <li>
              <p>Enter it as the push endpoint of the Pub/Sub subscription for Google Play notifications.</p>
            </li>
            <li>
              <p>Send a test notification: Play Console, Monetization setup.</p>
            </li>
          </>
        )}
      </ol>
      {own && <LastRefusal of={own.refusedNotifications} />}
      <Waiting>Waiting for the first notification. It appears here by itself.</Waiting>
      <Skip onSkip={onSkip} />
    </>
  );
}

export function CredentialsStep({ app, onDone, onSkip }: StepProps & { readonly onSkip: () => void }) {
  const store = useStoreCredentials(app);
  const save = async (data: FormData) => {
    await store(data);
    await refresh();
    onDone();
  };
  return (
    <>
      <p>
        They are used to read missed notifications and purchases from the store. Stored encrypted, never shown again.
      </p>
      <Form label="Save credentials" submit={save}>
        <CredentialFields app={app} />
      </Form>
      <Skip onSkip={onSkip} />
    </>
  );
}

export function KeyStep({ app, onDone, onKey }: StepProps & { readonly onKey: (key: string) => void }) {
  const { project } = useProject();
  const create = async (data: FormData) => {
    const params = { path: { id: project.id } };
    const body = { name: text(data, 'name'), kind: 'public' as const, appId: app.id };
    const { key } = await unwrap(api.POST('/v1/projects/{id}/api-keys', { params, body }));
    onKey(key);
    await refresh();
    onDone();
  };
  return (
    <>
      <p>The app sends this public key with each request. It is shown once.</p>
      <Form label="Create key" submit={create}>
        <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={app.name} />
      </Form>
    </>
  );
}

export function PurchaseStep({ app }: { readonly app: App }) {
  const { base } = useProject();
  return (
    <>
      <p>
        {app.platform === 'test'
          ? 'Start the app with its key and buy something: the SDK shows a dialog of its own, and nobody pays.'
          : 'Start the app with its key and buy something with a sandbox account.'}{' '}
        <Link to={`${base}/live`}>Live</Link> shows each step of it.
      </p>
      {app.platform === 'test' ? (
        <SimulatedPurchase app={app} />
      ) : (
        <p>
          Without a sandbox account: register a test app in <Link to={`${base}/setup`}>Setup</Link>, and simulate a
          purchase in its guide.
        </p>
      )}
      <Waiting>Waiting for the first purchase. It appears here by itself.</Waiting>
    </>
  );
}

function Waiting({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="waiting" role="status">
      {children}
    </p>
  );
}

function Skip({ onSkip }: { readonly onSkip: () => void }) {
  return (
    <button type="button" class="quiet" onClick={onSkip}>
      Skip for now
    </button>
  );
}

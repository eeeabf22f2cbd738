// Store credentials of an app. They are sent once and never returned.
import type { Schemas } from '../api/client';
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { FormDialog, text } from '../parts/form-dialog';
import { Area, Field } from '../parts/form';

type App = Schemas['App'];

/** Returns a function that stores the values of {@link CredentialFields}. */
export function useStoreCredentials(app: App): (data: FormData) => Promise<unknown> {
  const { project } = useProject();
  const params = { path: { id: project.id, appId: app.id } };
  return (data) => {
    if (app.platform === 'android') {
      const body = { serviceAccountJson: text(data, 'serviceAccountJson') };
      return unwrap(api.POST('/v1/projects/{id}/apps/{appId}/credentials/android-store', { params, body }));
    }
    const body = {
      issuerId: text(data, 'issuerId'),
      keyId: text(data, 'keyId'),
      privateKey: text(data, 'privateKey'),
    };
    return unwrap(api.POST('/v1/projects/{id}/apps/{appId}/credentials/ios-store', { params, body }));
  };
}

export function CredentialFields({ app }: { readonly app: App }) {
  if (app.platform === 'android') return <Area label="Service account, as its JSON file" name="serviceAccountJson" />;
  return (
    <>
      <Field label="Issuer ID" name="issuerId" required autocomplete="off" />
      <Field label="Key ID" name="keyId" required autocomplete="off" />
      <Area label="Private key, as its .p8 file" name="privateKey" />
    </>
  );
}

export function Credentials({ app }: { readonly app: App }) {
  const store = useStoreCredentials(app);
  return (
    <FormDialog
      label={`Credentials of ${app.name}`}
      action="Save credentials"
      add={store}
      done="Stored encrypted. The app shows when they were last used successfully."
    >
      <p>They replace the stored credentials, which cannot be shown or restored.</p>
      <CredentialFields app={app} />
    </FormDialog>
  );
}

// Form that creates a project with its first app, and leads to the guide of the app.
import { useRef, useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { Field, Form } from '../parts/form';
import { text } from '../parts/form-dialog';
import { bodyOfApp, PlatformFields, type Platform } from './app-fields';
import { navigate } from '../context/router';

export function ConnectApp() {
  const [platform, setPlatform] = useState<Platform>('ios');
  /** Project of an attempt whose app was rejected; the next attempt continues in it. */
  const projectId = useRef<string | null>(null);
  const connect = async (data: FormData) => {
    const name = text(data, 'name');
    projectId.current ??= (await unwrap(api.POST('/v1/projects', { body: { name } }))).id;
    const params = { path: { id: projectId.current } };
    const app = await unwrap(api.POST('/v1/projects/{id}/apps', { params, body: bodyOfApp(platform, data) }));
    invalidate();
    navigate(`/projects/${projectId.current}/setup/${app.id}`);
  };
  return (
    <Form label="Connect app" submit={connect}>
      <Field label="Name" name="name" required maxLength={100} placeholder="Stargazer" autocomplete="off" />
      <PlatformFields platform={platform} onChange={setPlatform} />
    </Form>
  );
}

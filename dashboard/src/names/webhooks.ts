// Names of the project's webhooks by ID; without a name, the host of the address.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

export function useWebhookNames(): ReadonlyMap<string, string> {
  const { project } = useProject();
  const params = { path: { id: project.id }, query: { limit: 100 } };
  const { data } = useQuery(`webhook-names|${project.id}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/webhooks', { params, signal })),
  );
  return new Map(data?.items.map((webhook) => [webhook.id, webhookName(webhook)]));
}

function webhookName({ name, url }: { readonly name: string | null; readonly url: string }): string {
  return name ?? new URL(url).host;
}

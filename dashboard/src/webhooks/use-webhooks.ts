// Loads the webhooks of a project, and those that fail.
import { api, unwrap, unwrapAll } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

const EVERY_MS = 15_000;

export function useWebhooks() {
  const { project } = useProject();
  const path = { id: project.id };
  return useQuery(
    `webhooks|${project.id}`,
    async (signal) => {
      const [{ items }, { evidence }] = await Promise.all([
        unwrapAll((query) => api.GET('/v1/projects/{id}/webhooks', { params: { path, query }, signal })),
        unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path }, signal })),
      ]);
      return items.map((webhook) => ({
        webhook,
        failing: evidence.failingWebhooks.find(({ webhookId }) => webhookId === webhook.id),
      }));
    },
    { every: EVERY_MS },
  );
}

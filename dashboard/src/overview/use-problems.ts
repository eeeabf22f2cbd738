// Loads what is wrong in the project now, for the list of open problems.
import { api, unwrap, unwrapAll, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

export const MAX_COUNTED = 100;
const EVERY_MS = 15_000;
const DAY_MS = 86_400_000;
/** Days for which refused notifications are listed; the stores send them again for about as long. */
const REFUSED_DAYS = 7;
/** Days before the end of an API key from which on it is listed. */
const EXPIRY_DAYS = 14;

export type Problems = NonNullable<ReturnType<typeof useProblems>['data']>;

export function useProblems() {
  const { project, may } = useProject();
  const path = { id: project.id };
  return useQuery(`problems|${project.id}`, (signal) => loadProblems(path, may('administer'), signal), {
    every: EVERY_MS,
  });
}

type ApiKey = Schemas['ApiKey'];

/** Returns the keys that end before an instant, without those that have a successor for the same purpose. */
function keysToReplace(keys: readonly ApiKey[], before: string): readonly ApiKey[] {
  const ends = (key: ApiKey) => key.expiresAt !== null && key.expiresAt < before;
  const purposeOf = ({ name, kind, appId, scopes }: ApiKey) => JSON.stringify([name, kind, appId, [...scopes].sort()]);
  const purposes = new Set(keys.filter((key) => !ends(key)).map(purposeOf));
  return keys.filter((key) => ends(key) && !purposes.has(purposeOf(key)));
}

async function loadProblems(path: { readonly id: string }, mayReadKeys: boolean, signal: AbortSignal) {
  const since = new Date(Date.now() - REFUSED_DAYS * DAY_MS).toISOString();
  const limit = MAX_COUNTED;
  const [requests, lapsed, parked, refused, { evidence }, webhooks, apps, keys] = await Promise.all([
    unwrap(api.GET('/v1/projects/{id}/refund-requests', { params: { path, query: { limit } }, signal })),
    unwrap(
      api.GET('/v1/projects/{id}/refund-requests', {
        params: { path, query: { state: 'lapsed', since, limit } },
        signal,
      }),
    ),
    loadNotifications({ state: 'parked', limit }),
    loadNotifications({ state: 'refused', since, limit }),
    unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path }, signal })),
    unwrap(api.GET('/v1/projects/{id}/webhooks', { params: { path, query: { limit } }, signal })),
    unwrapAll((query) => api.GET('/v1/projects/{id}/apps', { params: { path, query }, signal })),
    mayReadKeys
      ? unwrapAll((query) => api.GET('/v1/projects/{id}/api-keys', { params: { path, query }, signal }))
      : { items: [] },
  ]);
  const soon = new Date(Date.now() + EXPIRY_DAYS * DAY_MS).toISOString();
  return {
    requests: requests.items.map((request) => ({
      ...request,
      policy: apps.items.find(({ id }) => id === request.appId)?.refundPolicy ?? null,
    })),
    // A setting of the app answers the next ones.
    lapsed: lapsed.items.filter(({ refundAnswer }) => refundAnswer === 'none'),
    parked: parked.items,
    refused: refused.items,
    unlocking: evidence.productsWithoutEntitlement,
    credentials: evidence.apps.filter(({ credentials }) => credentials.proven === false),
    failing: evidence.failingWebhooks,
    disabled: webhooks.items.filter(({ enabled, disabledReason }) => !enabled && disabledReason !== 'user'),
    expiring: keysToReplace(keys.items, soon),
  };

  function loadNotifications(query: { state: 'parked' | 'refused'; since?: string; limit: number }) {
    return unwrap(api.GET('/v1/projects/{id}/notifications', { params: { path, query }, signal }));
  }
}

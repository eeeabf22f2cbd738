// Lists for a project's setup, each loaded once.
import { api, unwrap, unwrapAll } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

function usePath() {
  const { project } = useProject();
  return { id: project.id };
}

/** `every`: interval of updates in ms. */
export function useSetupStatus(every: number) {
  const path = usePath();
  return useQuery(
    `setup|${path.id}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path }, signal })),
    { every },
  );
}

export function useApps() {
  const path = usePath();
  return useQuery(`apps|${path.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/apps', { params: { path, query }, signal })),
  );
}

export function useProducts() {
  const path = usePath();
  return useQuery(`products|${path.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/products', { params: { path, query }, signal })),
  );
}

export function useEntitlements() {
  const path = usePath();
  return useQuery(`entitlements|${path.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/entitlements', { params: { path, query }, signal })),
  );
}

export function useOfferings() {
  const path = usePath();
  return useQuery(`offerings|${path.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/offerings', { params: { path, query }, signal })),
  );
}

export function useApiKeys() {
  const path = usePath();
  return useQuery(`keys|${path.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/api-keys', { params: { path, query }, signal })),
  );
}

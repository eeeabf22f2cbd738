// Lists for a project's setup, each loaded once.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';

const query = { limit: 100 };

function useParams() {
  const { project } = useProject();
  return { id: project.id, params: { path: { id: project.id }, query } };
}

/** `every`: interval of updates in ms. */
export function useSetupStatus(every: number) {
  const { project } = useProject();
  const path = { id: project.id };
  return useQuery(
    `setup|${project.id}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path }, signal })),
    { every },
  );
}

export function useApps() {
  const { id, params } = useParams();
  return useQuery(`apps|${id}`, (signal) => unwrap(api.GET('/v1/projects/{id}/apps', { params, signal })));
}

export function useProducts() {
  const { id, params } = useParams();
  return useQuery(`products|${id}`, (signal) => unwrap(api.GET('/v1/projects/{id}/products', { params, signal })));
}

export function useEntitlements() {
  const { id, params } = useParams();
  return useQuery(`entitlements|${id}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/entitlements', { params, signal })),
  );
}

export function useOfferings() {
  const { id, params } = useParams();
  return useQuery(`offerings|${id}`, (signal) => unwrap(api.GET('/v1/projects/{id}/offerings', { params, signal })));
}

export function useApiKeys() {
  const { id, params } = useParams();
  return useQuery(`keys|${id}`, (signal) => unwrap(api.GET('/v1/projects/{id}/api-keys', { params, signal })));
}

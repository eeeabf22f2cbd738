// Names of the members by user ID, for audit entries.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';

export function useMemberNames(): ReadonlyMap<string, string> {
  const { project } = useProject();
  const { data } = useQuery(`members|${project.id}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/members', { params: { path: { id: project.id }, query: { limit: 100 } }, signal }),
    ),
  );
  const members = data?.items.filter((one) => one.object === 'member') ?? [];
  return new Map(members.map(({ id, name, email }) => [id, name ?? email ?? id]));
}

// Loads the saved views that the member sees: own and shared ones.
import { api, unwrapAll, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

export type View = Schemas['ChartView'];

export function useViews() {
  const { project } = useProject();
  const path = { id: project.id };
  return useQuery(`views|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/views', { params: { path, query }, signal })),
  );
}

// Loads the chart catalogue, which is the same for all projects.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';

export function useCharts() {
  const { project } = useProject();
  return useQuery('charts', (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts', { params: { path: { id: project.id } }, signal })),
  );
}

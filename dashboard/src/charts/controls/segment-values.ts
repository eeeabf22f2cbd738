// Loads the values of a dimension that occur in a chart, with counts. Filters of other dimensions apply.
import { api, unwrap, type Schemas } from '../../api/client';
import { useQuery, type QueryState } from '../../api/query';
import { useProject } from '../../context/project';
import { ownFigures, type Parameters } from '../data/query';

export type SegmentValue = Schemas['ChartSegment'];
type Dimension = Schemas['Chart']['segments'][number];

export function useSegmentValues(
  chartId: string,
  dimension: string,
  parameters: Parameters,
): QueryState<readonly SegmentValue[]> {
  const { project } = useProject();
  const { interval: _interval, segmentLimit: _limit, ...rest } = ownFigures(parameters);
  const query = { ...rest, segment: dimension as Dimension };
  const path = { id: project.id, chartId };
  return useQuery(`segments|${project.id}|${chartId}|${JSON.stringify(query)}`, async (signal) => {
    const params = { path, query };
    const response = await unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/segments', { params, signal }));
    return response.items;
  });
}

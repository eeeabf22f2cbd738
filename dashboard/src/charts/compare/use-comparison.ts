// Request of a comparison: the displayed chart and another instant, replay or period of it.
import { api, unwrap, type Schemas } from '../../api/client';
import { useQuery, type QueryState } from '../../api/query';
import { useProject } from '../../context/project';
import { query } from '../../context/router';
import type { Parameters } from '../data/query';

export type Comparison = Schemas['ChartComparison'];

/** Other side of the comparison with the displayed chart. */
export type ComparisonBase =
  { readonly thenAsOf: string } | { readonly thenReplay: string } | { readonly previous: string };

/**
 * Returns the other side in the URL: `then` is a time, `thenReplay` a replay, `previous` a period. A replay can be
 * compared only with replays. On the chart's own page, `previous` belongs to the drawing.
 */
export function readComparisonBase({ isPage = false } = {}): ComparisonBase | null {
  const previous = isPage ? query.value.get('previous') : null;
  if (previous !== null) return { previous };
  const thenReplay = query.value.get('thenReplay');
  if (thenReplay !== null) return { thenReplay };
  const then = query.value.get('replay') === null ? query.value.get('then') : null;
  return then === null ? null : { thenAsOf: then };
}

/** Returns the parameters of the comparison; `parameters` are those of the displayed chart. */
export function comparisonQuery(parameters: Parameters, earlier: ComparisonBase): Parameters {
  const { asOf, replay, previous: _shown, ...rest } = parameters;
  if ('previous' in earlier) return { ...parameters, ...earlier };
  const [name, value] = 'thenAsOf' in earlier ? ['nowAsOf', asOf] : ['nowReplay', replay];
  return { ...rest, ...earlier, ...(value !== undefined && { [name]: value }) };
}

export function useComparison(
  chartId: string,
  parameters: Parameters,
  earlier: ComparisonBase,
): QueryState<Comparison> {
  const { project } = useProject();
  const params = { path: { id: project.id, chartId }, query: comparisonQuery(parameters, earlier) };
  return useQuery(`compare|${project.id}|${chartId}|${JSON.stringify(params.query)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/compare', { params, signal })),
  );
}

/** Returns true if the sides are two periods; otherwise they are the same period at two instants or of two replays. */
export function isOfPeriods({ then, now }: Pick<Comparison, 'then' | 'now'>): boolean {
  return then.startDate !== now.startDate;
}

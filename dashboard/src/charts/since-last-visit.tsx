// Tells the user whether values of a chart have changed since their last visit on this device.
import { useEffect, useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { useQuery, type QueryState } from '../api/query';
import type { Schemas } from '../api/client';
import { useProject } from '../app/project';
import { Time } from '../parts/time';
import type { Parameters } from './data/query';

type Comparison = Schemas['ChartComparison'];

/** Visits within this time count as one. */
const MIN_DISTANCE_MS = 3_600_000;

/** Returns the time of the last visit; null if there was none or it was just now. */
export function useLastVisit(chartId: string): string | null {
  const { project } = useProject();
  const place = `looked|${project.id}|${chartId}`;
  const [looked] = useState(() => window.localStorage.getItem(place));
  const isApart = looked !== null && Date.now() - Date.parse(looked) > MIN_DISTANCE_MS;
  useEffect(() => {
    if (looked === null || isApart) window.localStorage.setItem(place, new Date().toISOString());
  }, [place]);
  return isApart ? looked : null;
}

/** Other side of the comparison with the displayed chart. */
export type ComparisonBase = { readonly thenAsOf: string } | { readonly thenReplay: string };

export function useComparison(chartId: string, asked: Parameters, earlier: ComparisonBase): QueryState<Comparison> {
  const { project } = useProject();
  const { asOf, replay, segment: _whole, ...rest } = asked;
  const [name, shown] = 'thenAsOf' in earlier ? ['nowAsOf', asOf] : ['nowReplay', replay];
  const now = shown === undefined ? {} : { [name]: String(shown) };
  const params = { path: { id: project.id, chartId }, query: { ...rest, ...earlier, ...now } };
  return useQuery(`compare|${project.id}|${chartId}|${JSON.stringify(params.query)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/compare', { params, signal })),
  );
}

export function SinceLastVisit({
  chartId,
  asked,
  measure,
  looked,
  onShow,
}: {
  readonly chartId: string;
  readonly asked: Parameters;
  readonly measure: string;
  readonly looked: string;
  readonly onShow: () => void;
}) {
  const { data } = useComparison(chartId, asked, { thenAsOf: looked });
  const buckets = data?.buckets ?? [];
  const changed = buckets.filter(({ values }) => {
    const value = values[measure];
    return value && value.then !== null && value.then !== value.now;
  }).length;
  if (changed === 0) return null;
  return (
    <p class="note row">
      <span>
        {changed} of {buckets.length} values have changed since your last visit, <Time at={looked} isAgo />.
      </span>
      <button type="button" onClick={onShow}>
        Show what
      </button>
    </p>
  );
}

// Whether a chart says something else of the same days than when this reader last looked at it, on this device.
import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../api/client';
import { useQuery, type QueryState } from '../api/query';
import type { Schemas } from '../api/client';
import { useProject } from '../app/project';
import { Time } from '../parts/time';
import type { Parameters } from './data/query';

type Comparison = Schemas['ChartComparison'];

/** A look sooner after another is the same look. */
const APART_MS = 3_600_000;

/** When it was last looked at; null where that was just now, or never. */
export function useLastLook(chartId: string): string | null {
  const { project } = useProject();
  const place = `looked|${project.id}|${chartId}`;
  const [looked] = useState(() => window.localStorage.getItem(place));
  const isApart = looked !== null && Date.now() - Date.parse(looked) > APART_MS;
  useEffect(() => {
    if (looked === null || isApart) window.localStorage.setItem(place, new Date().toISOString());
  }, [place]);
  return isApart ? looked : null;
}

export function useComparison(chartId: string, asked: Parameters, then: string): QueryState<Comparison> {
  const { project } = useProject();
  const { asOf, segment: _whole, ...rest } = asked;
  const now = asOf === undefined ? {} : { nowAsOf: String(asOf) };
  const params = { path: { id: project.id, chartId }, query: { ...rest, thenAsOf: then, ...now } };
  return useQuery(`compare|${project.id}|${chartId}|${JSON.stringify(params.query)}`, (signal) =>
    ask(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/compare', { params, signal })),
  );
}

export function SinceLastLook({
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
  const { data } = useComparison(chartId, asked, looked);
  const buckets = data?.buckets ?? [];
  const changed = buckets.filter(({ values }) => {
    const value = values[measure];
    return value && value.then !== null && value.then !== value.now;
  }).length;
  if (changed === 0) return null;
  return (
    <p class="note row">
      <span>
        {changed} of {buckets.length} figures changed since you last looked, <Time at={looked} isAgo />.
      </span>
      <button type="button" onClick={onShow}>
        Show what
      </button>
    </p>
  );
}

// Tells the user whether values of a chart have changed since their last visit on this device.
import { useEffect, useState } from 'preact/hooks';
import { useProject } from '../../context/project';
import { setQuery } from '../../context/router';
import { Time } from '../../parts/time';
import type { Parameters } from '../data/query';
import { useComparison } from './use-comparison';

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

export function SinceLastVisit({
  chartId,
  parameters,
  measure,
  looked,
}: {
  readonly chartId: string;
  readonly parameters: Parameters;
  readonly measure: string;
  readonly looked: string;
}) {
  const { data } = useComparison(chartId, parameters, { thenAsOf: looked });
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
      <button type="button" onClick={() => setQuery({ tab: 'changed', then: looked, thenReplay: null })}>
        Show what
      </button>
    </p>
  );
}

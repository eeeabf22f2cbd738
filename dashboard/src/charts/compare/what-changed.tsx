// Explains why values have changed: the same chart as of two times, with the events recorded in between; or a comparison of two replays.
import { useProject } from '../../context/project';
import { query, setQuery } from '../../context/router';
import { timeZone } from '../../context/time-zone';
import { Select } from '../../parts/form';
import { Link } from '../../parts/link';
import { QueryView } from '../../parts/states';
import { useReplays } from '../controls/replays';
import type { ChartDescription, Parameters } from '../data/query';
import { Differences } from './differences';
import { InstantChoice } from './instant-choice';
import { comparisonQuery, readComparisonBase, useComparison, type ComparisonBase } from './use-comparison';

type Props = { readonly chart: ChartDescription; readonly parameters: Parameters; readonly measure: string };

export function WhatChanged({ chart, parameters, measure }: Props) {
  const { base } = useProject();
  const isOfReplay = parameters['replay'] !== undefined;
  const earlier = readComparisonBase();
  const show = (instant: string | null) => setQuery({ tab: 'changed', then: instant, thenReplay: null });
  return (
    <>
      <div class="row end controls">
        {!isOfReplay && (
          <InstantChoice label={`Since (${timeZone.value})`} instant={query.value.get('then')} onChange={show} />
        )}
        <ReplayComparison shown={String(parameters['replay'] ?? '')} chosen={query.value.get('thenReplay')} />
        {earlier !== null && (
          <>
            <button type="button" onClick={() => show(null)}>
              Close
            </button>
            <Link to={compareUrl(base, chart.id)}>Open in Compare</Link>
          </>
        )}
      </div>
      {earlier === null ? (
        <p class="hint">
          {isOfReplay
            ? 'Compares the replay with another one or with live data, period by period, with the reasons.'
            : 'Compares the current figures with those of an earlier instant, period by period, with the reasons.'}
        </p>
      ) : (
        <ComparisonView chart={chart} parameters={parameters} measure={measure} earlier={earlier} />
      )}
    </>
  );
}

/** `shown` is the displayed replay, or '' for live data. */
function ReplayComparison({ shown, chosen }: { readonly shown: string; readonly chosen: string | null }) {
  const ready = (useReplays().data?.items ?? []).filter(({ state }) => state === 'ready');
  const others = ready.filter(({ name }) => name !== shown);
  return (
    <>
      {others.length > 0 && (
        <Select
          label="Compare with replay"
          value={chosen ?? ''}
          options={[['', 'None'], ...others.map(({ name }) => [name, name] as const)]}
          onChange={({ currentTarget }) =>
            setQuery({ tab: 'changed', thenReplay: currentTarget.value || null, then: null })
          }
        />
      )}
      {shown !== '' && (
        <button type="button" onClick={() => setQuery({ tab: 'changed', replay: null, thenReplay: shown, then: null })}>
          Compare with live data
        </button>
      )}
    </>
  );
}

function ComparisonView({ chart, parameters, measure, earlier }: Props & { readonly earlier: ComparisonBase }) {
  const compared = useComparison(chart.id, parameters, earlier);
  const scope = { chartId: chart.id, query: comparisonQuery(parameters, earlier) };
  return (
    <QueryView of={compared} what="the comparison">
      {(comparison) => <Differences comparison={comparison} measure={measure} scope={scope} />}
    </QueryView>
  );
}

/** Returns the URL of the same comparison on its own page. */
function compareUrl(base: string, chartId: string): string {
  const params = new URLSearchParams(query.value);
  for (const name of ['tab', 'bucket', 'of', 'column', 'value', 'previous', 'show']) params.delete(name);
  params.set('chart', chartId);
  return `${base}/compare?${params.toString()}`;
}

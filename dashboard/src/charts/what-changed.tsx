// Explains why values have changed: the same chart as of two times, with the events recorded in between; or a comparison of two replays.
import { query, setQuery } from '../app/router';
import { Select } from '../parts/form';
import { QueryView } from '../parts/states';
import type { Parameters } from './data/query';
import { Differences } from './differences';
import { useReplays } from './replays';
import { SinceLastVisit, useComparison, useLastVisit, type ComparisonBase } from './since-last-visit';

const DAY_MS = 86_400_000;

type Props = { readonly chartId: string; readonly asked: Parameters; readonly measure: string };

/** The URL contains the other side: `then` is a time, `thenReplay` a replay. A replay can be compared only with replays. */
export function WhatChanged({ chartId, asked, measure }: Props) {
  const isOfReplay = asked['replay'] !== undefined;
  const then = isOfReplay ? null : query.value.get('then');
  const thenReplay = query.value.get('thenReplay');
  const earlier: ComparisonBase | null =
    thenReplay !== null ? { thenReplay } : then !== null ? { thenAsOf: then } : null;
  const show = (instant: string | null) => setQuery({ then: instant, thenReplay: null });
  const looked = useLastVisit(chartId);
  return (
    <section class="card" aria-labelledby="changed-title">
      <h2 id="changed-title">What changed?</h2>
      {looked !== null && earlier === null && !isOfReplay && (
        <SinceLastVisit chartId={chartId} asked={asked} measure={measure} looked={looked} onShow={() => show(looked)} />
      )}
      <div class="row end controls">
        {!isOfReplay && <TimeChoice then={then} onShow={show} />}
        <ReplayComparison shown={String(asked['replay'] ?? '')} chosen={thenReplay} />
        {earlier !== null && (
          <button type="button" onClick={() => show(null)}>
            Close
          </button>
        )}
      </div>
      {earlier === null ? (
        <p class="hint">
          {isOfReplay
            ? 'Compares the replay with another one or with live data, bucket by bucket, with the reasons.'
            : 'Compares the current figures with those of an earlier instant, bucket by bucket, with the reasons.'}
        </p>
      ) : (
        <ComparisonView chartId={chartId} asked={asked} measure={measure} earlier={earlier} />
      )}
    </section>
  );
}

function TimeChoice({
  then,
  onShow,
}: {
  readonly then: string | null;
  readonly onShow: (instant: string | null) => void;
}) {
  const ago = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - days * DAY_MS).toISOString();
  return (
    <>
      <p class="field">
        <label for="changed-since">Since (UTC)</label>
        <input
          id="changed-since"
          type="datetime-local"
          value={(then ?? '').slice(0, 16)}
          onChange={({ currentTarget: { value } }) =>
            onShow(value === '' ? null : new Date(`${value}:00Z`).toISOString())
          }
        />
      </p>
      {[1, 7, 30].map((days) => (
        <button key={days} type="button" onClick={() => onShow(ago(days))}>
          {days === 1 ? 'A day ago' : `${days} days ago`}
        </button>
      ))}
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
          options={[['', 'none'], ...others.map(({ name }) => [name, name] as const)]}
          onChange={({ currentTarget }) => setQuery({ thenReplay: currentTarget.value || null, then: null })}
        />
      )}
      {shown !== '' && (
        <button type="button" onClick={() => setQuery({ replay: null, thenReplay: shown, then: null })}>
          Compare with live data
        </button>
      )}
    </>
  );
}

function ComparisonView({ chartId, asked, measure, earlier }: Props & { readonly earlier: ComparisonBase }) {
  const compared = useComparison(chartId, asked, earlier);
  return (
    <QueryView of={compared} what="the comparison">
      {(comparison) => <Differences comparison={comparison} measure={measure} />}
    </QueryView>
  );
}

// Why a figure is another today than it was: the same chart as known at two instants, and what was learned in between.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { useProject } from '../app/project';
import { query, setQuery } from '../app/router';
import { count, inUnit, utc, words } from '../parts/format';
import { Link } from '../parts/link';
import { Shown } from '../parts/states';
import { changesOf } from './data/changes';
import type { Parameters } from './data/query';
import { SinceLastLook, useComparison, useLastLook } from './since-last-look';

type Comparison = Schemas['ChartComparison'];
type Difference = Schemas['ChartDifference'];

const DAY_MS = 86_400_000;

export function WhatChanged({
  chartId,
  asked,
  measure,
}: {
  readonly chartId: string;
  readonly asked: Parameters;
  readonly measure: string;
}) {
  const then = query.value.get('then');
  const show = (instant: string | null) => setQuery({ then: instant });
  const ago = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - days * DAY_MS).toISOString();
  const looked = useLastLook(chartId);
  return (
    <section class="card" aria-labelledby="changed-title">
      <h2 id="changed-title">What changed?</h2>
      {looked !== null && then === null && (
        <SinceLastLook chartId={chartId} asked={asked} measure={measure} looked={looked} onShow={() => show(looked)} />
      )}
      <div class="row end controls">
        <p class="field">
          <label for="changed-since">Since (UTC)</label>
          <input
            id="changed-since"
            type="datetime-local"
            value={(then ?? '').slice(0, 16)}
            onChange={({ currentTarget: { value } }) =>
              show(value === '' ? null : new Date(`${value}:00Z`).toISOString())
            }
          />
        </p>
        {[1, 7, 30].map((days) => (
          <button key={days} type="button" onClick={() => show(ago(days))}>
            {days === 1 ? 'A day ago' : `${days} days ago`}
          </button>
        ))}
        {then !== null && (
          <button type="button" onClick={() => show(null)}>
            Close
          </button>
        )}
      </div>
      {then === null ? (
        <p class="hint">Compares what is known now with what was known then, bucket by bucket, with the reasons.</p>
      ) : (
        <Compared chartId={chartId} asked={asked} measure={measure} then={then} />
      )}
    </section>
  );
}

function Compared({
  chartId,
  asked,
  measure,
  then,
}: {
  readonly chartId: string;
  readonly asked: Parameters;
  readonly measure: string;
  readonly then: string;
}) {
  const compared = useComparison(chartId, asked, then);
  return (
    <Shown of={compared} what="the comparison">
      {(comparison) => <Differences comparison={comparison} measure={measure} />}
    </Shown>
  );
}

const MOST_ROWS = 200;

function Differences({ comparison, measure }: { readonly comparison: Comparison; readonly measure: string }) {
  const [most, setMost] = useState(MOST_ROWS);
  const { name, kind, interval, measures, then, now } = comparison;
  const shown = measures.find(({ id }) => id === measure) ?? measures[0];
  if (!shown) return null;
  const changes = changesOf(comparison, shown);
  const widest = Math.max(...changes.map(({ value }) => Math.abs(value.difference ?? 0)), 1e-9);
  if (changes.length === 0) {
    return (
      <p role="status">
        Nothing: {name} was the same as known on {utc(then.asOf)}.
      </p>
    );
  }
  return (
    <div class="scroll">
      <table>
        <caption>
          {shown.name} as known on {utc(then.asOf)} and on {utc(now.asOf)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{kind === 'cohort' ? `Cohort, ${interval} of life` : words(interval)}</th>
            <th scope="col" class="number">
              Then
            </th>
            <th scope="col" class="number">
              Now
            </th>
            <th scope="col" class="number">
              Difference
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, most).map(({ place, unit, value }) => (
            <tr key={place}>
              <th scope="row">{place}</th>
              <td class="number">{inUnit(value.then, unit)}</td>
              <td class="number">{inUnit(value.now, unit)}</td>
              <td class="number">
                {inUnit(value.difference, unit)}
                <meter min={0} max={widest} value={Math.abs(value.difference ?? 0)} aria-hidden="true" />
              </td>
              <td>
                <Reasons of={value} unit={unit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > most && (
        <button type="button" onClick={() => setMost(most + MOST_ROWS)}>
          Show {Math.min(MOST_ROWS, changes.length - most)} earlier ones of {count(changes.length - most)}
        </button>
      )}
    </div>
  );
}

function Reasons({ of: { reasons = [] }, unit }: { readonly of: Difference; readonly unit: string }) {
  const { base } = useProject();
  if (reasons.length === 0) return <>–</>;
  const ordered = reasons.filter(({ amount }) => amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  return (
    <ul class="plain">
      {ordered.map(({ kind, amount, count, customers }) => (
        <li key={kind}>
          <details>
            <summary>
              {inUnit(amount, unit)} {kindName(kind)} ({count} {count === 1 ? 'customer' : 'customers'})
            </summary>
            {customers.map((id, i) => (
              <Link key={id} to={`${base}/customers/${id}`}>
                {`customer ${i + 1} `}
              </Link>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** `SubscriptionRenewed` as `subscription renewed`. */
function kindName(kind: string): string {
  if (kind === 'time') return 'by the passing of time';
  return kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

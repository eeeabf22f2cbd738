// Differences of a comparison as a table, with the reasons and the customers of each.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { useProject } from '../app/project';
import { count, formatInUnit, utc, wordsOf } from '../parts/format';
import { Link } from '../parts/link';
import { changesOf } from './data/changes';

type Comparison = Schemas['ChartComparison'];
type Difference = Schemas['ChartDifference'];

const MAX_ROWS = 200;

export function Differences({ comparison, measure }: { readonly comparison: Comparison; readonly measure: string }) {
  const [most, setMost] = useState(MAX_ROWS);
  const { name, kind, interval, measures, then, now } = comparison;
  const shown = measures.find(({ id }) => id === measure) ?? measures[0];
  if (!shown) return null;
  const changes = changesOf(comparison, shown);
  const widest = Math.max(...changes.map(({ value }) => Math.abs(value.difference ?? 0)), 1e-9);
  if (changes.length === 0) {
    return (
      <p role="status">
        Nothing: {name} {then.replay ? 'is' : 'was'} the same {sideName(then)}.
      </p>
    );
  }
  return (
    <div class="scroll">
      <table>
        <caption>
          {shown.name} {sideName(then)} and {sideName(now)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{kind === 'cohort' ? `Cohort, ${interval} of life` : wordsOf(interval)}</th>
            <th scope="col" class="number">
              {then.replay?.name ?? 'Then'}
            </th>
            <th scope="col" class="number">
              {now.replay?.name ?? 'Now'}
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
              <td class="number">{formatInUnit(value.then, unit)}</td>
              <td class="number">{formatInUnit(value.now, unit)}</td>
              <td class="number">
                {formatInUnit(value.difference, unit)}
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
        <button type="button" onClick={() => setMost(most + MAX_ROWS)}>
          Show {Math.min(MAX_ROWS, changes.length - most)} earlier ones of {count(changes.length - most)}
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
              {formatInUnit(amount, unit)} {kindName(kind)} ({count} {count === 1 ? 'customer' : 'customers'})
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

function sideName({ asOf, replay }: Comparison['then']): string {
  return replay ? `in the replay ${replay.name}` : `as of ${utc(asOf)}`;
}

/** Converts `SubscriptionRenewed` to `subscription renewed`. */
function kindName(kind: string): string {
  if (kind === 'time') return 'time elapsed';
  if (kind === 'setting') return 'settings of the replay';
  return kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

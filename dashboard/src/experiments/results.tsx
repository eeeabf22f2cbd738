// Results of an experiment, side by side by variant. Amounts appear only for roles that may see them.
import { count, money } from '../parts/format';
import type { Experiment } from './experiment-fields';

type Row = Experiment['results'][number];

const COLUMNS: readonly (readonly [name: string, value: (row: Row) => string | null])[] = [
  ['Customers', (r) => count(r.customers)],
  ['Paying', (r) => count(r.payingCustomers)],
  ['Conversion to paying', (r) => share(r.conversionToPayingRate)],
  ['Initial conversion', (r) => share(r.initialConversionRate)],
  ['Trials', (r) => count(r.trialsStarted)],
  ['Trial conversion', (r) => share(r.trialConversionRate)],
  ['Active', (r) => count(r.activeSubscribers)],
  ['Churned', (r) => count(r.churnedSubscribers)],
  ['Refunded', (r) => count(r.refundedCustomers)],
  ['Revenue', (r) => amount(r.realizedLtvUsd)],
  ['Revenue per customer', (r) => amount(r.realizedLtvPerCustomer)],
  ['MRR', (r) => amount(r.mrr)],
  ['Chance to win', (r) => (r.chanceToWin ? share(r.chanceToWin.conversionToPayingRate) : '–')],
];

export function Results({ experiment: { results, status } }: { readonly experiment: Experiment }) {
  const columns = COLUMNS.filter(([, value]) => results.some((row) => value(row) !== null));
  return (
    <section class="card" aria-labelledby="results-title">
      <h2 id="results-title">Results</h2>
      {status === 'draft' || results.length === 0 ? (
        <p>Results appear once the experiment is running.</p>
      ) : (
        <div class="scroll" role="group" aria-label="Results" tabIndex={0}>
          <table>
            <caption>Enrolled customers so far; the chance to win is for conversion to paying</caption>
            <thead>
              <tr>
                <th scope="col">Variant</th>
                {columns.map(([name]) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {results.map((row) => (
                <tr key={row.variantId}>
                  <th scope="row">
                    {row.name} {row.isControl && <span class="badge">control</span>}
                  </th>
                  {columns.map(([name, value]) => (
                    <td key={name} class="number">
                      {value(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function share(rate: number | null): string {
  if (rate === null) return '–';
  return rate.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 });
}

/** Returns null if the role may not see amounts. */
function amount(usd: number | null | undefined): string | null {
  if (usd === undefined) return null;
  return usd === null ? '–' : money(usd);
}

// Results of an experiment, side by side by variant, the primary metric first. Amounts appear only for roles that may see them.
import { count, money } from '../parts/format';
import { metricName } from '../names/experiments';
import { chanceText, differenceText, primaryValue, share } from './comparison-words';
import type { Experiment } from './experiment-fields';
import { SegmentResults } from './segment-results';

type Row = Experiment['results'][number];
type Column = readonly [name: string, value: (row: Row) => string | null];

const COLUMNS: readonly Column[] = [
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
];

function primaryColumns({ comparison, primaryMetric }: Experiment): readonly Column[] {
  if (!comparison) return [];
  const { unit } = comparison;
  const name = metricName(primaryMetric);
  return [
    ['Chance to win', (r) => (r.primary ? chanceText(r.primary) : '–')],
    [`${name[0]?.toUpperCase()}${name.slice(1)}`, (r) => valueText(r, unit)],
    ['Difference to control (95% interval)', (r) => (r.primary ? differenceText(r.primary, unit) : '–')],
  ];
}

function valueText({ primary }: Row, unit: NonNullable<Experiment['comparison']>['unit']): string | null {
  if (!primary) return '–';
  return primary.value === undefined ? null : primaryValue(primary.value, unit);
}

export function Results({ experiment }: { readonly experiment: Experiment }) {
  const { results, status } = experiment;
  const own = primaryColumns(experiment);
  const names = new Set(own.map(([name]) => name));
  const columns = [
    ['Customers', (r: Row) => count(r.customers)] as const,
    ...own,
    ...COLUMNS.filter(([name]) => !names.has(name)),
  ].filter(([, value]) => results.some((row) => value(row) !== null));
  return (
    <section class="card" aria-labelledby="results-title">
      <h2 id="results-title">Results</h2>
      {status === 'draft' || results.length === 0 ? (
        <p>Results appear once the experiment is running.</p>
      ) : (
        <>
          <RatioWarning experiment={experiment} />
          <div class="scroll" role="group" aria-label="Results" tabIndex={0}>
            <table>
              <caption>
                Enrolled customers so far; the chance to win is for {metricName(experiment.primaryMetric)}
              </caption>
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
          <Definitions experiment={experiment} />
          <SegmentResults experiment={experiment} />
        </>
      )}
    </section>
  );
}

function RatioWarning({ experiment: { ratioCheck, variants, results } }: { readonly experiment: Experiment }) {
  if (!ratioCheck.isSuspicious) return null;
  const enrolled = results.map(({ name, customers }) => `${name} ${count(customers)}`).join(', ');
  const weights = variants.map(({ weight }) => weight).join(' to ');
  return (
    <p class="fault" role="alert">
      The numbers of customers ({enrolled}) do not fit the weights ({weights}): by chance alone this happens less than
      once in {count(1 / ratioCheck.threshold)} experiments. One side loses customers, for example because an app
      version never asks for offerings. Do not trust the results until the cause is found.
    </p>
  );
}

function Definitions({ experiment: { comparison, ratioCheck } }: { readonly experiment: Experiment }) {
  return (
    <details>
      <summary>How this is computed</summary>
      <dl>
        {comparison && (
          <>
            <dt>Primary metric</dt>
            <dd>{comparison.definition}</dd>
            <dt>Better</dt>
            <dd>{comparison.isLowerBetter ? 'The lower value wins.' : 'The higher value wins.'}</dd>
            <dt>Least number</dt>
            <dd>
              No chance is shown below {count(comparison.minCustomers)} customers in the variant or the control
              {comparison.minOutcomes !== null &&
                `, or below ${count(comparison.minOutcomes)} customers there with an amount other than zero`}
              .
            </dd>
            <dt>When to look</dt>
            <dd>
              Fix the end before the start. Who looks every day and stops at the first high chance finds winners that
              are none; the same holds for the best of many segments.
            </dd>
          </>
        )}
        <dt>Who counts</dt>
        <dd>
          Customers from their enrolment on, with production purchases that are not shared by a family, until 400 days
          after the end. Erased customers are in no variant.
        </dd>
        <dt>Ratio of the variants</dt>
        <dd>
          Pearson’s chi-square test of the enrolled customers against the weights
          {ratioCheck.chance !== null && `: now ${share(ratioCheck.chance)}`}. Below {share(ratioCheck.threshold)} the
          page warns.
        </dd>
      </dl>
    </details>
  );
}

/** Returns null if the role may not see amounts. */
function amount(usd: number | null | undefined): string | null {
  if (usd === undefined) return null;
  return usd === null ? '–' : money(usd);
}

// Definition of a chart: in words with an example, and as SQL over exported facts.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../../api/client';
import { useQuery } from '../../api/query';
import { useProject } from '../../context/project';
import { timeZone } from '../../context/time-zone';
import { formatInUnit } from '../../parts/format';
import { QueryView } from '../../parts/states';
import { toast } from '../../parts/toast';
import type { ChartDescription } from '../data/query';
import { bucketName } from '../data/series';

export function Definition({ chart }: { readonly chart: ChartDescription }) {
  const { project } = useProject();
  const [statement, setStatement] = useState<string | null>(null);
  const definition = useQuery(`definition|${chart.id}`, (signal) => {
    const params = { path: { id: project.id, chartId: chart.id } };
    return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/definition', { params, signal }));
  });
  const load = async () => {
    const { statementOf } = await import('../../../../src/domain/charts/sql/charts-sql');
    setStatement(statementOf(chart));
  };
  const copy = async () => {
    await navigator.clipboard.writeText(statement ?? '');
    toast('Copied.');
  };
  return (
    <>
      <p>{chart.description}</p>
      <QueryView of={definition} what="the definition">
        {(loaded) => <InWords definition={loaded} />}
      </QueryView>
      <p>
        Days, weeks and months begin at midnight UTC
        {timeZone.value !== 'UTC' && `; times are those of ${timeZone.value}`}.
      </p>
      <details onToggle={() => void load().catch((err: Error) => toast(err.message))}>
        <summary>In SQL</summary>
        {statement !== null && (
          <>
            <p class="hint">
              For DuckDB, on the files of <code>subledger export-facts --project … --to FOLDER</code>.
            </p>
            <pre tabIndex={0} aria-label={`${chart.name} in SQL`}>
              {statement}
            </pre>
            <p class="row">
              <button type="button" aria-label="Copy the SQL" onClick={() => void copy()}>
                Copy
              </button>
            </p>
          </>
        )}
      </details>
    </>
  );
}

type Definition = Schemas['ChartDefinition'];

const caseNames: Readonly<Record<Definition['edgeCases'][number]['case'], string>> = {
  ...{ trials: 'Trials', grace: 'Grace periods', annual: 'Yearly plans', taxes: 'Taxes' },
  ...{ refunds: 'Refunds', currency: 'Currencies' },
};

function InWords({ definition: { formulas, edgeCases, example } }: { readonly definition: Definition }) {
  const { steps, month, column, figures, because } = example;
  return (
    <>
      <dl>
        {formulas.map(({ measure, name, text }) => (
          <div key={measure}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>What about …</h3>
      <dl>
        {edgeCases.map(({ case: one, text }) => (
          <div key={one}>
            <dt>{caseNames[one]}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>Example</h3>
      <ul>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <div class="scroll">
        <table>
          <caption>
            {bucketName(month, 'month')}
            {column !== undefined && `, month ${column}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col" class="number">
                Calculation
              </th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.map(({ measure, name, calculation, value, unit }) => (
              <tr key={measure}>
                <th scope="row">{name}</th>
                <td class="number">{signsOf(calculation)}</td>
                <td class="number">{formatInUnit(value, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{because}</p>
    </>
  );
}

/** Replaces the signs of a calculation by those of print. */
function signsOf(calculation: string): string {
  return calculation.replaceAll('*', '×').replaceAll('/', '÷').replaceAll('-', '−');
}

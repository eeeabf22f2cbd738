// Definition of a chart: in words, and as SQL over exported facts.
import { useState } from 'preact/hooks';
import { toast } from '../../parts/toast';
import type { ChartDescription } from '../data/query';

export function Definition({ chart }: { readonly chart: ChartDescription }) {
  const [statement, setStatement] = useState<string | null>(null);
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
      {chart.measures.length > 1 && <p>Measures: {chart.measures.map(({ name }) => name).join(', ')}.</p>}
      <p>Days, weeks and months begin at midnight UTC.</p>
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

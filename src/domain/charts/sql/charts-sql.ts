// Chart definitions as SQL for DuckDB, over the files of `subledger export-facts`. The export, the dashboard and docs/charts.md share this
// single source; tests compare its results with the charts.
import type { Chart } from '../catalogue/chart.js';
import { customerStatements } from './customer-statements.js';
import { moneyStatements, subscriptionStatements } from './purchase-statements.js';

/** Statements by chart: optional comments, and a query without a semicolon. */
const statements: Readonly<Record<string, string>> = {
  ...subscriptionStatements,
  ...moneyStatements,
  ...customerStatements,
};

type ChartDefinition = Pick<Chart, 'id' | 'name' | 'description'>;

/** Returns the query of a chart, preceded by comments that define it. Throws if the chart has none. */
export function statementOf(chart: ChartDefinition): string {
  const { comments, query } = partsOf(chart);
  return `${comments}${query};`;
}

/** Returns the query as the definition of a view with the ID of the chart. */
export function viewOf(chart: ChartDefinition): string {
  const { comments, query } = partsOf(chart);
  return `${comments}CREATE OR REPLACE VIEW ${chart.id} AS\n${query};`;
}

function partsOf({ id, name, description }: ChartDefinition): { readonly comments: string; readonly query: string } {
  const statement = statements[id];
  if (statement === undefined) throw new Error(`chart ${id} has no SQL statement`);
  const query = statement.replace(/^(--.*\n)+/, '');
  const notes = statement.slice(0, statement.length - query.length);
  return { comments: `-- ${name}. ${description}\n${notes}`, query };
}

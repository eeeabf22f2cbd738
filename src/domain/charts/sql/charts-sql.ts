// The definitions of the charts as SQL for DuckDB, over the files of `subledger export-facts`. They have one source, from which the export, the
// dashboard and docs/charts.md take them; tests compare what they give with the charts.
import type { Chart } from '../catalogue/chart.js';
import { customerStatements } from './customer-statements.js';
import { moneyStatements } from './money-statements.js';
import { subscriptionStatements } from './subscription-statements.js';

/** By chart: comments, if any, and a query without an end. */
const statements: Readonly<Record<string, string>> = {
  ...subscriptionStatements,
  ...moneyStatements,
  ...customerStatements,
};

type ChartDefinition = Pick<Chart, 'id' | 'name' | 'description'>;

/** The query of a chart after comments that define it. Throws for a chart without one. */
export function statementOf(chart: ChartDefinition): string {
  const { comments, query } = partsOf(chart);
  return `${comments}${query};`;
}

/** The same as the definition of a view with the id of the chart. */
export function viewOf(chart: ChartDefinition): string {
  const { comments, query } = partsOf(chart);
  return `${comments}CREATE OR REPLACE VIEW ${chart.id} AS\n${query};`;
}

function partsOf({ id, name, description }: ChartDefinition): { readonly comments: string; readonly query: string } {
  const statement = statements[id];
  if (statement === undefined) throw new Error(`${id} has no statement`);
  const query = statement.replace(/^(--.*\n)+/, '');
  const notes = statement.slice(0, statement.length - query.length);
  return { comments: `-- ${name}. ${description}\n${notes}`, query };
}

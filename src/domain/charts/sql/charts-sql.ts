// The definitions of the charts as SQL for DuckDB, over the files of `subledger export-facts`. They have one source, from which the export, the
// dashboard and docs/charts.md take them; tests compare what they give with the charts.
import type { Chart } from '../catalogue/chart.js';
import { customerStatements } from './customer-statements.js';
import { moneyStatements } from './money-statements.js';
import { subscriptionStatements } from './subscription-statements.js';

const statements: Readonly<Record<string, string>> = {
  ...subscriptionStatements,
  ...moneyStatements,
  ...customerStatements,
};

type Described = Pick<Chart, 'id' | 'name' | 'description'>;

/** The statement of a chart, after a comment that defines it. Throws for a chart without one. */
export function statementOf({ id, name, description }: Described): string {
  const statement = statements[id];
  if (statement === undefined) throw new Error(`${id} has no statement`);
  return `-- ${name}. ${description}\n${statement};`;
}

/** The same as the definition of a view that is called as the chart. */
export function viewOf({ id, name, description }: Described): string {
  return `-- ${name}. ${description}\nCREATE OR REPLACE VIEW ${id} AS\n${statements[id]};`;
}

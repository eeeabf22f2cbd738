// The statements of charts.sql, run by DuckDB over exported files, against the reference calculator of the charts: all charts, by every
// interval, with any filters, segments and selectors, as of any instant. PROJECTS=<number> draws more of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { writeChartFacts } from '../../src/cli/facts/export-chart-facts.js';
import { intervals } from '../../src/domain/charts/calendar.js';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import type { ChartQuery, SoldProduct } from '../../src/domain/charts/catalogue/chart-query.js';
import type { CustomerHistory, History, Line } from '../../src/domain/charts/history/history.js';
import { randomHistory } from '../charts-reference/random-history.js';
import { periodOf, randomQuery } from '../charts-reference/random-query.js';
import { queryOf, readableResult } from '../domain/charts/run-query.js';
import { withSegments } from '../domain/charts/one-by-one/segment-counts.js';
import { createCalculator } from '../domain/charts/one-by-one/calculator.js';
import { historiesOf } from '../domain/charts/normal-form.js';
import { chance, type Chance } from '../projections/support/seeded-random.js';
import { openSqlCharts } from './sql-answers.js';

const PROJECTS = Number(process.env['PROJECTS'] ?? 2);
const HISTORIES = 30;
const DAY = 86_400_000;
/** A product that the catalogue did not know when it was bought. */
const SOLD: SoldProduct = { appId: 'app_1', storeProductId: 'sku_late', productId: 'prod_late' };

describe('charts.sql', function () {
  this.timeout(PROJECTS * 60_000);

  it(`gives the figures of the charts, for ${PROJECTS} projects of ${HISTORIES} random histories each`, async () => {
    const random = chance(Number(process.env['SEED'] ?? 1));
    let compared = 0;
    let withFigures = 0;
    for (let round = 0; round < PROJECTS; round++) {
      const customers = randomCustomers(random);
      const asOf = Date.UTC(2025, 1, 1) + random.below(300 * DAY);
      const environment = random.below(5) === 0 ? 'sandbox' : 'production';
      const folder = mkdtempSync(join(tmpdir(), 'facts-'));
      await writeChartFacts(folder, pagesOf(customers), { projectId: 'proj_1', environment, asOf, sold: [SOLD] });
      const sql = await openSqlCharts(folder);
      for (const interval of intervals) {
        const { start, end } = periodOf(interval, asOf, random);
        const period = { start: new Date(start).toISOString(), end: new Date(end).toISOString(), interval };
        for (const { id } of charts) {
          const plain = { ...queryOf(id, { ...randomQuery(asOf, random), ...period, environment }), sold: [SOLD] };
          // SQL has every segment.
          const [q = plain] = withSegments([plain], () => customers.values(), Infinity);
          // A period that has not begun is refused by the service.
          if (q.range.buckets.length === 0) continue;
          const [found, wanted] = [await sql.ask(q), reference(customers, q)];
          const { segment, selectors, filters } = q;
          const asked = JSON.stringify({
            ...period,
            segment,
            selectors,
            filters: [...filters].map(([k, v]) => [k, ...v]),
          });
          const what = `${id} of ${asked} as of ${new Date(asOf).toISOString()} (SEED=${random.seed})`;
          if (!isDeepStrictEqual(found, wanted)) expect(found, what).to.deep.equal(wanted);
          compared++;
          if (/"(?!index)\w+":-?[1-9]/.test(JSON.stringify(wanted))) withFigures++;
        }
      }
      sql.close();
      rmSync(folder, { recursive: true });
    }
    expect(withFigures / compared, `answers with a figure besides 0, SEED=${random.seed}`).to.be.above(0.2);
  });
});

function randomCustomers(random: Chance): ReadonlyMap<string, CustomerHistory> {
  const customers = new Map<string, CustomerHistory>();
  for (let h = 0; h < HISTORIES; h++) {
    for (const [id, { own, merged, movedTo }] of historiesOf(randomHistory(random))) {
      const late = merged.map((m) => ({ ...m, history: withLateProduct(m.history) }));
      customers.set(`${h}.${id}`, { own: withLateProduct(own), merged: late, movedTo });
    }
  }
  return customers;
}

function withLateProduct(history: History): History {
  const named = (line: Line): Line =>
    line.about.productId === null ? { ...line, about: { ...line.about, storeProductId: SOLD.storeProductId } } : line;
  return { ...history, lines: Object.fromEntries(Object.entries(history.lines).map(([id, l]) => [id, named(l)])) };
}

async function* pagesOf(customers: ReadonlyMap<string, CustomerHistory>) {
  yield await Promise.resolve([...customers].map(([customerId, history]) => ({ ...history, customerId })));
}

function reference(customers: ReadonlyMap<string, CustomerHistory>, q: ChartQuery): Readonly<Record<string, unknown>> {
  const calculator = createCalculator(q);
  for (const customer of customers.values()) calculator.add(customer);
  const results = q.segment === null ? new Map([['all', calculator.result()]]) : calculator.segments();
  return Object.fromEntries([...results].map(([segment, result]) => [segment, readableResult(result)]));
}

// Checks filtered and segmented charts as of any instant, and comparisons of two instants with their reasons: the ledgers that were built
// during the run give the same results as the customer histories evaluated one by one.
import { isDeepStrictEqual } from 'node:util';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { listSegments } from '../../../src/domain/charts/result/segment-counts.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import type { QueryCharts, ComparisonResult } from '../../../src/projections/charts/requests/chart-queries.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { reasonsFrom } from '../../domain/charts/reasons-of.js';
import { queryOf, readableResult } from '../../domain/charts/run-query.js';
import { askCustomers, customersIn } from '../../domain/charts/one-by-one/ask-customers.js';
import { shownSegmented } from '../../projections/charts/chart-view.js';
import { chance } from '../../projections/support/seeded-random.js';
import { MAX_SKEW_MS } from '../scenario/faults.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS } from '../scenario/tenant.js';
import type { StoredData } from './stored-data.js';

/** Number of charts per tenant that are also compared. */
const COMPARED_CHARTS = 4;
const MAX_LISTED = 100;
/** Low, so that some segments fall into the remainder. */
const MAX_SEGMENTS = 2;

export async function checkLedgers(simulation: Simulation, { runtime }: StoredData): Promise<string[]> {
  const { docs, timeline, script, tenants, chartClient } = simulation;
  const findings = chartClient.unexpectedErrors.map((error) => `a chart query failed: ${error}`);
  const random = chance(script.seed);
  const readModels = createReadModels(docs, createServing(docs, runtime));
  const reference = askCustomers((projectId) => customersIn(readModels, projectId));
  const now = timeline.now() + MAX_SKEW_MS;
  const instant = () => (random.below(2) === 0 ? now : script.startMs + random.below(now - script.startMs));
  for (const tenant of TENANTS) {
    const { projectId } = tenants[tenant];
    const expectSame = async (what: string, ask: (of: QueryCharts) => Promise<unknown>) => {
      const [actual, expected] = [await ask(chartClient.query), await ask(reference)];
      if (!isDeepStrictEqual(actual, expected))
        findings.push(
          `the ledger of ${tenant} returns ${JSON.stringify(actual)} for ${what}, expected ${JSON.stringify(expected)}`,
        );
    };
    const first = random.below(charts.length);
    for (const [i, { id }] of charts.entries()) {
      const asOf = instant();
      const drawn = randomQuery(asOf, random);
      const all = queryOf(id, drawn);
      const what = `${id} as of ${new Date(asOf).toISOString()}`;
      await expectSame(`segments of ${what}`, (of) => of('segments', projectId, { query: all }));
      const segments = listSegments(await reference('segments', projectId, { query: all }), MAX_SEGMENTS);
      const query = { ...all, segments };
      await expectSame(what, async (of) => shownSegmented(await of('chart', projectId, { query })));
      if ((i - first + charts.length) % charts.length >= COMPARED_CHARTS) continue;
      const thenAt = Math.min(asOf, instant());
      const then = { ...queryOf(id, { ...drawn, asOf: new Date(thenAt).toISOString() }), segments };
      await expectSame(`${what}, compared with ${new Date(thenAt).toISOString()},`, async (of) =>
        readableComparison(await of('compare', projectId, { then, now: query, mostListed: MAX_LISTED }), id),
      );
    }
  }
  return findings;
}

/** Returns both sides, and the reasons of each difference by measure and place. */
function readableComparison({ then, now, reasons }: ComparisonResult, id: string): unknown {
  const of = reasonsFrom(reasons);
  const measures = charts.find((chart) => chart.id === id)?.measures.map((measure) => measure.id) ?? [];
  const values = [null, ...(now.segments?.keys() ?? [])];
  const places = [...listPlaces(now.result)];
  const listed = values.flatMap((value) =>
    measures.flatMap((measure) =>
      places.map(([track, index]) =>
        of(value, measure, track, index).map(({ customers, ...rest }) => ({
          ...rest,
          customers: [...customers].sort(),
        })),
      ),
    ),
  );
  const segments = (side: ComparisonResult['then']) =>
    [...(side.segments ?? [])].map(([value, result]) => [value, readableResult(result)]);
  return {
    then: [readableResult(then.result), segments(then)],
    now: [readableResult(now.result), segments(now)],
    listed,
  };
}

function* listPlaces(result: ComparisonResult['now']['result']): Generator<readonly [number, number]> {
  if (result.kind === 'series') for (const i of result.buckets.keys()) yield [0, i];
  else for (const [row, { columns }] of result.rows.entries()) for (let k = 0; k < columns.count; k++) yield [row, k];
}

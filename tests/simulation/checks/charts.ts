// Checks that each chart from the served read models equals the brute-force reference on the events of the log, for now and as of an
// earlier instant.
import { isDeepStrictEqual } from 'node:util';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { intervals, type Interval } from '../../../src/domain/charts/calendar.js';
import { readChart } from '../../../src/projections/charts/query-chart.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { createRandom } from '../../../simulator/random.js';
import { createReference } from '../../charts-reference/reference.js';
import { bucketStart, plus } from '../../charts-reference/time.js';
import { queryOf, readableResult } from '../../domain/charts/run-query.js';
import { expectedOf, sourcesWith } from '../../projections/charts/reading.js';
import { normalEvents } from '../../domain/charts/recorded-events.js';
import { MAX_SKEW_MS } from '../scenario/faults.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS } from '../scenario/tenant.js';
import type { StoredData } from './stored-data.js';

const BUCKETS = { day: 8, week: 10, month: 4, quarter: 2, year: 2 } as const;

export async function checkCharts(simulation: Simulation, { events, runtime }: StoredData): Promise<string[]> {
  const { docs, timeline, script, tenants } = simulation;
  const findings: string[] = [];
  const random = createRandom(`charts ${script.seed}`);
  const readModels = createReadModels(docs, createServing(docs, runtime));
  const sources = sourcesWith(readModels, expectedOf(readModels));
  const now = timeline.now() + MAX_SKEW_MS;
  for (const tenant of TENANTS) {
    const { projectId } = tenants[tenant];
    const before = script.startMs + random.whole(0, now - script.startMs);
    for (const asOf of random.chance(0.5) ? [now, before] : [now]) {
      const reference = createReference(normalEvents(events, projectId, asOf), asOf);
      const interval = intervals[random.whole(0, intervals.length - 1)] as Interval;
      const end = plus(bucketStart(asOf, interval), random.whole(0, 2), interval);
      const start = plus(end, -random.whole(1, BUCKETS[interval]), interval);
      for (const { id } of charts) {
        const iso = (ms: number) => new Date(ms).toISOString();
        const o = { start: iso(start), end: iso(end), interval, asOf: iso(asOf) };
        const read = await readChart(sources, projectId, queryOf(id, o), asOf === now);
        const expected = reference(id, { start, end, interval, now: asOf });
        const actual = commonFields('result' in read ? readableResult(read.result) : read);
        if (!isDeepStrictEqual(actual, expected))
          findings.push(
            `${id} of ${tenant} ${JSON.stringify(o)} is ${JSON.stringify(actual)} and not ${JSON.stringify(expected)}`,
          );
      }
    }
  }
  return findings;
}

/** Drops the fields that only one of the two results has. */
function commonFields(result: unknown): unknown {
  const { kind, buckets, rows } = result as Record<string, unknown>;
  return kind === 'series' ? { kind, buckets } : { kind, rows };
}

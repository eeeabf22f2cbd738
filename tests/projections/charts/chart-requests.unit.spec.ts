// Chart requests, answered by the ledgers and by the customer histories. HISTORIES=<number> draws more.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { addCounts, listSegments } from '../../../src/domain/charts/result/segment-counts.js';
import { bucketedRangeOf } from '../../../src/domain/charts/result/buckets.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import type { Ledgers } from '../../../src/projections/charts/ledger/ledgers.js';
import { buffersIn, packResponse, unpackResponse } from '../../../src/projections/charts/requests/chart-messages.js';
import {
  createChartQueries,
  createPartQueries,
  type ChartResponses,
  type ComparisonResult,
  type QueryCharts,
  type QueryPart,
} from '../../../src/projections/charts/requests/chart-queries.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { reasonsFrom } from '../../domain/charts/reasons-of.js';
import { queryOf } from '../../domain/charts/run-query.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import { chance } from '../support/seeded-random.js';
import { PROJECT } from '../support/spec.js';
import { emptyLog, expressible, record } from './recorded-log.js';
import { askCustomers, customersIn } from '../../domain/charts/one-by-one/ask-customers.js';
import { openReading } from './reading.js';
import { measureWeightsOf } from '../../../src/domain/charts/compare/measure-weights.js';
import type { ChartQuery } from '../../../src/domain/charts/catalogue/chart-query.js';
import type { WhatIf } from '../../../src/domain/charts/what-if.js';
import type { Rates } from '../../../src/domain/rates/rates.js';
import { correctedRates, patchyRates } from '../../charts-reference/random-rates.js';

/** Undefined: those by which things happened, on both sides. */
const otherRules: readonly (WhatIf | undefined)[] = [
  undefined,
  { commission: 0.05 },
  { refundPolicy: 'keep_until_expiry' },
  { refundPolicy: 'revoke_immediately', commission: 0 },
];
const HISTORIES = Number(process.env['HISTORIES'] ?? 6);
const DAY = 86_400_000;
const projection = customerHistories as unknown as Projection;

describe('questions about charts', () => {
  it(`are answered by the ledgers as by the customers, on ${HISTORIES} random histories, also under other rules and in another currency`, async function () {
    this.timeout(120_000);
    // The six histories of this seed have customers in cohort columns, and comparisons in which rates are a reason.
    const random = chance(Number(process.env['SEED'] ?? 3));
    let [byRates, ofColumns] = [0, 0];
    for (let n = 0; n < HISTORIES || (byRates === 0 && n < 20 * HISTORIES); n++) {
      const events = expressible(randomHistory(random));
      const [fromLedger, byCustomers] = await answers(1 + 2 * (n % 2), await foldedDocs(events));
      const byLedger = beside(fromLedger);
      const rates = [patchyRates(random)];
      // Few transactions lie on days that a correction changes: mostly all days have other rates.
      rates.push(random.below(4) === 0 ? correctedRates(rates[0] as Rates, random) : patchyRates(random));
      for (const { id } of charts) {
        const what = `${id} (history ${n}, SEED=${random.seed})`;
        const instants = [0, 1].map(() => Date.UTC(2025, 1, 1) + random.below(300 * DAY)).sort((a, b) => a - b);
        const asked = { ...randomQuery(instants[0] ?? 0, random), environment: 'production' as const };
        const isConverted = random.below(3) === 0;
        const rules = otherRules[random.below(otherRules.length)];
        const sides = instants.map((asOf, i): ChartQuery => {
          const query = inCurrency(
            queryOf(id, { ...asked, asOf: new Date(asOf).toISOString() }),
            isConverted ? rates[i] : undefined,
            i === 1,
          );
          return rules && random.below(2) === 0 ? { ...query, whatIf: rules } : query;
        });
        const counts = await Promise.all(
          sides.map(async (query) => {
            const [mine, theirs] = await both(byLedger, byCustomers, (ask) => ask('segments', PROJECT, { query }));
            expect(mine, `segments of ${what}`).to.deep.equal(theirs);
            return theirs;
          }),
        );
        const segments = listSegments(addCounts(counts), 1 + random.below(3));
        const [then, now] = sides.map((query) => ({ ...query, segments }));
        if (!then || !now) continue;
        const [one, other] = await both(byLedger, byCustomers, (ask) => ask('chart', PROJECT, { query: now }));
        if (!isDeepStrictEqual(one, other)) expect(one, what).to.deep.equal(other);
        const mostListed = random.below(2) * 20;
        const [found, wanted] = [byLedger, byCustomers].map((ask) =>
          ask('compare', PROJECT, { then, now, mostListed }),
        );
        if ((await wanted)?.reasons.groups.some(({ kind }) => kind === 'rates')) byRates++;
        const [mine, theirs] = [shown(await found), shown(await wanted)];
        if (!isDeepStrictEqual(mine, theirs)) expect(mine, what).to.deep.equal(theirs);

        const reason = (await wanted)?.reasons.groups[0];
        const whole = { then: unsegmented(then), now: unsegmented(now) };
        if (reason && reason.part === 0) {
          const { kind, measure, track, counts } = reason;
          const place = {
            kind,
            measure,
            track,
            index: Math.max(
              0,
              counts.findIndex((c) => c > 0),
            ),
          };
          const question = { ...whole, place, page: { after: undefined, limit: 3 } };
          const [first, same] = await both(byLedger, byCustomers, (ask) => ask('reason', PROJECT, question));
          expect(first, `whom ${kind} is about, ${what}`).to.deep.equal(same);
        }
        const { buckets } = now.range;
        const bucket = buckets[random.below(buckets.length)];
        if (!bucket) continue;
        const range = bucketedRangeOf({ ...now.range, start: bucket.start, end: bucket.end });
        const query = { ...whole.now, range };
        const { chart, selectors } = query;
        const additive = measureWeightsOf(chart, selectors).filter(
          ({ id, form }) => form && unitOfMeasure(chart, id) !== 'percent',
        );
        for (const column of chart.kind === 'cohort' ? [undefined, 0, 1, 2, 3] : [undefined]) {
          const ofColumn = additive.filter(({ id }) => column === undefined || id !== 'size');
          const measure = (column === undefined ? ofColumn[0] : ofColumn[random.below(ofColumn.length)])?.id;
          if (measure === undefined) continue;
          const cell = { query, measure, column, page: { after: undefined, limit: 1000 } };
          const [all, wantedAll] = await both(byLedger, byCustomers, (ask) => ask('behind', PROJECT, cell));
          expect(all, `customers behind ${measure} ${column ?? ''} of ${what}`).to.deep.equal(wantedAll);
          if (column !== undefined) ofColumns += all?.found.length ?? 0;
        }
        const question = { query, measure: additive[0]?.id ?? '', page: { after: undefined, limit: 1000 } };
        const behind = await byLedger('behind', PROJECT, question);
        const [second] = behind?.found.slice(1) ?? [];
        const next = { ...question, page: { after: behind?.found[0]?.customerId, limit: 1 } };
        if (second) expect((await byLedger('behind', PROJECT, next))?.found).to.deep.equal([second]);
      }
      const query = queryOf('revenue', randomQuery(Date.UTC(2025, 6, 1), random));
      const lost = { query, measure: 'revenue', page: { after: 'cus_nobody', limit: 1 } };
      expect(await byLedger('behind', PROJECT, lost)).to.equal(null);
    }
    expect(ofColumns, `customers of cohort columns, SEED=${random.seed}`).to.be.above(0);
    expect(byRates, `comparisons in which rates are a reason, SEED=${random.seed}`).to.be.above(0);
  });
});

function unitOfMeasure({ measures }: ChartQuery['chart'], id: string): string | undefined {
  return measures.find((one) => one.id === id)?.unit;
}

function inCurrency(q: ChartQuery, rates: Rates | undefined, isLatest: boolean): ChartQuery {
  if (!rates) return q;
  return { ...q, conversion: { currency: 'XTS', rates, isLatest } };
}

/** Transfers the responses as between threads. */
function beside(ask: QueryCharts): QueryCharts {
  return async (kind, projectId, question) => {
    const packed = packResponse(await ask(kind, projectId, question));
    return unpackResponse(structuredClone(packed, { transfer: buffersIn(packed) })) as ChartResponses[typeof kind];
  };
}

async function both<R>(
  a: QueryCharts,
  b: QueryCharts,
  use: (ask: QueryCharts) => Promise<R>,
): Promise<readonly [R, R]> {
  return [await use(a), await use(b)];
}

function unsegmented(q: ChartQuery): ChartQuery {
  return { ...q, segment: null };
}

/** Results with all reasons of them, by place. */
function shown(compared: ComparisonResult | undefined): unknown {
  if (!compared) return null;
  const { then, now, reasons } = compared;
  const reasonsOf = reasonsFrom(reasons);
  const parts = new Map(reasons.segments.map((value, i) => [i + 1, value]));
  const found = new Map<string, unknown>();
  for (const { part, measure, track, counts } of reasons.groups) {
    const segment = parts.get(part) ?? null;
    for (let i = 0; i < counts.length; i++) {
      const all = reasonsOf(segment, measure, track, i).map((r) => ({ ...r, customers: [...r.customers].sort() }));
      // Places that only one side has need no explanation.
      if (all.length > 0 && isShown(compared, track, i)) found.set(JSON.stringify([segment, measure, track, i]), all);
    }
  }
  const sideOf = ({ result, segments }: ComparisonResult['now']) => ({ result, segments: segments ?? new Map() });
  const { unconverted } = now;
  return {
    then: sideOf(then),
    now: sideOf(now),
    unconverted,
    reasons: new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function isShown({ then, now }: ComparisonResult, track: number, index: number): boolean {
  return [then.result, now.result].every((result) =>
    result.kind === 'series'
      ? index < result.buckets.length
      : index < Math.max(1, result.rows[track]?.columns.count ?? 0) && track < result.rows.length,
  );
}

async function foldedDocs(events: readonly NormalEvent[]): Promise<DocStore> {
  const docs = createMemoryDocuments();
  const log = emptyLog();
  await record(log, events, events);
  const runner = await open(log, docs, firstBuild(projection));
  await runAll(
    runner,
    feedsOf(await eventsOf(log), () => 20),
  );
  return docs;
}

/** Returns the queries by ledgers of `count` parts, and by the customer histories. */
async function answers(count: number, docs: DocStore): Promise<readonly [QueryCharts, QueryCharts]> {
  const parts: QueryPart[] = [];
  for (let part = 1; part < count; part++)
    parts.push(crossed((await openReading(docs, { part, parts: count })).ledgers));
  const { ledgers, readModels } = await openReading(docs, { part: 0, parts: count });
  const variant = () => Promise.reject(new Error('no experiment is asked about'));
  return [
    createChartQueries({ parts: [createPartQueries(ledgers), ...parts], variant }),
    askCustomers((projectId) => customersIn(readModels, projectId)),
  ];
}

/** Serialises messages as between threads. */
function crossed(ledgers: Ledgers): QueryPart {
  const ask = createPartQueries(ledgers);
  return async (kind, projectId, question) => {
    const answer = await ask(kind, projectId, question);
    return structuredClone(answer, { transfer: buffersIn(answer) });
  };
}

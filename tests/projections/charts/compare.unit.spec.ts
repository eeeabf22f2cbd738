// Reasons from the changed customers alone are those from all customers, on random histories. HISTORIES=<number> draws another number of them.
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { dimensions } from '../../../src/domain/charts/catalogue/chart-query.js';
import { intervals } from '../../../src/domain/charts/calendar.js';
import { changesAtTurnsAlone, createComparison, MOST_LISTED } from '../../../src/domain/charts/compare/comparison.js';
import { reasonsFrom } from '../../../src/domain/charts/compare/packed.js';
import { formsOf } from '../../../src/domain/charts/compare/forms.js';
import { createCalculator } from '../../../src/domain/charts/result/calculator.js';
import type { ChartResult } from '../../../src/domain/charts/result/result.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { readComparison } from '../../../src/projections/charts/questions/compare.js';
import {
  customerHistories,
  learnedAt,
  momentsFrom,
  type CustomerHistoryDoc,
} from '../../../src/projections/charts/customer-histories.js';
import type { ChartSource } from '../../../src/projections/charts/source.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { bucketStart, DAY, plus } from '../../charts-reference/time.js';
import { queryOf } from '../../domain/charts/asking.js';
import { historiesOf, type NormalEvent } from '../../domain/charts/normal-form.js';
import { chance, type Chance } from '../support/seeded.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 400);
const PROJECT = 'proj_1';
const hash = keyedHash(Buffer.alloc(32));
const iso = (t: number) => new Date(t).toISOString();
const pick = <T>(all: readonly T[], random: Chance): T => all[random.below(all.length)] as T;

/** Documents as the read model has them, in the order of their ids. */
function docsOf(events: readonly NormalEvent[]): CustomerHistoryDoc[] {
  const docs = [...historiesOf(events)].map(([customerId, history]) => {
    const seen = [history.own, ...history.merged.map((m) => m.history)].flatMap((h) => [
      ...h.seen,
      ...(h.created ? [h.created] : []),
    ]);
    const seenAt = Math.max(0, ...seen.map((s) => s.at));
    return { ...history, projectId: PROJECT, customerId, seenAt, position: '' };
  });
  const placed = docs.map((doc) => ({ ...doc, position: String(learnedAt(doc)).padStart(20, '0') as never }));
  return placed.sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
}

/** Fails when all customers are read. */
function sourceOf(docs: readonly CustomerHistoryDoc[]): ChartSource {
  const [derived] = customerHistories.derived ?? [];
  const rows = docs.flatMap((doc) =>
    [...(derived?.of(doc, hash) ?? [])].map(([id]) => ({ id, customerId: doc.customerId })),
  );
  const none = () => Promise.reject(new Error('this is not asked for'));
  return {
    copy: null,
    compute: (_, q, also = []) => {
      const calculator = createCalculator(q);
      for (const doc of docs) calculator.add(doc);
      const segments = q.segment === null ? {} : { segments: calculator.segments(also) };
      return Promise.resolve({ result: calculator.result(), ...segments });
    },

    customers: async function* () {
      await none();
    },
    newest: async function* () {
      await Promise.resolve();
      yield [...docs].sort((a, b) => (a.position < b.position ? 1 : -1));
    },
    byIds: (ids) => Promise.resolve(docs.filter((d) => ids.includes(d.customerId))),
    moments: (_, kind, from, to) => {
      const [first, end] = [momentsFrom(PROJECT, kind, from), momentsFrom(PROJECT, kind, to)];
      return Promise.resolve(rows.filter((r) => r.id >= first && r.id < end).map((r) => r.customerId));
    },
    sums: none,
    lastSeen: none,
  };
}

function* places(result: ChartResult): Generator<readonly [number, number]> {
  if (result.kind === 'series') for (const i of result.buckets.keys()) yield [0, i];
  else
    for (const [i, row] of result.rows.entries()) for (let k = 0; k < Math.max(1, row.columns.count); k++) yield [i, k];
}

describe('reasons from the changed customers', function () {
  this.timeout(120_000);

  it(`are those from all of them, on ${HISTORIES} random histories`, async () => {
    const random = chance();
    const narrow = charts.filter((chart) =>
      changesAtTurnsAlone({ chart, selectors: { cohortMeasure: 'revenue' } } as never),
    );
    expect(narrow).to.have.length(20);
    for (let n = 0; n < HISTORIES; n++) {
      const docs = docsOf(randomHistory(random));
      const source = sourceOf(docs);
      const [then = 0, now = 0] = [0, 1]
        .map(() => Date.UTC(2025, 1, 1) + random.below(300 * DAY))
        .sort((a, b) => a - b);
      const interval = pick(intervals, random);
      const start = bucketStart(plus(then, -random.below(4), interval), interval);
      const o = { start: iso(start), end: iso(plus(start, 1 + random.below(5), interval)), interval };
      for (const { id } of narrow) {
        const isCount = id === 'customers_new' || id === 'customers_active';
        const segment = pick([undefined, isCount ? 'platform' : pick(dimensions, random)] as const, random);
        const [a, b] = [then, now].map((t) => queryOf(id, { ...o, asOf: iso(t), ...(segment && { segment }) }));
        if (!a || !b) continue;
        const sides = [a, b].map((chartQuery) => ({ source, chartQuery, isLive: false })) as [never, never];
        const found = await readComparison(PROJECT, ...sides, MOST_LISTED);
        const reasonsOf = reasonsFrom(found.reasons);
        const whole = createComparison(a, b);
        for (const doc of docs) whole.add(doc.customerId, doc, doc);
        expect([found.then, found.now]).to.deep.equal([whole.results().then, whole.results().now]);
        for (const value of [null, ...found.now.segments.keys()]) {
          for (const { id: measure, form } of formsOf(b.chart, b.selectors)) {
            if (!form) continue;
            for (const [track, index] of places(found.then.result)) {
              const bare = (all: ReturnType<typeof reasonsOf>) =>
                all.map((r) => ({ ...r, customers: [...r.customers].sort() }));
              const what = `${id} ${measure} ${track}/${index} of ${String(value)} (history ${n}, SEED=${random.seed})`;
              expect(bare(reasonsOf(value, measure, track, index)), what).to.deep.equal(
                bare(whole.reasonsOf(value, measure, track, index)),
              );
            }
          }
        }
      }
    }
  });
});

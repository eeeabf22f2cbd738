// The text of a comparison's points: of all of them, and of the changes alone.
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { reasonsAlong } from '../../../src/domain/charts/compare/packed-reasons.js';
import { serializePoints } from '../../../src/http/charts/compare/points-text.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { createComparison } from '../../domain/charts/one-by-one/comparison.js';
import { historiesOf } from '../../domain/charts/normal-form.js';
import { chance, type Chance } from '../../projections/support/seeded-random.js';

type Difference = { readonly then: number | null; readonly now: number | null; readonly reasons?: readonly unknown[] };
type Column = { readonly index: number; readonly incomplete: boolean } & Record<string, unknown>;
type Point = {
  readonly start: string;
  readonly values?: Record<string, Difference>;
  readonly size?: Difference;
  readonly columns?: readonly Column[];
};

describe('points of a comparison', () => {
  it('are of the changes alone exactly those of all in which both sides have something else, or reasons', () => {
    const random = chance();
    let [changes, unchanged] = [0, 0];
    for (let n = 0; n < 40; n++) {
      const customers = [...historiesOf(randomHistory(random))];
      for (const { id } of charts) {
        const what = `${id} (history ${n}, SEED=${random.seed})`;
        const { segment: _segment, ...asked } = randomQuery(Date.UTC(2025, 3, 1), random);
        const [then, now] = instants(random).map((asOf) => queryOf(id, { ...asked, asOf }));
        if (!then || !now) continue;
        const comparison = createComparison(then, now);
        for (const [customerId, history] of customers) comparison.add(customerId, history, history);
        const along = reasonsAlong(comparison.packed([]));
        const results = comparison.results();
        const points = (isOfChanges: boolean): readonly Point[] => {
          const shown = { q: now, periodPairs: null, isOfChanges, describe: () => '' };
          const reasonsAt = (measure: string, track: number) => along(null, measure, track);
          return pointsOf({ ...shown, reasonsAt }, results.then.result, results.now.result);
        };
        const all = points(false);
        const found = points(true);
        const { then: thenSide, now: nowSide } = results;
        expect(found, what).to.deep.equal(all.flatMap((p, i) => changedOf(p, thenSide.result, nowSide.result, i)));
        expectBothSides(all, thenSide.result, nowSide.result, what);
        const reversed = pointsOf(
          { q: then, periodPairs: null, isOfChanges: false, reasonsAt: () => null, describe: () => '' },
          nowSide.result,
          thenSide.result,
        );
        expectBothSides(reversed, nowSide.result, thenSide.result, `${what}, the earlier state as now`);
        changes += found.length;
        unchanged += all.length - found.length;
      }
    }
    expect(Math.min(changes, unchanged)).to.be.greaterThan(10);
  });
});

function pointsOf(...asked: Parameters<typeof serializePoints>): readonly Point[] {
  const text = Buffer.concat([...serializePoints(...asked)]).toString();
  const body = JSON.parse(`{${text.slice(1)}}`) as { buckets?: readonly Point[]; rows?: readonly Point[] };
  return body.buckets ?? body.rows ?? [];
}

function instants(random: Chance): readonly string[] {
  const found = [0, 1].map(() => Date.UTC(2025, 1, 1) + random.below(300) * 86_400_000 + random.below(86_400_000));
  return found.sort((a, b) => a - b).map((at) => new Date(at).toISOString());
}

function isChange({ then, now, reasons }: Difference): boolean {
  return then !== now || reasons !== undefined;
}

type Result = ReturnType<ReturnType<typeof createComparison>['results']>['then']['result'];

/** Buckets, rows and columns are those of the side that has more: what only one side has is null on the other. */
function expectBothSides(points: readonly Point[], then: Result, now: Result, what: string): void {
  const [thenPoints, nowPoints] = [then, now].map((r) => (r.kind === 'series' ? r.buckets : r.rows));
  const longer = (thenPoints?.length ?? 0) > (nowPoints?.length ?? 0) ? thenPoints : nowPoints;
  const starts = longer?.map(({ start }) => new Date(start).toISOString());
  expect(
    points.map(({ start }) => start),
    what,
  ).to.deep.equal(starts);
  if (then.kind !== 'cohort' || now.kind !== 'cohort') return;
  const counts = starts?.map((_, i) => Math.max(...[then, now].map(({ rows }) => rows[i]?.columns.count ?? 0)));
  expect(
    points.map(({ columns }) => columns?.length),
    what,
  ).to.deep.equal(counts);
}

function changedOf(point: Point, then: Result, now: Result, i: number): readonly Point[] {
  if (then.kind === 'series') {
    return i < then.buckets.length && Object.values(point.values ?? {}).some(isChange) ? [point] : [];
  }
  const ofNow = now.kind === 'cohort' ? (now.rows[i]?.columns.count ?? 0) : 0;
  const count = Math.min(then.rows[i]?.columns.count ?? 0, ofNow);
  if (i >= then.rows.length) return [];
  const columns = (point.columns ?? []).filter(({ index, incomplete: _, ...measures }) => {
    return index < count && Object.values(measures as Record<string, Difference>).some(isChange);
  });
  const isSameSize = point.size !== undefined && !isChange(point.size);
  return columns.length === 0 && isSameSize ? [] : [{ ...point, columns }];
}

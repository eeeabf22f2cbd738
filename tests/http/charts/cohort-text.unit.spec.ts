// The rows of cohort charts as text, next to what JSON.stringify makes of the same rows as objects.
import { expect } from 'chai';
import type { CohortRow } from '../../../src/domain/charts/result/result.js';
import { unpackColumns } from '../../../src/domain/charts/result/columns.js';
import type { Unit } from '../../../src/domain/charts/catalogue/display-values.js';
import { cohortRowTexts } from '../../../src/http/charts/chart-text.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { columnsOf } from '../../domain/charts/columns.js';
import { chance, type Chance } from '../../projections/support/seeded-random.js';

const DAY_MS = 86_400_000;
const units: readonly Unit[] = ['count', 'usd', 'percent'];

/** The rows are days, so that none is clipped. */
const q = queryOf('cohort_explorer', { start: '2026-01-01', end: '2026-01-02', interval: 'day', asOf: '2026-01-02' });
const textOf = (rows: readonly CohortRow[]) => `[${[...cohortRowTexts(rows, q)].join()}]`;
const wanted = (rows: readonly CohortRow[]) =>
  JSON.stringify(
    rows.map(({ start, end, incomplete, size, columns }) => {
      const edges = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
      return { ...edges, incomplete, size, columns: unpackColumns(columns) };
    }),
  );

function row(
  day: number,
  names: readonly (readonly [string, Unit])[],
  valuesOf: readonly number[][],
  complete: number,
) {
  const columns = columnsOf(
    names.map(([name, unit], i) => [name, unit, valuesOf[i] ?? []]),
    complete,
  );
  const start = Date.UTC(2026, 0, 1) + day * DAY_MS;
  return { start, end: start + DAY_MS, incomplete: day % 2 === 0, size: day, columns };
}

describe('the text of cohort rows', () => {
  const random = chance();

  it('is the same as that of their objects, whatever the figures', () => {
    for (let n = 0; n < 200; n++) {
      const names = Array.from({ length: 1 + random.below(3) }, (_, i) => {
        return [`measure_${i}`, units[random.below(3)] ?? 'usd'] as const;
      });
      const rows = Array.from({ length: random.below(30) }, (_, day) => {
        const count = random.below(random.below(4) === 0 ? 1200 : 40);
        const sparse = random.below(3);
        const values = names.map(() => Array.from({ length: count }, () => randomValue(random, sparse)));
        return row(day, names, values, random.below(count + 3));
      });
      expect(textOf(rows) === wanted(rows), `round ${n}, SEED=${random.seed}`).to.equal(true);
    }
  });

  for (const value of [
    0,
    1,
    -1,
    5,
    10,
    -10,
    99,
    100,
    101,
    110,
    999_999,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    NaN,
  ]) {
    it(`has ${value} hundredths as JSON has them`, () => {
      const rows = [row(1, [['value', 'usd']], [[value, 0, value]], 2)];
      expect(textOf(rows)).to.equal(wanted(rows));
    });
  }

  it('is an empty list when there are no rows', () => {
    expect(textOf([])).to.equal('[]');
    expect(textOf([row(1, [['value', 'usd']], [[]], 0)])).to.contain('"columns":[]');
  });
});

/** `sparse` of three are zero. */
function randomValue(random: Chance, sparse: number): number {
  if (random.below(3) < sparse) return 0;
  if (random.below(50) === 0) return NaN;
  const size = random.below(10 ** (1 + random.below(9))) * (random.below(20) === 0 ? 100_003 : 1);
  return random.below(4) === 0 && size > 0 ? -size : size;
}

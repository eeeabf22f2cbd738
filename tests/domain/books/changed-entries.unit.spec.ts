// Comparisons of a closed month that changed: what is gone is paired with what is new.
import { expect } from 'chai';
import { amountsOf, type BookEntry } from '../../../src/domain/books/entries.js';
import { compareEntries } from '../../../src/domain/books/frozen-month.js';
import { finish } from './support.js';

const entry = (id: string | null, units: number, change: Partial<BookEntry> = {}): BookEntry => {
  const place = { appId: 'app_1', currency: 'EUR', day: '2026-07-04', sku: 'pro', country: 'DE', orderId: null };
  const rest = { count: 1, store: null, paid: null, rows: [], otherMonth: null, labels: [] };
  const ours = amountsOf('charge', units * 1_000_000, 0, 0);
  return {
    cause: 'matched',
    kind: 'charge',
    ...place,
    ...rest,
    ours,
    transactionIds: id === null ? [] : [id],
    ...change,
  };
};

const compare = (frozen: readonly BookEntry[], now: readonly BookEntry[]) => {
  const comparison = finish(compareEntries(now));
  for (const one of frozen) comparison.add(one);
  return finish(comparison.end());
};

describe('comparisons of a closed month', () => {
  const [a, b, c] = [entry('1', 10), entry('2', 20), entry('3', 30)];
  const dearer = entry('2', 25);
  const renamed = entry('9', 22);
  const cases: readonly [title: string, frozen: BookEntry[], now: BookEntry[], changes: ReturnType<typeof compare>][] =
    [
      ['have no change if they are the same in another order', [a, b, c], [c, a, b], []],
      ['have what is new', [a], [a, b], [{ before: null, after: b }]],
      ['have what is gone', [a, b], [b], [{ before: a, after: null }]],
      [
        'pair those of one transaction',
        [a, b, c],
        [renamed, dearer, a],
        [
          { before: b, after: dearer },
          { before: c, after: renamed },
        ],
      ],
      ['pair those of one product, day and country', [b], [renamed], [{ before: b, after: renamed }]],
      [
        'pair none of another day',
        [b],
        [entry('9', 22, { day: '2026-07-05' })],
        [
          { before: b, after: null },
          { before: null, after: entry('9', 22, { day: '2026-07-05' }) },
        ],
      ],
      ['count a repeated one once for each time', [a, a], [a], [{ before: a, after: null }]],
      ['have no change of what changes no amount', [a], [{ ...a, cause: 'timing' }], []],
    ];
  for (const [title, frozen, now, changes] of cases)
    it(title, () => expect(compare(frozen, now)).to.deep.equal(changes));

  it('are paired in steps, each with another one, when all are of one product and day', () => {
    const [frozen, now] = [1, 2].map((units) => Array.from({ length: 20_000 }, () => entry(null, units)));
    const comparison = finish(compareEntries(now ?? []));
    for (const one of frozen ?? []) comparison.add(one);
    const end = comparison.end();
    let steps = 0;
    for (let step = end.next(); ; step = end.next(), steps++) {
      if (!step.done) continue;
      expect(step.value).to.have.length(20_000);
      expect(step.value.every(({ before, after }) => before && after)).to.equal(true);
      break;
    }
    expect(steps).to.equal(60_000);
  });
});

// Findings of comparisons: what is worth an event, once each.
import { expect } from 'chai';
import { decideInTurn } from '../../../src/domain/decider.js';
import { NOTHING, type BookEntry } from '../../../src/domain/books/entries.js';
import { findingsDecider, findingsOf, type FindingsState } from '../../../src/domain/books/findings.js';
import { finish } from './support.js';

const charged = (units: number) => ({ ...NOTHING, charged: units * 1_000_000, proceeds: units * 1_000_000 });

const entry = (change: Partial<BookEntry>): BookEntry => ({
  ...{ cause: 'missing_here', kind: 'charge', appId: 'app_1', currency: 'EUR', day: '2026-10-05', sku: 'pro' },
  ...{ country: 'DE', count: 1, ours: null, store: charged(10), paid: null, transactionIds: [], orderId: 'GPA.1' },
  ...{ rows: [{ reportId: 'rep_1', row: 2 }], otherMonth: null, labels: [], ...change },
});

const report = (reportId: string, isCounted = true) => ({
  ...{ reportId, kind: 'earnings' as const, store: 'android-store' as const, account: '1', fileName: 'a.csv' },
  ...{ sha256: 'x', month: '2026-10', startDate: '2026-10-01', endDate: '2026-10-31', lines: 1, parts: 1 },
  ...{ totals: [], unknownColumns: [], isCounted },
});

const month = (entries: readonly BookEntry[], reports = [report('rep_1')], isComplete = true) =>
  finish(findingsOf({ month: '2026-10', isComplete, reports, entries }));

const typesAfter = (
  commands: ReturnType<typeof month>,
  state: FindingsState = findingsDecider.initial(),
): { readonly types: readonly string[]; readonly state: FindingsState } => {
  const decided = decideInTurn(findingsDecider, commands, state);
  return { types: decided.events.map(({ type }) => type), state: decided.state };
};

describe('findings of the books', () => {
  it('are missing lines with their number, sums and the first of them, and the completed month', () => {
    const many = Array.from({ length: 30 }, (_, i) => entry({ orderId: `GPA.${i}` }));
    const [missing, completed] = decideInTurn(
      findingsDecider,
      month([...many, entry({ cause: 'matched', ours: charged(5), store: charged(5) })]),
      findingsDecider.initial(),
    ).events;
    if (missing?.type !== 'MissingLinesFound' || completed?.type !== 'MonthCompleted') throw new Error('not found');
    expect(missing.data).to.include({ reportId: 'rep_1', account: '1', lines: 30 });
    expect(missing.data.examples).to.have.length(20);
    expect(missing.data.totals).to.deep.equal([{ currency: 'EUR', chargedMicros: 300_000_000, refundedMicros: 0 }]);
    expect(completed.data).to.deep.equal({
      month: '2026-10',
      reportIds: ['rep_1'],
      totals: [{ currency: 'EUR', oursMicros: 5_000_000, storeMicros: 305_000_000 }],
    });
  });

  for (const [what, commands] of [
    ['a month without a report', month([entry({})], [])],
    ['a report that was replaced', month([entry({})], [report('rep_1', false)])],
    ['lines of other apps', month([entry({ appId: null, cause: 'other_app' })], undefined, false)],
    ['a month that waits for a report', month([entry({ cause: 'awaiting_report' })], undefined, false)],
  ] as const)
    it(`are none for ${what}`, () => expect(typesAfter(commands).types).to.deep.equal([]));

  it('are recorded once, however often a month is compared', () => {
    const first = typesAfter(month([entry({})]));
    expect(first.types).to.deep.equal(['MissingLinesFound', 'MonthCompleted']);
    expect(typesAfter(month([entry({})]), first.state).types).to.deep.equal([]);
    expect(typesAfter(month([entry({}), entry({ orderId: 'GPA.2' })]), first.state).types).to.deep.equal([]);
  });

  it('are recorded again for a newer report that lacks others, and not for one that lacks the same', () => {
    const { state } = typesAfter(month([entry({})]));
    const newer = (entries: readonly BookEntry[]) =>
      month(
        entries.map((one) => ({ ...one, rows: [{ reportId: 'rep_2', row: 9 }] })),
        [report('rep_1', false), report('rep_2')],
      );
    expect(typesAfter(newer([entry({})]), state).types).to.deep.equal([]);
    const changed = typesAfter(newer([entry({}), entry({ orderId: 'GPA.2' })]), state);
    expect(changed.types).to.deep.equal(['MissingLinesFound']);
  });
});

// One source counts for each account and month, in whatever order the reports arrive.
import { expect } from 'chai';
import { ALL_ACCOUNTS, uncountedReports, type ReportPlace } from '../../../src/domain/books/counted-reports.js';
import { storeOfReport } from '../../../src/domain/store-kinds.js';

type PlaceFields = Pick<ReportPlace, 'kind'> & Partial<Pick<ReportPlace, 'account' | 'month' | 'part' | 'lines'>>;

const reportsOf = (given: readonly PlaceFields[]): readonly ReportPlace[] =>
  given.map(({ kind, account = '1', month = '2026-07', part, lines = 1 }, i) => ({
    ...{
      reportId: `${i}`,
      kind,
      store: storeOfReport(kind),
      account,
      month,
      part,
      lines,
      position: String(i).padStart(4, '0'),
    },
  }));

describe('the reports that count', () => {
  const cases: readonly [what: string, given: readonly PlaceFields[], expected: readonly (string | undefined)[]][] = [
    ['one', [{ kind: 'earnings' }], [undefined]],
    ['the newer file', [{ kind: 'sales' }, { kind: 'sales' }], ['replaced', undefined]],
    ['earnings after sales', [{ kind: 'sales' }, { kind: 'earnings' }], ['outranked', undefined]],
    ['earnings before sales', [{ kind: 'earnings' }, { kind: 'sales' }], [undefined, 'outranked']],
    [
      'earnings before a newer sales report',
      [{ kind: 'earnings' }, { kind: 'sales' }, { kind: 'sales' }],
      [undefined, 'replaced', 'outranked'],
    ],
    ['each of two accounts', [{ kind: 'sales' }, { kind: 'earnings', account: '2' }], [undefined, undefined]],
    ['each of two months', [{ kind: 'sales' }, { kind: 'earnings', month: '2026-08' }], [undefined, undefined]],
    [
      'earnings of any account before sales of all',
      [{ kind: 'sales', account: ALL_ACCOUNTS }, { kind: 'earnings' }],
      ['outranked', undefined],
    ],
    ['each store', [{ kind: 'sales' }, { kind: 'finance_detail' }], [undefined, undefined]],
    ['finance detail before financial', [{ kind: 'finance_detail' }, { kind: 'financial' }], [undefined, 'outranked']],
    [
      'the financial reports of all regions',
      [
        { kind: 'financial', part: 'US' },
        { kind: 'financial', part: 'EU' },
      ],
      [undefined, undefined],
    ],
    [
      'the newer one of a region',
      [
        { kind: 'financial', part: 'US' },
        { kind: 'financial', part: 'EU' },
        { kind: 'financial', part: 'US' },
      ],
      ['replaced', undefined, undefined],
    ],
    [
      'the file of all regions before single ones',
      [{ kind: 'financial' }, { kind: 'financial', part: 'US' }],
      [undefined, 'outranked'],
    ],
  ];
  for (const [what, given, expected] of cases)
    it(`are ${what}`, () => {
      const reasons = uncountedReports(reportsOf(given));
      expect(given.map((_, i) => reasons.get(`${i}`))).to.deep.equal(expected);
      expect([...uncountedReports(reportsOf(given).toReversed())].sort()).to.deep.equal([...reasons].sort());
    });

  it('have no more lines in a month and store than are compared, the first reports before the later ones', () => {
    const account = (n: number, lines: number, more: Partial<PlaceFields> = {}): PlaceFields => ({
      ...{ kind: 'earnings', account: `${n}`, lines },
      ...more,
    });
    const given = [
      ...[account(1, 600), account(2, 500), account(3, 400), account(4, 1)],
      ...[account(1, 900, { month: '2026-08' }), account(1, 900, { kind: 'finance_detail' })],
    ];
    const reasons = uncountedReports(reportsOf(given), 1000);
    expect([...reasons]).to.deep.equal([
      ['1', 'too_many_lines'],
      ['3', 'too_many_lines'],
    ]);
    const smaller = [...given, account(1, 500)];
    expect([...uncountedReports(reportsOf(smaller), 1000)].sort()).to.deep.equal([
      ['0', 'replaced'],
      ['6', 'too_many_lines'],
    ]);
  });
});

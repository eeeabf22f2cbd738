// The pair of periods of each calendar situation, and which bucket belongs to which, against a computation on calendar days as texts.
import { expect } from 'chai';
import { DAY_MS, type Interval } from '../../../src/domain/charts/calendar.js';
import {
  changeOf,
  pairBuckets,
  previousPeriodOf,
  type PeriodForm,
  type PreviousChoice,
} from '../../../src/domain/charts/previous-period.js';
import { bucketedRangeOf } from '../../../src/domain/charts/result/buckets.js';

const at = (day: string) => Date.parse(`${day}T00:00:00.000Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const daysBetween = (first: string, last: string) => {
  const [a = '', b = ''] = [first, last];
  return { start: at(a), end: at(b) + DAY_MS };
};
const textOf = ({ start, end }: { start: number; end: number }) => `${dayOf(start)}..${dayOf(end - DAY_MS)}`;

type Situation = readonly [
  what: string,
  period: string,
  interval: Interval,
  form: PeriodForm,
  choice: PreviousChoice,
  expected: string,
];

const situations: readonly Situation[] = [
  [
    'a month of 31 days after one of 30',
    '2026-10-01..2026-10-31',
    'day',
    'calendarMonths',
    'period',
    '2026-09-01..2026-09-30',
  ],
  ['a month of 30 days after one of 31', '2026-09-01..2026-09-30', 'day', 'days', 'period', '2026-08-01..2026-08-31'],
  ['March after a February of 28 days', '2026-03-01..2026-03-31', 'month', 'days', 'period', '2026-02-01..2026-02-28'],
  ['February of 28 days', '2026-02-01..2026-02-28', 'day', 'days', 'period', '2026-01-01..2026-01-31'],
  ['March after a February of 29 days', '2028-03-01..2028-03-31', 'day', 'days', 'period', '2028-02-01..2028-02-29'],
  ['February of a leap year, a year before', '2028-02-01..2028-02-29', 'day', 'days', 'year', '2027-02-01..2027-02-28'],
  [
    'February after a leap year, a year before',
    '2029-02-01..2029-02-28',
    'day',
    'days',
    'year',
    '2028-02-01..2028-02-29',
  ],
  ['29 February, a year before', '2028-02-29..2028-02-29', 'day', 'days', 'year', '2027-02-28..2027-02-28'],
  ['three months', '2026-03-01..2026-05-31', 'month', 'days', 'period', '2025-12-01..2026-02-28'],
  [
    'January, over the border of the year',
    '2026-01-01..2026-01-31',
    'month',
    'calendarMonths',
    'period',
    '2025-12-01..2025-12-31',
  ],
  ['a running month', '2026-11-01..2026-11-28', 'day', 'calendarMonths', 'period', '2026-10-01..2026-10-28'],
  [
    'a running March that is longer than February',
    '2026-03-01..2026-03-30',
    'day',
    'calendarMonths',
    'period',
    '2026-02-01..2026-02-28',
  ],
  ['a running year', '2026-01-01..2026-11-28', 'month', 'calendarYear', 'period', '2025-01-01..2025-11-28'],
  ['a running year by week', '2026-01-01..2026-11-28', 'week', 'calendarYear', 'period', '2025-01-02..2025-11-29'],
  [
    'twelve months of which the last is running',
    '2025-12-01..2026-11-28',
    'month',
    'calendarMonths',
    'period',
    '2024-12-01..2025-11-28',
  ],
  [
    'twelve months by quarter',
    '2025-12-01..2026-11-28',
    'quarter',
    'calendarMonths',
    'period',
    '2024-12-01..2025-11-28',
  ],
  ['a quarter', '2026-07-01..2026-09-30', 'quarter', 'days', 'period', '2026-04-01..2026-06-30'],
  ['a running quarter by quarter', '2026-10-01..2026-11-15', 'quarter', 'days', 'period', '2026-07-01..2026-08-15'],
  [
    'seven rolling days that begin a month',
    '2026-11-01..2026-11-07',
    'day',
    'rollingDays',
    'period',
    '2026-10-25..2026-10-31',
  ],
  ['any days', '2026-03-10..2026-03-24', 'day', 'days', 'period', '2026-02-23..2026-03-09'],
  [
    'half a month and half a month by month',
    '2026-10-15..2026-11-14',
    'month',
    'days',
    'period',
    '2026-09-15..2026-10-14',
  ],
  [
    'whole weeks over the border of the year',
    '2025-12-29..2026-01-11',
    'week',
    'days',
    'period',
    '2025-12-15..2025-12-28',
  ],
  ['ninety days by week', '2026-08-31..2026-11-28', 'week', 'rollingDays', 'period', '2026-06-01..2026-08-29'],
  ['a month by week', '2026-10-01..2026-10-31', 'week', 'calendarMonths', 'period', '2026-08-27..2026-09-26'],
  [
    'days of a year before on the same weekdays',
    '2026-11-22..2026-11-28',
    'day',
    'rollingDays',
    'year_weekdays',
    '2025-11-23..2025-11-29',
  ],
  ['weeks of a year before', '2026-11-02..2026-11-15', 'week', 'days', 'year', '2025-11-03..2025-11-16'],
  [
    'months on weekdays, which months do not have',
    '2026-01-01..2026-03-31',
    'month',
    'days',
    'year_weekdays',
    '2025-01-01..2025-03-31',
  ],
  [
    'twenty-four months, a year before',
    '2024-12-01..2026-11-28',
    'month',
    'calendarMonths',
    'year',
    '2023-12-01..2025-11-28',
  ],
  [
    'two chosen days',
    '2026-11-01..2026-11-28',
    'day',
    'days',
    daysBetween('2024-02-01', '2024-02-29'),
    '2024-02-01..2024-02-29',
  ],
];

/** Counterpart of a day by its text: the month is counted back as a number, and a day exists if the calendar knows it. */
function counterpartOf(day: string, months: number): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const index = year * 12 + month - 1 - months;
  const text = [Math.floor(index / 12), (index % 12) + 1, date].map((n) => String(n).padStart(2, '0')).join('-');
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && dayOf(parsed.getTime()) === text ? text : null;
}

/** The same day some months earlier, or the last one that its month has: days are tried until the calendar knows one. */
function lastDayBack(day: string, months: number): string {
  for (let date = Number(day.slice(8)); date > 0; date--) {
    const found = counterpartOf(`${day.slice(0, 8)}${String(date).padStart(2, '0')}`, months);
    if (found !== null) return found;
  }
  throw new Error(`no day ${months} months before ${day}`);
}

const dayAfter = (day: string) => dayOf(at(day) + DAY_MS);

/** The period some units of months earlier, the first that ends before the period begins: each number is tried in turn. */
function monthsBefore(first: string, last: string, unit: number): string {
  for (let months = unit; ; months += unit) {
    const endsMonth = dayAfter(last).endsWith('-01');
    const end = endsMonth ? dayOf(at(lastDayBack(dayAfter(last), months)) - DAY_MS) : lastDayBack(last, months);
    if (end < first) return `${lastDayBack(first, months)}..${end}`;
  }
}

describe('the period that a period is compared with', () => {
  for (const [what, period, interval, form, choice, expected] of situations) {
    const name = typeof choice === 'string' ? choice : 'two days';
    it(`is ${expected} for ${what} (${period} by ${interval}, ${name})`, () => {
      const [first = '', last = ''] = period.split('..');
      const found = previousPeriodOf({ ...daysBetween(first, last), interval, form }, choice);
      expect(textOf(found)).to.equal(expected);
    });
  }

  it('never overlaps its period, and has as many buckets, at every length and interval', () => {
    for (let offset = 0; offset < 800; offset += 7) {
      const start = at('2027-01-01') + offset * DAY_MS;
      for (const length of [1, 6, 7, 28, 31, 59, 90, 181, 366]) {
        const period = { start, end: start + length * DAY_MS };
        for (const interval of ['day', 'week', 'month', 'quarter', 'year'] as const) {
          const then = previousPeriodOf({ ...period, interval, form: 'days' }, 'period');
          const place = `${textOf(period)} by ${interval}: ${textOf(then)}`;
          expect(then.end, place).to.be.at.most(start);
          expect(then.start, place).to.be.below(then.end);
          const range = (of: typeof then) => bucketedRangeOf({ ...of, interval, asOf: Infinity });
          if (interval !== 'day') expect(range(then).buckets.length, place).to.equal(range(period).buckets.length);
          const unit = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }[interval];
          const [first, last] = [dayOf(period.start), dayOf(period.end - DAY_MS)];
          if (unit > 0) expect(textOf(then), place).to.equal(monthsBefore(first, last, unit));
          if (interval === 'week') expect(new Date(then.start).getUTCDay()).to.equal(new Date(start).getUTCDay());
        }
      }
    }
  });
});

describe('buckets of two periods', () => {
  const rangeOf = (period: string, interval: Interval, today = '2030-01-01') => {
    const [first = '', last = ''] = period.split('..');
    return bucketedRangeOf({ ...daysBetween(first, last), interval, asOf: at(today) });
  };
  const pairsOf = (now: string, then: string, interval: Interval, today?: string) => {
    const [a, b] = [rangeOf(now, interval, today), rangeOf(then, interval, today)];
    return pairBuckets(a, b).map((index, i) => [
      dayOf(a.buckets[i]?.start ?? 0),
      index === null ? null : dayOf(b.buckets[index]?.start ?? 0),
    ]);
  };

  for (const [now, then, months] of [
    ['2026-10-01..2026-10-31', '2026-09-01..2026-09-30', 1],
    ['2026-03-01..2026-03-31', '2026-02-01..2026-02-28', 1],
    ['2026-04-01..2026-05-31', '2026-02-01..2026-03-31', 2],
    ['2028-01-01..2028-12-31', '2027-01-01..2027-12-31', 12],
    ['2029-01-01..2029-12-31', '2028-01-01..2028-12-31', 12],
    ['2026-11-01..2026-11-28', '2026-10-01..2026-10-28', 1],
  ] as const) {
    it(`belong together by the day of the month: ${now} and ${then}`, () => {
      const expected = rangeOf(now, 'day').buckets.map(({ start }) => {
        return [dayOf(start), counterpartOf(dayOf(start), months)];
      });
      expect(pairsOf(now, then, 'day')).to.deep.equal(expected);
    });
  }

  it('have no counterpart of 29 February, nor of a 31st in a month of 30 days', () => {
    const pairs = new Map(
      pairsOf('2028-02-01..2028-03-31', '2027-02-01..2027-03-31', 'day') as [string, string | null][],
    );
    expect(pairs.get('2028-02-29')).to.equal(null);
    expect(pairs.get('2028-03-01')).to.equal('2027-03-01');
    const months = new Map(
      pairsOf('2026-10-01..2026-10-31', '2026-09-01..2026-09-30', 'day') as [string, string | null][],
    );
    expect(months.get('2026-10-31')).to.equal(null);
  });

  it('belong together in their order by weeks and months, and after other days', () => {
    expect(pairsOf('2026-03-01..2026-05-31', '2025-12-01..2026-02-28', 'month')).to.deep.equal([
      ['2026-03-01', '2025-12-01'],
      ['2026-04-01', '2026-01-01'],
      ['2026-05-01', '2026-02-01'],
    ]);
    expect(pairsOf('2026-11-27..2026-11-29', '2025-11-28..2025-11-30', 'day')).to.deep.equal([
      ['2026-11-27', '2025-11-28'],
      ['2026-11-28', '2025-11-29'],
      ['2026-11-29', '2025-11-30'],
    ]);
    expect(pairsOf('2026-11-02..2026-11-04', '2026-01-08..2026-01-09', 'day')).to.deep.equal([
      ['2026-11-02', '2026-01-08'],
      ['2026-11-03', '2026-01-09'],
      ['2026-11-04', null],
    ]);
  });

  it('are only those of the period that have begun', () => {
    expect(pairsOf('2026-11-01..2026-11-30', '2026-10-01..2026-10-31', 'day', '2026-11-03')).to.deep.equal([
      ['2026-11-01', '2026-10-01'],
      ['2026-11-02', '2026-10-02'],
    ]);
  });
});

describe('the change of a figure', () => {
  for (const [now, then, unit, expected] of [
    [150, 100, 'usd', 50],
    [50, 100, 'count', -50],
    [100, -50, 'usd', 300],
    [0, 3, 'count', -100],
    [5, 0, 'count', null],
    [null, 5, 'count', null],
    [5, null, 'usd', null],
    [12.5, 10, 'percent', 2.5],
    [2, 0, 'percent', 2],
    [1, 3, 'usd', -66.67],
  ] as const) {
    it(`from ${String(then)} to ${String(now)} (${unit}) is ${String(expected)}`, () => {
      expect(changeOf(now, then, unit)).to.equal(expected);
    });
  }
});

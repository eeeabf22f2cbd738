// Comparison of ios-store financial reports, which have no days, with our transactions: totals of each fiscal month.
import { expect } from 'chai';
import { createRandom, type Random } from '#simulator/random.js';
import { writeFinanceDetail, writeFinancial, type FinanceRow } from '#simulator/store-reports.js';
import {
  NOTHING,
  addAmounts,
  type Amounts,
  type BookEntry,
  type OurCharge,
} from '../../../src/domain/books/entries.js';
import { matchGroups } from '../../../src/domain/books/match-groups.js';
import { tablesOf } from '../../../src/domain/books/month-table.js';
import { addDays, printAmount, type DayRange } from '../../../src/domain/books/report-values.js';
import { finish, groupsOf } from './support.js';

const WORLDS = Number(process.env['BOOK_WORLDS'] ?? 150);
const SEED = process.env['BOOK_SEED'] ?? 'financial-1';
const june = { startDate: '2026-05-31', endDate: '2026-06-27' };
const july = { startDate: '2026-06-28', endDate: '2026-08-01' };
const august = { startDate: '2026-08-02', endDate: '2026-08-29' };

type Sale = { readonly sku: string; readonly day: string; readonly priceMicros: number; readonly isReturn?: boolean };

const ourCharges = ({ sku, day, priceMicros, isReturn = false }: Sale, count: number): OurCharge[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ transactionId: `${sku}/${day}/${i}`, appId: 'app_1', sku, country: 'DE', currency: 'EUR', quantity: 1 },
    ...{ amountMicros: priceMicros, taxRate: 0, commissionRate: 0.15, reversals: [] },
    ...(isReturn ? { day: addDays(day, -120), refunds: [{ day, share: 1 }] } : { day, refunds: [] }),
  }));

type Row = Omit<FinanceRow, 'day' | 'settledOn'>;
const lineOf = ({ sku, priceMicros, isReturn = false }: Omit<Sale, 'day'>, quantity: number, keeps = 0.15): Row => {
  const share = priceMicros - Math.round((priceMicros * keeps) / 10_000) * 10_000;
  const sign = isReturn ? -1 : 1;
  return {
    ...{ sku, country: 'DE', quantity: sign * quantity, price: printAmount(priceMicros, 'EUR'), currency: 'EUR' },
    ...{ share: printAmount(share, 'EUR'), extendedShare: printAmount(sign * share * quantity, 'EUR') },
    ...{ shareCurrency: 'EUR', isReturn },
  };
};

type Reports = { readonly before?: readonly Row[]; readonly here?: readonly Row[]; readonly after?: readonly Row[] };

const months: readonly (readonly [month: string, period: DayRange, name: keyof Reports])[] = [
  ['2026-06', june, 'before'],
  ['2026-07', july, 'here'],
  ['2026-08', august, 'after'],
];

/** Compares July, with the reports of the months beside it. */
function match(ours: readonly OurCharge[], reports: Reports) {
  const found = months.flatMap(([month, period, name]) => {
    const rows = reports[name] ?? [];
    if (rows.length === 0) return [];
    return [{ month, reportId: month, account: '1', lines: groupsOf(writeFinancial(rows, period)) }];
  });
  const calendar = months.map(([month, period, name]) => ({ month, period, hasReport: reports[name] !== undefined }));
  const apps = new Map(ours.map(({ sku, appId }) => [sku, appId]));
  for (const { sku } of reports.here ?? []) if (!sku.startsWith('foreign')) apps.set(sku, 'app_1');
  const [here, neighbours] = [
    found.filter(({ month }) => month === '2026-07'),
    found.filter(({ month }) => month !== '2026-07'),
  ];
  const of = { month: '2026-07', calendar, period: july, today: '2026-12-01', hasReport: here.length > 0 };
  return finish(matchGroups({ ...of, reports: here, neighbours, ours, apps }));
}

const briefly = ({ cause, sku, count, ours, store }: BookEntry) =>
  `${cause} ${sku} ×${count}${ours ? '' : ' not ours'}${store ? '' : ' not theirs'}`;

describe('the comparison of a fiscal month without days', () => {
  const sale: Sale = { sku: 'pro', day: '2026-07-10', priceMicros: 9_990_000 };

  it('matches the sales of all its days with one line', () => {
    const ours = ['2026-06-28', '2026-07-10', '2026-08-01'].flatMap((day) => ourCharges({ ...sale, day }, 2));
    const [entry, ...others] = match(ours, { here: [lineOf(sale, 6)] });
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ cause: 'matched', count: 6, day: '2026-08-01', store: entry?.ours });
    expect(entry?.transactionIds).to.have.length(6);
  });

  it('leaves the sales of the months beside it to their own lines', () => {
    const of = (day: string) => ourCharges({ ...sale, day }, 1);
    const ours = [...of('2026-06-27'), ...of('2026-07-10'), ...of('2026-08-02')];
    const all = { before: [lineOf(sale, 1)], here: [lineOf(sale, 1)], after: [lineOf(sale, 1)] };
    expect(match(ours, all).map(briefly)).to.deep.equal(['matched pro ×1']);
  });

  it('finds a sale that is settled in the next month, from both months', () => {
    const late = ourCharges({ ...sale, day: '2026-07-20' }, 1);
    const other = lineOf({ ...sale, sku: 'other' }, 1);
    const from = match(late, { here: [other], after: [lineOf(sale, 1)] });
    expect(from.map(briefly)).to.deep.equal(['timing pro ×1 not theirs', 'missing_here other ×1 not ours']);
    expect(from[0]).to.include({ otherMonth: '2026-08' });
    const early = ourCharges({ ...sale, day: '2026-06-20' }, 1);
    const to = match(early, { before: [other], here: [lineOf(sale, 1)] });
    expect(to.map(briefly)).to.deep.equal(['timing pro ×1 not ours']);
    expect(to[0]).to.include({ otherMonth: '2026-06' });
  });

  it('takes of a month without a report only its last two days', () => {
    const on = (day: string) => match(ourCharges({ ...sale, day }, 1), { here: [lineOf(sale, 1)] }).map(briefly);
    expect(on('2026-06-26')).to.deep.equal(['timing pro ×1 not ours']);
    expect(on('2026-06-25')).to.deep.equal(['missing_here pro ×1 not ours']);
    expect(on('2026-08-03')).to.deep.equal(['timing pro ×1 not ours']);
    expect(on('2026-08-04')).to.deep.equal(['missing_here pro ×1 not ours']);
  });

  it('is compared beside a report of another account that has days', () => {
    const detail = { ...lineOf(sale, 1), day: sale.day, settledOn: sale.day };
    const reports = [
      { reportId: 'rep_1', account: '1', lines: groupsOf(writeFinanceDetail([detail], july)) },
      { reportId: 'rep_2', account: '2', lines: groupsOf(writeFinancial([lineOf(sale, 1)], july)) },
    ];
    const calendar = months.map(([month, period]) => ({ month, period, hasReport: month === '2026-07' }));
    const of = { month: '2026-07', calendar, period: july, today: '2026-12-01', hasReport: true, neighbours: [] };
    const ours = [...ourCharges({ ...sale, day: '2026-07-30' }, 1), ...ourCharges(sale, 1)];
    const entries = finish(matchGroups({ ...of, reports, ours, apps: new Map([['pro', 'app_1']]) }));
    expect(entries.map(briefly)).to.deep.equal(['matched pro ×1', 'matched pro ×1']);
  });
});

const plants = (
  [
    'matched',
    'refund',
    'price',
    'tax',
    'commission',
    'missing_here',
    'missing_there',
    'other_app',
    'free',
    'late',
    'reversal',
    'charged_again',
  ] as const
).map((plant) => [plant, 1] as const);

function playWorld(random: Random) {
  const ours: OurCharge[] = [];
  const [here, after]: [Row[], Row[]] = [[], [lineOf({ sku: 'always', priceMicros: 990_000 }, 1)]];
  const expected: string[] = [];
  for (let i = 0; i < random.whole(5, 30); i++) {
    const count = random.whole(1, 6);
    const day = addDays('2026-07-01', random.whole(0, 27));
    const sale: Sale = { sku: `sku${i}`, day, priceMicros: random.whole(10, 9999) * 10_000 };
    const name = `${sale.sku} ×${count}`;
    const plant = random.pick(plants);
    switch (plant) {
      case 'matched':
      case 'refund': {
        const isReturn = plant === 'refund';
        for (let n = 0; n < count; n++)
          ours.push(...ourCharges({ ...sale, isReturn, day: addDays('2026-06-28', random.whole(0, 4) * 7 + n) }, 1));
        here.push(lineOf({ ...sale, isReturn }, count));
        expected.push(`matched ${name}`);
        break;
      }
      case 'price':
        ours.push(...ourCharges(sale, count));
        here.push(lineOf({ ...sale, priceMicros: sale.priceMicros + 100_000 }, count));
        expected.push(`price ${name}`);
        break;
      case 'tax':
      case 'commission':
        ours.push(...ourCharges(sale, count));
        here.push(lineOf(sale, count, plant === 'tax' ? 0.4 : 0.3));
        expected.push(`${plant} ${name}`);
        break;
      case 'missing_here':
        here.push(lineOf(sale, count));
        expected.push(`missing_here ${name} not ours`);
        break;
      case 'missing_there':
        ours.push(...ourCharges(sale, count));
        expected.push(...Array.from({ length: count }, () => `missing_there ${sale.sku} ×1 not theirs`));
        break;
      case 'other_app':
        here.push(lineOf({ ...sale, sku: `foreign${i}` }, count));
        expected.push(`other_app foreign${i} ×${count} not ours`);
        break;
      case 'free':
        here.push(lineOf({ ...sale, priceMicros: 0 }, count));
        expected.push(`free ${name} not ours`);
        break;
      case 'late':
        ours.push(...ourCharges(sale, count));
        after.push(lineOf(sale, count));
        expected.push(`timing ${name} not theirs`);
        break;
      case 'reversal':
      case 'charged_again': {
        const refunded = { ...sale, isReturn: true };
        const reversals = [{ day: addDays(day, 3), share: 1 }];
        ours.push(...ourCharges(refunded, count).map((one) => ({ ...one, reversals })));
        here.push(lineOf(refunded, count), { ...lineOf(sale, count), isReturn: plant === 'reversal' });
        expected.push(`matched ${name}`, `matched ${name}`);
        break;
      }
    }
  }
  const order = here.map((row) => [random.next(), row] as const).sort(([a], [b]) => a - b);
  return { ours, here: order.map(([, row]) => row), after, expected };
}

const sum = (amounts: readonly (Amounts | null)[]) =>
  amounts.reduce<Amounts>((a, b) => addAmounts(a, b ?? NOTHING), NOTHING);

describe(`${WORLDS} fiscal months without days, with planted differences`, () => {
  it(`name each of them and nothing else, and add up (seed ${SEED})`, () => {
    for (let world = 0; world < WORLDS; world++) {
      const { ours, here, after, expected } = playWorld(createRandom(`${SEED}|${world}`));
      if (here.length === 0) continue;
      const entries = match(ours, { here, after });
      const about = `seed ${SEED}, world ${world}`;
      expect(entries.map(briefly).sort(), about).to.deep.equal(expected.sort());
      const printed = here.reduce((total, row) => total + Math.round(Number(row.extendedShare) * 1_000_000), 0);
      expect(sum(entries.map(({ store }) => store)).proceeds, about).to.equal(printed);
      for (const { difference, causes } of finish(tablesOf(entries)))
        expect(sum(causes.map((one) => one.difference)), about).to.deep.equal(difference);
    }
  });
});

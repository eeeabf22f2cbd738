// Comparison of ios-store finance reports with our transactions, by groups of equal sales: each planted difference is named, and nothing else.
import { expect } from 'chai';
import { createRandom, type Random } from '#simulator/random.js';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import {
  NOTHING,
  addAmounts,
  type Amounts,
  type BookEntry,
  type OurCharge,
} from '../../../src/domain/books/entries.js';
import type { GroupBooks } from '../../../src/domain/books/group-units.js';
import { matchGroups } from '../../../src/domain/books/match-groups.js';
import { tablesOf } from '../../../src/domain/books/month-table.js';
import { addDays, printAmount } from '../../../src/domain/books/report-values.js';
import { finish, groupsOf } from './support.js';

const WORLDS = Number(process.env['BOOK_WORLDS'] ?? 150);
const SEED = process.env['BOOK_SEED'] ?? 'groups-1';
const period = { startDate: '2026-06-28', endDate: '2026-08-01' };

type Sale = { readonly sku: string; readonly day: string; readonly priceMicros: number; readonly isReturn?: boolean };

const ourCharges = ({ sku, day, priceMicros, isReturn = false }: Sale, count: number): OurCharge[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ transactionId: `${sku}/${day}/${i}`, appId: 'app_1', sku, country: 'DE', currency: 'EUR', quantity: 1 },
    ...{ amountMicros: priceMicros, taxRate: 0, commissionRate: 0.15, reversals: [] },
    // A refund of this month is of a charge of an earlier one.
    ...(isReturn ? { day: addDays(day, -60), refunds: [{ day, share: 1 }] } : { day, refunds: [] }),
  }));

const lineOf = ({ sku, day, priceMicros, isReturn = false }: Sale, quantity: number, keeps = 0.15): FinanceRow => {
  const share = priceMicros - Math.round((priceMicros * keeps) / 10_000) * 10_000;
  const sign = isReturn ? -1 : 1;
  return {
    ...{ day, settledOn: day, sku, country: 'DE', quantity: sign * quantity, price: printAmount(priceMicros, 'EUR') },
    ...{ currency: 'EUR', share: printAmount(sign * share, 'EUR'), shareCurrency: 'EUR', isReturn },
    extendedShare: printAmount(sign * share * quantity, 'EUR'),
  };
};

type Reports = { readonly here: readonly FinanceRow[]; readonly after?: readonly FinanceRow[] };

function match(ours: readonly OurCharge[], { here, after = [] }: Reports, change: Partial<GroupBooks> = {}) {
  const read = (rows: readonly FinanceRow[], reportId: string) =>
    rows.length === 0 ? [] : [{ reportId, account: '1', lines: groupsOf(writeFinanceDetail(rows, period)) }];
  const apps = new Map(ours.map(({ sku, appId }) => [sku, appId]));
  for (const { sku } of here) if (!sku.startsWith('foreign')) apps.set(sku, 'app_1');
  const neighbours = read(after, 'rep_after').map((report) => ({ ...report, month: '2026-08' }));
  const reports = read(here, 'rep_here');
  const hasReport = reports.length > 0;
  const of = { month: '2026-07', calendar: [], period, today: '2026-12-01', hasReport };
  return finish(matchGroups({ ...of, reports, neighbours, ours, apps, ...change }));
}

const briefly = ({ cause, sku, count, ours, store }: BookEntry) =>
  `${cause} ${sku} ×${count}${ours ? '' : ' not ours'}${store ? '' : ' not theirs'}`;

describe('the comparison of groups', () => {
  const sale: Sale = { sku: 'pro', day: '2026-07-10', priceMicros: 9_990_000 };

  it('names all transactions that a difference in the number may mean', () => {
    const entries = match(ourCharges(sale, 3), { here: [lineOf(sale, 2)] });
    expect(entries.map(briefly)).to.deep.equal(['matched pro ×2', 'missing_there pro ×1 not theirs']);
    expect(entries[0]?.transactionIds).to.have.length(2);
  });

  it('pairs equal proceeds first, where the store takes different fees of equal sales', () => {
    const [first, second] = [0.3, 0.15];
    const ours = ourCharges(sale, 3).map((charge, i) => ({ ...charge, commissionRate: i === 0 ? second : first }));
    const here = [lineOf(sale, 2, first), lineOf(sale, 1, second)];
    expect(match(ours, { here }).map(briefly)).to.deep.equal(['matched pro ×2', 'matched pro ×1']);
    const other = [lineOf(sale, 1, first), lineOf(sale, 2, second)];
    expect(match(ours, { here: other }).map(briefly)).to.deep.equal([
      ...['matched pro ×1', 'matched pro ×1', 'commission pro ×1'],
    ]);
  });

  it('matches a sale that the store dates two days later, and none of three days', () => {
    const later = (days: number) => lineOf({ ...sale, day: addDays(sale.day, days) }, 1);
    expect(match(ourCharges(sale, 1), { here: [later(2)] }).map(briefly)).to.deep.equal(['timing pro ×1']);
    expect(match(ourCharges(sale, 1), { here: [later(3)] }).map(briefly)).to.deep.equal([
      'missing_here pro ×1 not ours',
      'missing_there pro ×1 not theirs',
    ]);
  });

  it('finds a sale of the last day in the report of the next month', () => {
    const last = { ...sale, day: '2026-08-01' };
    const [entry, ...others] = match(ourCharges(last, 1), {
      here: [],
      after: [lineOf({ ...last, day: '2026-08-02' }, 1)],
    });
    expect(others).to.deep.equal([]);
    expect(entry).to.include({ cause: 'timing', otherMonth: '2026-08', store: null });
  });

  it('splits the proceeds of a line exactly among its parts', () => {
    const odd: FinanceRow = { ...lineOf(sale, 3), extendedShare: '25.46' };
    const entries = match([...ourCharges(sale, 2), ...ourCharges({ ...sale, day: '2026-07-11' }, 1)], { here: [odd] });
    const proceeds = entries.map(({ store }) => store?.proceeds ?? 0);
    expect(proceeds.reduce((a, b) => a + b)).to.equal(25_460_000);
  });

  it('matches sales whose country is not known here, after those whose country is', () => {
    const [known, unknown] = ourCharges(sale, 2);
    const french = { ...lineOf(sale, 1), country: 'FR' };
    const entries = match([{ ...unknown, country: null } as OurCharge, known as OurCharge], {
      here: [french, lineOf(sale, 1)],
    });
    const matched = entries.map(({ cause, country, transactionIds }) => `${cause} ${country} ${transactionIds.join()}`);
    expect(matched).to.deep.equal(['matched DE pro/2026-07-10/0', 'matched FR pro/2026-07-10/1']);
  });

  for (const [what, isReturn] of [
    ['a return with the sign of a sale', true],
    ['a new sale', false],
  ] as const)
    it(`matches a reversal of a refund that stands as ${what}`, () => {
      const [charge] = ourCharges({ ...sale, isReturn: true }, 1) as [OurCharge];
      const reversal = { ...lineOf({ ...sale, day: '2026-07-20' }, 1), isReturn };
      const here = [lineOf({ ...sale, isReturn: true }, 1), reversal];
      const entries = match([{ ...charge, reversals: [{ day: '2026-07-20', share: 1 }] }], { here });
      expect(entries.map(({ cause, kind }) => `${cause} ${kind}`)).to.deep.equal([
        'matched refund',
        'matched reversal',
      ]);
      expect(sum(entries.map(({ store }) => store))).to.deep.equal({ ...NOTHING });
      expect(sum(entries.map(({ ours }) => ours))).to.deep.equal({ ...NOTHING });
    });

  it('keeps what is paid for no sale, unexplained', () => {
    const entries = match([], { here: [{ ...lineOf(sale, 0), extendedShare: '3.20' }] });
    expect(entries.map(briefly)).to.deep.equal(['unexplained pro ×0 not ours']);
    expect(entries[0]?.store).to.deep.include({ proceeds: 3_200_000 });
  });

  it('compares counts and prices alone where the store pays in another currency', () => {
    const line: FinanceRow = { ...lineOf(sale, 1), shareCurrency: 'USD', extendedShare: '9.00' };
    const [entry] = match(ourCharges(sale, 1), { here: [line] });
    expect(entry).to.deep.include({ cause: 'matched', labels: ['paid_in_other_currency'], store: entry?.ours });
  });
});

const plants = [
  ...(['matched', 'price', 'tax', 'commission', 'missing_here', 'missing_there', 'timing'] as const),
  ...(['refund', 'lost_refund', 'other_app', 'free', 'next_month', 'awaited'] as const),
  ...(['reversal', 'charged_again'] as const),
].map((plant) => [plant, 1] as const);

function playWorld(random: Random) {
  const ours: OurCharge[] = [];
  const [here, after]: [FinanceRow[], FinanceRow[]] = [[], []];
  const expected: string[] = [];
  for (let i = 0; i < random.whole(5, 30); i++) {
    const plant = random.pick(plants);
    const count = random.whole(1, 6);
    const day = addDays('2026-07-01', random.whole(0, 27));
    const sale: Sale = { sku: `sku${i}`, day, priceMicros: random.whole(10, 9999) * 10_000 };
    const name = `${sale.sku} ×${count}`;
    switch (plant) {
      case 'matched':
      case 'refund': {
        const one = { ...sale, isReturn: plant === 'refund' };
        ours.push(...ourCharges(one, count));
        here.push(lineOf(one, count));
        expected.push(`matched ${name}`);
        break;
      }
      case 'reversal':
      case 'charged_again': {
        const [refunded, later] = [{ ...sale, isReturn: true }, addDays(day, 3)];
        ours.push(...ourCharges(refunded, count).map((one) => ({ ...one, reversals: [{ day: later, share: 1 }] })));
        here.push(lineOf(refunded, count), {
          ...lineOf({ ...sale, day: later }, count),
          isReturn: plant === 'reversal',
        });
        expected.push(`matched ${name}`, `matched ${name}`);
        break;
      }
      case 'price':
        ours.push(...ourCharges(sale, count));
        here.push(lineOf({ ...sale, priceMicros: sale.priceMicros + 100_000 }, count));
        expected.push(`price ${name}`);
        break;
      case 'tax':
        ours.push(...ourCharges(sale, count));
        here.push(lineOf(sale, count, 0.4));
        expected.push(`tax ${name}`);
        break;
      case 'commission':
        ours.push(...ourCharges(sale, count));
        here.push(lineOf(sale, count, 0.3));
        expected.push(`commission ${name}`);
        break;
      case 'missing_here':
      case 'lost_refund':
        here.push(lineOf({ ...sale, isReturn: plant === 'lost_refund' }, count));
        expected.push(`missing_here ${name} not ours`);
        break;
      case 'missing_there':
      case 'awaited':
        ours.push(...ourCharges(sale, count));
        expected.push(...Array.from({ length: count }, () => `missing_there ${sale.sku} ×1 not theirs`));
        break;
      case 'timing':
        ours.push(...ourCharges(sale, count));
        here.push(
          lineOf(
            {
              ...sale,
              day: addDays(
                day,
                random.pick([
                  [-2, 1],
                  [-1, 1],
                  [1, 1],
                  [2, 1],
                ]),
              ),
            },
            count,
          ),
        );
        expected.push(`timing ${name}`);
        break;
      case 'next_month':
        ours.push(...ourCharges({ ...sale, day: '2026-08-01' }, count));
        after.push(lineOf({ ...sale, day: '2026-08-02' }, count));
        expected.push(`timing ${name} not theirs`);
        break;
      case 'other_app':
        here.push(lineOf({ ...sale, sku: `foreign${i}` }, count));
        expected.push(`other_app foreign${i} ×${count} not ours`);
        break;
      case 'free':
        here.push(lineOf({ ...sale, priceMicros: 0 }, count));
        expected.push(`free ${name} not ours`);
        break;
    }
  }
  const order = here
    .map((row) => [random.next(), row] as const)
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row);
  return { ours, here: order, after, expected };
}

const sum = (amounts: readonly (Amounts | null)[]) =>
  amounts.reduce<Amounts>((a, b) => addAmounts(a, b ?? NOTHING), NOTHING);

describe(`${WORLDS} fiscal months with planted differences`, () => {
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

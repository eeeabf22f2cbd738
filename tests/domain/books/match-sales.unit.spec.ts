// Comparison of android-store sales reports with our transactions: price and tax, and no false difference of the fee that they do not state.
import { expect } from 'chai';
import { createRandom, type Random } from '#simulator/random.js';
import { writeEarnings, writeSales, type SalesRow } from '#simulator/store-reports.js';
import {
  NOTHING,
  addAmounts,
  type Amounts,
  type BookEntry,
  type OurCharge,
} from '../../../src/domain/books/entries.js';
import { matchOrders, type OrderBooks } from '../../../src/domain/books/match-orders.js';
import { tablesOf } from '../../../src/domain/books/month-table.js';
import { printAmount } from '../../../src/domain/books/report-values.js';
import { finish, ordersOf } from './support.js';

const WORLDS = Number(process.env['BOOK_WORLDS'] ?? 150);
const SEED = process.env['BOOK_SEED'] ?? 'sales-1';
const PACKAGE = 'com.example.app';
const period = { startDate: '2026-07-01', endDate: '2026-07-31' };

const ourCharge = (transactionId: string, change: Partial<OurCharge> = {}): OurCharge => ({
  ...{ transactionId, appId: 'app_1', sku: 'pro:monthly', country: 'DE', currency: 'EUR', amountMicros: 11_900_000 },
  ...{ taxRate: 0, commissionRate: 0.15, quantity: 1, day: '2026-07-10', refunds: [], reversals: [], ...change },
});

type Change = Partial<SalesRow> & { readonly gross?: number; readonly taxMicros?: number; readonly sign?: 1 | -1 };

function rowOf(charge: OurCharge, change: Change = {}): SalesRow {
  const { gross = charge.amountMicros ?? 0, taxMicros = 0, sign = 1, ...row } = change;
  const print = (micros: number) => printAmount(sign * micros, 'EUR');
  return {
    ...{ orderId: charge.transactionId, chargedAt: `${charge.day}T20:00:00Z`, status: 'Charged', sku: 'pro' },
    ...{ packageName: PACKAGE, country: 'DE', currency: 'EUR', price: print(gross - taxMicros) },
    ...{ tax: print(taxMicros), charged: print(gross), ...row },
  };
}

function match(ours: readonly OurCharge[], rows: readonly SalesRow[], change: Partial<OrderBooks> = {}) {
  const reports = [{ reportId: 'rep_1', account: 'all', lines: rows.length === 0 ? [] : ordersOf(writeSales(rows)) }];
  const byId = new Map(ours.map((charge) => [charge.transactionId, charge]));
  const books = { period, today: '2026-12-01', hasReport: false, reports, ours: byId };
  const others = { apps: new Map([[PACKAGE, 'app_1']]), elsewhere: new Map<string, string>() };
  return finish(matchOrders({ ...books, ...others, ...change }));
}

const briefly = ({ cause, kind, orderId }: BookEntry) => `${cause} ${kind} ${orderId}`;

describe('the comparison of sales', () => {
  it('matches price and tax, and takes the fee as ours', () => {
    const charge = ourCharge('GPA.1', { taxRate: 1.9 / 11.9 });
    const [entry, ...others] = match([charge], [rowOf(charge, { taxMicros: 1_900_000 })]);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ cause: 'matched', paid: null, labels: ['fee_not_stated'], store: entry?.ours });
    expect(entry?.store).to.deep.include({ charged: 11_900_000, tax: 1_900_000, fee: 1_790_000 });
  });

  it('names a tax that is added to our price, without a difference of proceeds', () => {
    const charge = ourCharge('GPA.1');
    const [entry] = match([charge], [rowOf(charge, { gross: 12_900_000, taxMicros: 1_000_000 })]);
    expect(entry).to.include({ cause: 'tax' });
    expect(entry?.store?.proceeds).to.equal(entry?.ours?.proceeds);
  });

  it('waits for the earnings, however long', () => {
    const entries = match([ourCharge('GPA.1')], [rowOf(ourCharge('GPA.2'))], { today: '2027-06-01' });
    expect(entries.map(briefly)).to.deep.equal(['missing_here charge GPA.2', 'awaiting_report charge GPA.1']);
  });

  it('takes a refund for one, with and without a minus, and never for a reversal', () => {
    const charge = ourCharge('GPA.1', { day: '2026-06-02', refunds: [{ day: '2026-07-03', share: 1 }] });
    for (const sign of [1, -1] as const)
      expect(
        match(
          [charge],
          [rowOf(charge, { status: 'Refund', sign, taxMicros: 1_900_000, chargedAt: '2026-07-03T20:00:00Z' })],
        ).map(briefly),
        `${sign}`,
      ).to.deep.equal(['tax refund GPA.1']);
  });

  it('counts an order once that the earnings of another account have', () => {
    const charge = ourCharge('GPA.1');
    const earnings = writeEarnings([
      {
        ...{ orderId: 'GPA.1', day: charge.day, type: 'Charge', packageName: PACKAGE, sku: 'pro', country: 'DE' },
        ...{ currency: 'EUR', amount: '11.90', merchantCurrency: 'EUR', merchantAmount: '11.90' },
      },
    ]);
    const sales = writeSales([rowOf(charge)]);
    const reports = [
      { reportId: 'rep_1', account: '1', lines: ordersOf(earnings) },
      { reportId: 'rep_2', account: '2', lines: ordersOf(sales) },
    ];
    expect(match([charge], [], { reports }).map(briefly)).to.deep.equal([
      'double charge GPA.1',
      'commission charge GPA.1',
    ]);
  });
});

const plants = (
  [
    'matched',
    'price',
    'tax',
    'missing_here',
    'awaited',
    'refund',
    'partial_refund',
    'lost_refund',
    'other_app',
    'free',
    'timing',
  ] as const
).map((plant) => [plant, 1] as const);

function playWorld(random: Random) {
  const ours: OurCharge[] = [];
  const rows: SalesRow[] = [];
  const expected: string[] = [];
  const sign = random.pick([
    [1, 1],
    [-1, 1],
  ] as const);
  for (let i = 0; i < random.whole(5, 40); i++) {
    const orderId = `GPA.${i}`;
    const day = `2026-07-${String(random.whole(1, 31)).padStart(2, '0')}`;
    const gross = random.whole(2, 4000) * 100_000;
    const charge = ourCharge(orderId, { day, amountMicros: gross });
    const refund = { status: 'Refund', sign };
    switch (random.pick(plants)) {
      case 'matched':
        ours.push(charge);
        rows.push(rowOf(charge));
        expected.push(`matched charge ${orderId}`);
        break;
      case 'price':
        ours.push(charge);
        rows.push(rowOf(charge, { gross: gross + 10_000 }));
        expected.push(`price charge ${orderId}`);
        break;
      case 'tax':
        ours.push(charge);
        rows.push(rowOf(charge, { taxMicros: 10_000 }));
        expected.push(`tax charge ${orderId}`);
        break;
      case 'missing_here':
        rows.push(rowOf(charge));
        expected.push(`missing_here charge ${orderId}`);
        break;
      case 'awaited':
        ours.push(charge);
        expected.push(`awaiting_report charge ${orderId}`);
        break;
      case 'refund':
        ours.push({ ...charge, refunds: [{ day, share: 1 }] });
        rows.push(rowOf(charge), rowOf(charge, refund));
        expected.push(`matched charge ${orderId}`, `matched refund ${orderId}`);
        break;
      case 'partial_refund':
        ours.push({ ...charge, refunds: [{ day, share: 0.5 }] });
        rows.push(rowOf(charge), rowOf(charge, { status: 'Partial refund', sign, gross: gross / 2 + 20_000 }));
        expected.push(`matched charge ${orderId}`, `partial_refund refund ${orderId}`);
        break;
      case 'lost_refund':
        ours.push(charge);
        rows.push(rowOf(charge), rowOf(charge, refund));
        expected.push(`matched charge ${orderId}`, `missing_here refund ${orderId}`);
        break;
      case 'other_app':
        rows.push(rowOf(charge, { packageName: 'com.example.other' }));
        expected.push(`other_app charge ${orderId}`);
        break;
      case 'free':
        rows.push(rowOf(charge, { gross: 0 }));
        expected.push(`free charge ${orderId}`);
        break;
      case 'timing':
        ours.push({ ...charge, day: '2026-06-30' });
        rows.push(rowOf({ ...charge, day: '2026-07-01' }));
        expected.push(`timing charge ${orderId}`);
        break;
    }
  }
  const order = rows.map((row) => [random.next(), row] as const).sort(([a], [b]) => a - b);
  return { ours, rows: order.map(([, row]) => row), expected };
}

const sum = (amounts: readonly (Amounts | null)[]) =>
  amounts.reduce<Amounts>((a, b) => addAmounts(a, b ?? NOTHING), NOTHING);

describe(`${WORLDS} months of sales with planted differences`, () => {
  it(`name each of them and nothing else, and add up (seed ${SEED})`, () => {
    for (let world = 0; world < WORLDS; world++) {
      const { ours, rows, expected } = playWorld(createRandom(`${SEED}|${world}`));
      const entries = match(ours, rows);
      const about = `seed ${SEED}, world ${world}`;
      expect(entries.map(briefly).sort(), about).to.deep.equal(expected.sort());
      const printed = (status: RegExp) =>
        rows
          .filter((row) => status.test(row.status))
          .reduce((total, row) => total + Math.abs(Math.round(Number(row.charged) * 1_000_000)), 0);
      const store = sum(entries.map((entry) => entry.store));
      expect([store.charged, store.refunded], about).to.deep.equal([printed(/charged/i), printed(/refund/i)]);
      for (const entry of entries.filter(({ cause }) => cause === 'matched'))
        expect(entry.store, about).to.deep.equal(entry.ours);
      for (const { difference, causes } of finish(tablesOf(entries)))
        expect(sum(causes.map((one) => one.difference)), about).to.deep.equal(difference);
    }
  });
});

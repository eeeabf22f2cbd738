// Comparison of android-store earnings with our transactions: each planted difference is named, and nothing else.
import { expect } from 'chai';
import { createRandom, type Random } from '#simulator/random.js';
import { writeEarnings, type EarningsRow } from '#simulator/store-reports.js';
import {
  NOTHING,
  addAmounts,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type OurCharge,
} from '../../../src/domain/books/entries.js';
import { missingOrders } from '../../../src/domain/books/look-ups.js';
import { matchOrders, orderKey, type OrderBooks } from '../../../src/domain/books/match-orders.js';
import { tablesOf } from '../../../src/domain/books/month-table.js';
import { printAmount } from '../../../src/domain/books/report-values.js';
import { finish, ordersOf } from './support.js';

const WORLDS = Number(process.env['BOOK_WORLDS'] ?? 150);
const SEED = process.env['BOOK_SEED'] ?? 'orders-1';
const PACKAGE = 'com.example.app';
const period = { startDate: '2026-07-01', endDate: '2026-07-31' };
const apps = new Map([[PACKAGE, 'app_1']]);

const ourCharge = (transactionId: string, change: Partial<OurCharge> = {}): OurCharge => ({
  ...{ transactionId, appId: 'app_1', sku: 'pro:monthly', country: 'DE', currency: 'EUR', amountMicros: 11_900_000 },
  ...{ taxRate: 0, commissionRate: 0.15, quantity: 1, day: '2026-07-10', refunds: [], reversals: [], ...change },
});

/** The lines of a charge or refund, as the store writes them: what it takes off is negative. */
function linesOf(
  charge: OurCharge,
  change: { readonly isRefund?: boolean; gross?: number; tax?: number; fee?: number } & Partial<EarningsRow> = {},
) {
  const {
    isRefund = false,
    gross = charge.amountMicros ?? 0,
    tax = 0,
    fee = Math.round((gross * 0.15) / 10_000) * 10_000,
    ...row
  } = change;
  const line = (type: string, micros: number): EarningsRow => {
    const amount = printAmount(isRefund ? -micros : micros, 'EUR');
    return {
      ...{
        orderId: charge.transactionId,
        day: charge.day,
        type: isRefund ? `${type} refund` : type,
        packageName: PACKAGE,
      },
      ...{
        sku: 'pro',
        country: 'DE',
        currency: 'EUR',
        amount,
        merchantCurrency: 'EUR',
        merchantAmount: amount,
        ...row,
      },
    };
  };
  return [line('Charge', gross), ...(tax === 0 ? [] : [line('Tax', -tax)]), line('Google fee', -fee)];
}

/** The same lines with the opposite signs. */
function takenBack(rows: readonly EarningsRow[]): readonly EarningsRow[] {
  const turn = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
  return rows.map((row) => ({ ...row, amount: turn(row.amount), merchantAmount: turn(row.merchantAmount) }));
}

type Report = { readonly account?: string; readonly rows: readonly EarningsRow[] };

function match(ours: readonly OurCharge[], reports: readonly Report[], change: Partial<OrderBooks> = {}) {
  const counted = reports.map(({ rows, account = '1' }, i) => ({
    ...{ reportId: `rep_${i}`, account, lines: rows.length === 0 ? [] : ordersOf(writeEarnings(rows)) },
  }));
  const byId = new Map(ours.map((charge) => [charge.transactionId, charge]));
  const books = { period, today: '2026-12-01', hasReport: reports.length > 0, reports: counted, ours: byId, apps };
  return finish(matchOrders({ ...books, elsewhere: new Map(), ...change }));
}

const briefly = ({ cause, kind, orderId }: BookEntry) => `${cause} ${kind} ${orderId}`;

describe('the comparison of orders', () => {
  it('matches a charge whose tax is beside it, inside it, or nowhere in the report', () => {
    const taxed = ourCharge('GPA.1', { taxRate: 1.9 / 11.9, commissionRate: 0.15 });
    const beside = match([taxed], [{ rows: linesOf(taxed, { gross: 10_000_000, tax: 1_900_000, fee: 1_790_000 }) }]);
    const inside = match([taxed], [{ rows: linesOf(taxed, { tax: 1_900_000, fee: 1_790_000 }) }]);
    const nowhere = match([taxed], [{ rows: linesOf(taxed, { gross: 10_000_000, fee: 1_790_000 }) }]);
    for (const entries of [beside, inside, nowhere])
      expect(entries.map(briefly)).to.deep.equal(['matched charge GPA.1']);
    expect(nowhere[0]?.labels).to.deep.equal(['tax_as_ours']);
    for (const [entry] of [beside, inside, nowhere])
      expect(entry?.store).to.deep.include({ charged: 11_900_000, tax: 1_900_000, proceeds: 8_210_000 });
  });

  it('finds an item of an order by its product', () => {
    const item = ourCharge('GPA.1#pro');
    expect(match([item], [{ rows: linesOf({ ...item, transactionId: 'GPA.1' }) }])[0]).to.include({ cause: 'matched' });
  });

  it('compares the two sides of an order in two currencies with one cause', () => {
    const charge = ourCharge('GPA.1', { currency: 'USD' });
    const entries = match([charge], [{ rows: linesOf(charge) }]);
    expect(entries.map(({ cause, currency }) => `${cause} ${currency}`)).to.deep.equal(['price EUR', 'price USD']);
  });

  it('waits for a report until 62 days after the month', () => {
    const charge = ourCharge('GPA.1');
    const other = { rows: linesOf(ourCharge('GPA.2')) };
    const causeOn = (today: string, reports: readonly Report[]) =>
      match([charge], reports, { today }).find(({ orderId }) => orderId === 'GPA.1')?.cause;
    expect(causeOn('2026-09-30', [other])).to.equal('awaiting_report');
    expect(causeOn('2026-10-01', [other])).to.equal('missing_there');
    expect(causeOn('2027-01-01', [])).to.equal('awaiting_report');
  });

  const taken = { day: '2026-07-20', share: 1 };
  const back = (charge: OurCharge) => takenBack(linesOf(charge, { isRefund: true, day: taken.day }));
  const reversed = ourCharge('GPA.1', { refunds: [{ day: '2026-07-12', share: 1 }], reversals: [taken] });
  const refund = linesOf(reversed, { isRefund: true, day: '2026-07-12' });
  const old = ourCharge('GPA.1', { day: '2026-05-01', refunds: [{ day: '2026-06-12', share: 1 }], reversals: [taken] });
  const unsigned = (rows: readonly EarningsRow[]) =>
    rows.map((row) => ({ ...row, amount: row.amount.replace('-', '') }));
  const reversals: readonly (readonly [string, OurCharge | null, readonly EarningsRow[], string, string[]])[] = [
    [
      'a line of the refund’s type with the opposite sign',
      reversed,
      [...linesOf(reversed), ...refund, ...back(reversed)],
      '11.90',
      ['matched charge', 'matched refund', 'matched reversal'],
    ],
    [
      'a new charge',
      reversed,
      [...linesOf(reversed, { day: taken.day }), ...refund, ...linesOf(reversed)],
      '11.90',
      ['matched charge', 'matched refund', 'matched reversal'],
    ],
    ['a new charge of an earlier order', old, linesOf(old, { day: taken.day }), '11.90', ['matched reversal']],
    ['the only refund line of a month', old, back(old), '11.90', ['matched reversal']],
    [
      'a line of a report that signs nothing',
      old,
      unsigned(linesOf(old, { isRefund: true, day: taken.day })),
      '11.90',
      ['matched reversal'],
    ],
    [
      'of another amount than ours',
      old,
      linesOf(old, { day: taken.day, gross: 5_000_000 }),
      '5.00',
      ['price reversal'],
    ],
    [
      'that was not recorded here',
      null,
      [...refund, ...back(reversed)],
      '0.00',
      ['missing_here refund', 'missing_here reversal'],
    ],
  ];
  for (const [what, ours, rows, net, expected] of reversals)
    it(`finds a reversal of a refund: ${what}`, () => {
      const entries = match(ours ? [ours] : [], [{ rows }]);
      expect(entries.map(({ cause, kind }) => `${cause} ${kind}`).sort()).to.deep.equal(expected);
      const { charged, refunded } = sum(entries.map(({ store }) => store));
      expect(printAmount(charged - refunded, 'EUR')).to.equal(net);
    });

  it('names both refund and reversal that no report has', () => {
    const entries = match([reversed], [{ rows: linesOf(reversed) }]);
    expect(entries.map(briefly)).to.deep.equal([
      ...['matched charge GPA.1', 'missing_there refund GPA.1', 'missing_there reversal GPA.1'],
    ]);
  });

  it('finds a reversal in the next month’s report, also as a new charge', () => {
    for (const kind of ['reversal', 'charge'] as const) {
      const elsewhere = new Map([[orderKey(kind, 'GPA.1'), '2026-08']]);
      const entries = match([reversed], [{ rows: [...linesOf(reversed), ...refund] }], { elsewhere });
      expect(entries.map(briefly)).to.include('timing reversal GPA.1').and.include('matched charge GPA.1');
    }
  });

  it('keeps the lines of an unknown type with their amount', () => {
    const charge = ourCharge('GPA.1');
    const [fee] = linesOf(charge).slice(1);
    if (!fee) throw new Error('a charge has a fee');
    const [entry] = match([], [{ rows: [{ ...fee, type: 'Something new' }] }]);
    expect(entry).to.deep.include({
      cause: 'unexplained',
      store: { ...NOTHING, charged: -1_790_000, proceeds: -1_790_000 },
    });
  });
});

describe('a line of a product without an order', () => {
  it('is unexplained, and one of the account is of no app', () => {
    const [charge] = linesOf(ourCharge('GPA.1'));
    if (!charge) throw new Error('a charge has lines');
    const entries = match(
      [],
      [
        {
          rows: [
            { ...charge, orderId: '' },
            { ...charge, orderId: '', packageName: '', sku: '' },
          ],
        },
      ],
    );
    expect(entries.map(briefly)).to.deep.equal(['unexplained charge null']);
  });
});

type Plant =
  | Exclude<Cause, 'awaiting_report' | 'not_collected' | 'unexplained'>
  | 'refund'
  | 'old_refund'
  | 'next_month'
  | 'lost_refund'
  | 'reversal'
  | 'charged_again';
const plants: readonly (readonly [Plant, number])[] = [
  ...([
    ['matched', 6],
    ['price', 1],
    ['tax', 1],
    ['commission', 1],
    ['missing_here', 1],
    ['missing_there', 1],
  ] as const),
  ...([
    ['timing', 1],
    ['next_month', 1],
    ['partial_refund', 1],
    ['refund', 1],
    ['old_refund', 1],
  ] as const),
  ...([
    ['lost_refund', 1],
    ['reversal', 1],
    ['charged_again', 1],
    ['double', 1],
    ['other_app', 1],
    ['free', 1],
  ] as const),
];

/** Plays a month with planted differences. `expected`: what the comparison must name. */
function playWorld(random: Random) {
  const ours: OurCharge[] = [];
  const [rows, again]: [EarningsRow[], EarningsRow[]] = [[], []];
  const elsewhere = new Map<string, string>();
  const expected: string[] = [];
  /** Charges of which a notification was lost, as the store shows them. */
  const atStore = new Map<string, OurCharge>();
  for (let i = 0; i < random.whole(5, 40); i++) {
    const orderId = `GPA.${i}`;
    const day = `2026-07-${String(random.whole(1, 31)).padStart(2, '0')}`;
    const charge = ourCharge(orderId, { day, amountMicros: random.whole(2, 4000) * 100_000 });
    const plant = random.pick(plants);
    const expectCause = (cause: Cause, kind: EntryKind = 'charge') => expected.push(`${cause} ${kind} ${orderId}`);
    const refundedOn = (share: number): OurCharge => ({ ...charge, refunds: [{ day, share }] });
    switch (plant) {
      case 'matched':
        ours.push(charge);
        rows.push(...linesOf(charge));
        expectCause('matched');
        break;
      case 'price':
        ours.push(charge);
        rows.push(...linesOf(charge, { gross: (charge.amountMicros ?? 0) + 10_000 }));
        expectCause('price');
        break;
      case 'tax':
        ours.push(charge);
        rows.push(...linesOf(charge, { tax: 30_000 }));
        expectCause('tax');
        break;
      case 'commission':
        ours.push(charge);
        rows.push(...linesOf(charge, { fee: 10_000 }));
        expectCause('commission');
        break;
      case 'missing_here':
        rows.push(...linesOf(charge));
        atStore.set(orderId, charge);
        expectCause('missing_here');
        break;
      case 'missing_there':
        ours.push(charge);
        expectCause('missing_there');
        break;
      case 'timing':
        ours.push({ ...charge, day: '2026-06-30' });
        rows.push(...linesOf(charge, { day: '2026-07-01' }));
        expectCause('timing');
        break;
      case 'next_month':
        ours.push({ ...charge, day: '2026-07-31' });
        elsewhere.set(orderKey('charge', orderId), '2026-08');
        expectCause('timing');
        break;
      case 'partial_refund':
        ours.push(refundedOn(0.5));
        rows.push(
          ...linesOf(charge),
          ...linesOf(charge, {
            isRefund: true,
            gross: Math.round((charge.amountMicros ?? 0) / 20_000) * 10_000 + 20_000,
          }),
        );
        expectCause('matched');
        expectCause('partial_refund', 'refund');
        break;
      case 'refund':
        ours.push(refundedOn(1));
        rows.push(...linesOf(charge), ...linesOf(charge, { isRefund: true }));
        expectCause('matched');
        expectCause('matched', 'refund');
        break;
      case 'old_refund':
        ours.push({ ...refundedOn(1), day: '2026-05-02' });
        rows.push(...linesOf(charge, { isRefund: true }));
        expectCause('matched', 'refund');
        break;
      case 'lost_refund':
        ours.push(charge);
        rows.push(...linesOf(charge), ...linesOf(charge, { isRefund: true }));
        atStore.set(orderId, refundedOn(1));
        expectCause('matched');
        expectCause('missing_here', 'refund');
        break;
      case 'reversal':
      case 'charged_again': {
        const reversed = { ...charge, day: '2026-05-02', refunds: [{ day: '2026-07-02', share: 1 }] };
        ours.push({ ...reversed, reversals: [{ day, share: 1 }] });
        rows.push(...linesOf(charge, { isRefund: true, day: '2026-07-02' }));
        rows.push(...(plant === 'reversal' ? takenBack(linesOf(charge, { isRefund: true })) : linesOf(charge)));
        expectCause('matched', 'refund');
        expectCause('matched', 'reversal');
        break;
      }
      case 'double':
        ours.push(charge);
        rows.push(...linesOf(charge));
        again.push(...linesOf(charge));
        expectCause('matched');
        expectCause('double');
        expectCause('double');
        break;
      case 'other_app':
        rows.push(...linesOf(charge, { packageName: 'com.example.other' }));
        expectCause('other_app');
        break;
      case 'free':
        rows.push(...linesOf({ ...charge, amountMicros: 0 }, { fee: 0 }));
        expectCause('free');
        break;
    }
  }
  const shuffled = rows
    .map((row) => [random.next(), row] as const)
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row);
  return {
    ours,
    reports: [{ rows: shuffled }, { rows: again, account: '2' }],
    elsewhere,
    expected,
    atStore,
    rows: [...rows, ...again],
  };
}

const sum = (amounts: readonly (Amounts | null)[]) =>
  amounts.reduce<Amounts>((a, b) => addAmounts(a, b ?? NOTHING), NOTHING);

describe(`${WORLDS} months with planted differences`, () => {
  it(`name each of them and nothing else, and add up (seed ${SEED})`, () => {
    for (let world = 0; world < WORLDS; world++) {
      const { ours, reports, elsewhere, expected, rows } = playWorld(createRandom(`${SEED}|${world}`));
      const entries = match(ours, reports, { elsewhere });
      const about = `seed ${SEED}, world ${world}`;
      expect(entries.map(briefly).sort(), about).to.deep.equal(expected.sort());
      // Another road to the store's side: the amounts as the report prints them, with their signs, are the proceeds.
      const printed = rows.reduce((total, row) => total + Math.round(Number(row.amount) * 1_000_000), 0);
      expect(sum(entries.map(({ store }) => store)).proceeds, about).to.equal(printed);
      const recorded = ours
        .filter(({ day }) => day.startsWith('2026-07'))
        .reduce((total, charge) => total + (charge.amountMicros ?? 0), 0);
      expect(sum(entries.map((entry) => entry.ours)).charged, about).to.equal(recorded);
      for (const { difference, causes } of finish(tablesOf(entries)))
        expect(sum(causes.map((one) => one.difference)), about).to.deep.equal(difference);
    }
  });

  it(`heal: orders that only the report has are looked up, and nothing else changes (seed ${SEED})`, () => {
    for (let world = 0; world < WORLDS; world++) {
      const random = createRandom(`${SEED}|${world}`);
      const { ours, reports, elsewhere, expected, atStore } = playWorld(random);
      const about = `seed ${SEED}, world ${world}`;
      const named = finish(missingOrders(match(ours, reports, { elsewhere })));
      expect(named.map(({ orderId }) => orderId).sort(), about).to.deep.equal([...atStore.keys()].sort());
      // The store answers some of them now and the others later, and a notification of one comes after all.
      const healed = new Map<string, OurCharge>(ours.map((charge) => [charge.transactionId, charge]));
      const steps = named.map(({ orderId }) => ({ orderId, round: random.whole(1, 2) }));
      for (const round of [1, 2, 2]) {
        for (const step of steps) {
          const charge = step.round === round ? atStore.get(step.orderId) : undefined;
          if (charge) healed.set(charge.transactionId, charge);
        }
        const entries = match([...healed.values()], reports, { elsewhere });
        const isHealed = (orderId: string) => steps.some((step) => step.orderId === orderId && step.round <= round);
        const now = expected.map((text) => {
          const [cause = '', kind = '', orderId = ''] = text.split(' ');
          return `${cause === 'missing_here' && isHealed(orderId) ? 'matched' : cause} ${kind} ${orderId}`;
        });
        expect(entries.map(briefly).sort(), about).to.deep.equal(now.sort());
        const waiting = finish(missingOrders(entries)).map(({ orderId }) => orderId);
        expect(waiting.filter(isHealed), about).to.deep.equal([]);
      }
    }
  });
});

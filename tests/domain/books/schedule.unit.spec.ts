// Revenue of charges over their days: by hand, and random charges against a computation that holds a number for each day.
import { expect } from 'chai';
import { createRandom, type Random } from '#simulator/random.js';
import {
  deferredChange,
  deliver,
  revenueBases,
  type ChargeChange,
  type DeliveredCharge,
  type RevenueBasis,
} from '../../../src/domain/books/delivery.js';
import { ourShare, type Amounts } from '../../../src/domain/books/entries.js';
import { addDays, addMonths, printAmount, smallestUnit } from '../../../src/domain/books/report-values.js';
import { createScheduleBuilder, scheduleRows, waterfallRows } from '../../../src/domain/books/schedule.js';
import { createDayOf, isTimeZone } from '../../../src/domain/books/time-zone.js';

const charge = (change: Partial<DeliveredCharge> = {}): DeliveredCharge => ({
  ...{ transactionId: 't1', appId: 'app_1', currency: 'USD', amountMicros: 9_990_000, taxRate: 0, commissionRate: 0.3 },
  ...{ startDay: '2026-01-20', endDay: '2026-02-19', replacedDay: null, changes: [], ...change },
});

const byMonth = (of: DeliveredCharge, basis: RevenueBasis = 'gross') =>
  [...(deliver(of, basis) ?? [])]
    .toSorted()
    .map(([month, { billed, recognised, reversed, refunded }]) =>
      [
        month,
        ...[billed, recognised - reversed, refunded].map((micros) => printAmount(micros, of.currency ?? '')),
      ].join(' '),
    );

const cases: readonly [what: string, change: Partial<DeliveredCharge>, months: readonly string[]][] = [
  // 9.99 over 30 days: nine days of 0.34, then 0.33; twelve days are in January.
  ['gives the first days a cent more', {}, ['2026-01 9.99 4.05 0.00', '2026-02 0.00 5.94 0.00']],
  ['recognises a purchase without an end at once', { endDay: null }, ['2026-01 9.99 9.99 0.00']],
  ['has one day at least', { endDay: '2026-01-20' }, ['2026-01 9.99 9.99 0.00']],
  [
    'takes back all of a full refund, without the day of the refund',
    { changes: [{ kind: 'refund', day: '2026-02-01', share: 1 }] },
    ['2026-01 9.99 4.05 0.00', '2026-02 0.00 -4.05 9.99'],
  ],
  [
    'takes a partial refund from the days to come first',
    { changes: [{ kind: 'refund', day: '2026-02-01', share: 0.5 }] },
    ['2026-01 9.99 4.05 0.00', '2026-02 0.00 0.94 5.00'],
  ],
  [
    'takes the rest of a partial refund from what was delivered',
    { changes: [{ kind: 'refund', day: '2026-02-18', share: 0.5 }] },
    ['2026-01 9.99 4.05 0.00', '2026-02 0.00 0.94 5.00'],
  ],
  [
    'takes back what was delivered of a purchase that is over',
    { changes: [{ kind: 'refund', day: '2026-05-02', share: 1 }] },
    ['2026-01 9.99 4.05 0.00', '2026-02 0.00 5.94 0.00', '2026-05 0.00 -9.99 9.99'],
  ],
  [
    'delivers what a reversed refund had taken back',
    {
      changes: [
        { kind: 'refund', day: '2026-02-01', share: 1 },
        { kind: 'reversal', day: '2026-03-05' },
      ],
    },
    ['2026-01 9.99 4.05 0.00', '2026-02 0.00 -4.05 9.99', '2026-03 0.00 9.99 -9.99'],
  ],
  ['recognises the rest on the day of an upgrade', { replacedDay: '2026-01-25' }, ['2026-01 9.99 9.99 0.00']],
  [
    'recognises on the day of an upgrade only what is not refunded that day',
    { replacedDay: '2026-01-25', changes: [{ kind: 'refund', day: '2026-01-25', share: 0.5 }] },
    ['2026-01 9.99 4.99 5.00'],
  ],
];

describe('revenue of a charge over its days', () => {
  for (const [what, change, months] of cases) it(what, () => expect(byMonth(charge(change))).to.deep.equal(months));

  it('is of what is left after tax and fee, if it is net', () => {
    expect(byMonth(charge({ endDay: null, taxRate: 0.1 }), 'net')).to.deep.equal(['2026-01 5.99 5.99 0.00']);
    const refunded = charge({ endDay: null, changes: [{ kind: 'refund', day: '2026-03-01', share: 1 }] });
    expect(byMonth(refunded, 'net')).to.deep.equal(['2026-01 6.99 6.99 0.00', '2026-03 0.00 -6.99 6.99']);
  });

  it('has whole units in a currency without fractions', () => {
    const yen = charge({ currency: 'JPY', amountMicros: 1_000_000_000 });
    expect(byMonth(yen)).to.deep.equal(['2026-01 1000 406 0', '2026-02 0 594 0']);
  });

  it('is unknown while the price is', () => expect(deliver(charge({ amountMicros: null }), 'gross')).to.equal(null));
});

const CHARGES = Number(process.env['SCHEDULE_CHARGES'] ?? 100);
const SEED = process.env['SCHEDULE_SEED'] ?? 'schedule-1';

const pick = <T>(random: Random, choices: readonly T[]): T => random.pick(choices.map((one) => [one, 1] as const));

function randomCharge(random: Random, n: number): DeliveredCharge {
  const startDay = addDays('2025-06-01', random.whole(0, 400));
  const days = pick(random, [0, 1, 3, 7, 28, 30, 31, 90, 181, 365, null]);
  const shares = pick(random, [[], [], [1], [0.5], [0.25, 0.5], [0.7, 0.7]]);
  let day = startDay;
  const changes: ChargeChange[] = shares.map((share) => {
    day = addDays(day, random.whole(0, 60));
    return { kind: 'refund', day, share };
  });
  if (changes.length > 0 && random.chance(0.3)) {
    day = addDays(day, random.whole(0, 90));
    changes.push({ kind: 'reversal', day });
    if (random.chance(0.5)) changes.push({ kind: 'refund', day: addDays(day, random.whole(0, 30)), share: 0.4 });
  }
  return {
    ...{
      transactionId: `t${n}`,
      appId: pick(random, ['app_1', 'app_2']),
      currency: pick(random, ['USD', 'JPY', 'KWD']),
    },
    ...{ amountMicros: random.whole(1, 200) * 990_000 + random.whole(0, 9) * 1000, taxRate: pick(random, [0, 0.19]) },
    ...{ commissionRate: pick(random, [0.15, 0.3]), startDay, changes },
    endDay: days === null ? null : addDays(startDay, days),
    replacedDay: days !== null && random.chance(0.2) ? addDays(startDay, random.whole(0, days)) : null,
  };
}

/** Holds what each day delivers, in smallest units, and plays one day after another. */
function playDays(of: DeliveredCharge, basis: RevenueBasis, lastDay: string) {
  const currency = of.currency ?? '';
  const unit = smallestUnit(currency);
  const part = (amounts: Amounts | null) =>
    Math.round(
      Math.abs(basis === 'gross' ? (amounts?.charged ?? 0) + (amounts?.refunded ?? 0) : (amounts?.proceeds ?? 0)) /
        unit,
    );
  const price = part(ourShare('charge', of, 1));
  const lastPaid = of.endDay !== null && of.endDay > of.startDay ? addDays(of.endDay, -1) : of.startDay;
  const spread = (units: number, from: string): Map<string, number> => {
    const days: string[] = [];
    for (let day = from; day <= lastPaid; day = addDays(day, 1)) days.push(day);
    const plan = new Map(days.map((day) => [day, Math.floor(units / days.length)]));
    let over = units - [...plan.values()].reduce((a, b) => a + b, 0);
    for (const day of days) if (over-- > 0) plan.set(day, (plan.get(day) ?? 0) + 1);
    return plan;
  };
  const sumOf = (plan: ReadonlyMap<string, number>) => [...plan.values()].reduce((a, b) => a + b, 0);
  let plan = spread(price, of.startDay);
  let [delivered, share, taken] = [0, 0, 0];
  const months = new Map<string, { recognised: number; refunded: number; deferred: number }>();
  for (let day = of.startDay; day <= lastDay; day = addDays(day, 1)) {
    const month = months.get(day.slice(0, 7)) ?? { recognised: 0, refunded: 0, deferred: 0 };
    for (const change of of.changes.filter((one) => one.day === day)) {
      if (change.kind === 'refund') {
        share = Math.min(1, share + change.share);
        const total = part(ourShare('refund', of, share));
        const coming = sumOf(plan);
        const fromComing = Math.min(total - taken, coming);
        const fromDelivered = total - taken - fromComing;
        month.refunded += total - taken;
        month.recognised -= fromDelivered;
        delivered -= fromDelivered;
        taken = total;
        if (coming > 0) plan = spread(coming - fromComing, day);
      } else {
        month.refunded -= taken;
        [share, taken] = [0, 0];
        const whole = spread(price, of.startDay);
        const isReplaced = of.replacedDay !== null && of.replacedDay < day;
        plan = new Map([...whole].filter(([one]) => one >= day && !isReplaced));
        const due = price - sumOf(plan);
        month.recognised += due - delivered;
        delivered = due;
      }
    }
    const today = day === of.replacedDay ? sumOf(plan) : (plan.get(day) ?? 0);
    if (day === of.replacedDay) plan = new Map();
    plan.delete(day);
    delivered += today;
    month.recognised += today;
    month.deferred = sumOf(plan);
    months.set(day.slice(0, 7), month);
  }
  return { price, unit, months };
}

describe('the revenue schedule', () => {
  const random = createRandom(SEED);
  const charges = Array.from({ length: CHARGES }, (_, n) => randomCharge(random, n));

  for (const basis of revenueBases)
    it(`is that of a computation day by day, ${basis}`, () => {
      for (const of of charges) {
        const { price, unit, months } = playDays(of, basis, '2027-12-31');
        const found = deliver(of, basis);
        let deferred = 0;
        const about = `seed ${SEED} ${JSON.stringify(of)}`;
        for (const [month, slow] of months) {
          const figures = found?.get(month);
          deferred += figures ? deferredChange(figures) : 0;
          const quick = [figures ? figures.recognised - figures.reversed : 0, figures?.refunded ?? 0, deferred];
          expect(quick, `${about} ${month}`).to.deep.equal(
            [slow.recognised, slow.refunded, slow.deferred].map((units) => units * unit),
          );
        }
        const billed = found?.get(of.startDay.slice(0, 7))?.billed;
        expect([billed, deferred], about).to.deep.equal([price * unit, 0]);
      }
    });

  it('closes in every month and currency, and in every row of the waterfall', () => {
    const builder = createScheduleBuilder('gross');
    for (const of of charges) builder.add(of);
    builder.add(charge({ amountMicros: null }));
    const schedule = builder.end();
    expect(schedule.unpriced).to.equal(1);
    const rows = scheduleRows(schedule, { from: '2025-06', to: '2028-06' });
    expect(rows).to.have.length(3 * 37);
    for (const [i, row] of rows.entries()) {
      expect(row.opening + row.billed - row.recognised - row.refunded).to.equal(row.closing);
      if (row.month === '2025-06') expect(row.opening).to.equal(0);
      else expect(row.opening).to.equal(rows[i - 1]?.closing);
      if (row.month === '2028-06') expect(row.closing).to.equal(0);
    }
    const whole = rows.filter(({ currency }) => currency === 'USD');
    expect(scheduleRows(schedule, { from: '2026-02', to: '2026-03', currency: 'USD' })).to.deep.equal(
      whole.filter(({ month }) => month === '2026-02' || month === '2026-03'),
    );
    const falls = waterfallRows(schedule, { from: '2025-06', to: '2026-06' });
    for (const { month, currency, billed, refunded, cells, later } of falls) {
      expect(cells.reduce((sum, one) => sum + one.recognised, later + refunded)).to.equal(billed);
      expect(cells.every((one) => one.month >= month && one.month <= '2026-06')).to.equal(true);
      expect(rows.find((row) => row.month === month && row.currency === currency)?.billed).to.equal(billed);
    }
    const apps = ['app_1', 'app_2'].map((appId) => scheduleRows(schedule, { from: '2026-01', to: '2026-01', appId }));
    const [both] = scheduleRows(schedule, { from: '2026-01', to: '2026-01', currency: 'JPY' });
    const closing = apps.flat().filter(({ currency }) => currency === 'JPY');
    expect(closing.reduce((sum, one) => sum + one.closing, 0)).to.equal(both?.closing);
    expect(addMonths('2026-12', 1)).to.equal('2027-01');
  });
});

describe('days of a time zone', () => {
  const days: readonly [zone: string, instant: string, day: string][] = [
    ['UTC', '2026-03-01T00:00:00Z', '2026-03-01'],
    ['America/New_York', '2026-03-01T04:59:59Z', '2026-02-28'],
    ['America/New_York', '2026-07-01T04:00:00Z', '2026-07-01'],
    ['Asia/Kolkata', '2026-02-28T18:30:00Z', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-02-28T10:00:00Z', '2026-03-01'],
    ['Europe/London', '2026-01-31T23:59:00Z', '2026-01-31'],
  ];
  for (const [zone, instant, day] of days)
    it(`has ${instant} on ${day} in ${zone}`, () => expect(createDayOf(zone)(Date.parse(instant))).to.equal(day));

  it('knows zones by their names only', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])
      expect(isTimeZone(name)).to.equal(true);
    for (const name of ['', '+01:00', 'Europe/Nowhere', 'x'.repeat(9000)]) expect(isTimeZone(name)).to.equal(false);
  });
});

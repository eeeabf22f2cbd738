// Orders that only a report has: looked up at the android-store and recorded as if their notification had come late, in whatever order the
// report, the notification, failures of the store and restarts come.
import { expect } from 'chai';
import { pino } from 'pino';
import { writeEarnings, type EarningsRow } from '#simulator/store-reports.js';
import { createRandom } from '#simulator/random.js';
import { aboutSubscription, orderResource } from '../../../simulator/android-store/payloads.js';
import { addMonths, pacificDay } from '../../../src/domain/books/report-values.js';
import { compareRecentMonths } from '../../../src/workers/books/comparisons.js';
import { PACKAGE, PRO } from '../stores/android/scenario.js';
import { setUpAndroidScenarios } from '../stores/android/scenarios.js';
import type { Json } from '../support/harness.js';

const HOUR_MS = 3_600_000;

describe('orders that only a report has', () => {
  const { scenario, store, clock, idle, harness, slice, base, call } = setUpAndroidScenarios();
  const as = () => ({ key: slice().secretKey });
  const get = async (path: string): Promise<Json> => (await harness().call('GET', path, undefined, as())).body;

  const lines = (orderId: string, day: string, isRefund = false): readonly EarningsRow[] => {
    const row = {
      ...{ orderId, day, packageName: PACKAGE, sku: PRO, country: 'US', currency: 'USD', merchantCurrency: 'USD' },
      ...(isRefund && { refundType: 'Full' }),
    };
    const [sign, suffix] = isRefund ? ['-', ' refund'] : ['', ''];
    const fee = isRefund ? '1.50' : '-1.50';
    return [
      { ...row, type: `Charge${suffix}`, amount: `${sign}9.99`, merchantAmount: `${sign}9.99` },
      { ...row, type: `Google fee${suffix}`, amount: fee, merchantAmount: fee },
    ];
  };
  const add = async (rows: readonly EarningsRow[]) => {
    const url = `${harness().service().url ?? ''}${base()}/books/reports?fileName=a.csv&account=1`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': as().key },
      body: writeEarnings(rows),
    });
    const added = (await response.json()) as Json;
    expect(response.status, JSON.stringify(added)).to.equal(201);
    await idle();
    return added;
  };
  const look = async () => {
    const { services } = harness().service();
    const worker = { ...services, logger: pino({ level: 'silent' }) };
    await compareRecentMonths(worker, pacificDay(clock.now()), new AbortController().signal);
    await idle();
  };

  /** A subscription of which the store knows the orders, and a clock that stands after the end of its month. */
  const lost = () => {
    const life = scenario();
    const dayOf = (day: number) => pacificDay(life.ms(day));
    const month = dayOf(0).slice(0, 7);
    const order = (n: number, more: object = {}) => {
      const times = { fromMs: life.ms(31 * n), toMs: life.ms(31 * (n + 1)) };
      const resource = orderResource({ orderId: life.orderOf(n), productId: PRO, ...times, priceMilli: 9990 });
      store().orders.set(life.orderOf(n), { ...resource, purchaseToken: life.purchase, ...more });
    };
    const endMonth = () => clock.set(Date.parse(`${addMonths(month, 1)}-05T20:00:00Z`));
    const entriesOf = async (orderId: string, of = month) =>
      ((await get(`${base()}/books/${of}/lines?limit=100`)).items as Json[]).filter((one) => one.orderId === orderId);
    return { ...life, dayOf, month, order, endMonth, entriesOf };
  };

  it('are read and recorded, with the report as their cause, and match then', async () => {
    const { order, show, endMonth, orderOf, dayOf, month, entriesOf, events, timeline, customer } = lost();
    order(0);
    show();
    endMonth();
    const report = await add(lines(orderOf(0), dayOf(0)));
    const [entry] = await entriesOf(orderOf(0));
    expect(entry).to.deep.include({ cause: 'matched', day: dayOf(0) });
    expect(entry.lookUp).to.include({ outcome: 'recorded' });
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    expect((await customer()).appUserId).to.match(/^\$anon/);
    const [, started] = (await timeline()) as readonly Json[];
    const { report: cause } = started.cause;
    expect(cause).to.deep.equal({
      ...{ id: report.id, store: 'android-store', kind: 'earnings', month },
      text: `Learned from the earnings report of ${month}.`,
    });
  });

  it('are of the customer who owns the subscription, and a late notification changes nothing', async () => {
    const { notify, order, show, endMonth, orderOf, dayOf, entriesOf, events, customer, purchase } = lost();
    await notify(0, 'PURCHASED');
    const receipt = { store: 'android-store', receipt: purchase, productId: PRO };
    await call('POST', `/v1/subscribers/owner-${purchase}/receipts`, receipt);
    order(0);
    order(1);
    show({ n: 1, to: 62 });
    endMonth();
    const month = dayOf(31).slice(0, 7);
    clock.set(Date.parse(`${addMonths(month, 1)}-05T20:00:00Z`));
    await add(lines(orderOf(1), dayOf(31)));
    expect((await entriesOf(orderOf(1), month))[0]).to.include({ cause: 'matched' });
    expect(await events()).to.include('SubscriptionRenewed T+31');
    expect((await customer()).appUserId).to.equal(`owner-${purchase}`);
    const before = await events();
    await notify(31, 'RENEWED', { n: 1, to: 62 });
    expect(await events()).to.deep.equal(before);
  });

  it('wait for a store that is down, also over a restart, and are corrections of a month that was closed meanwhile', async () => {
    const { order, show, endMonth, orderOf, dayOf, month, entriesOf, events } = lost();
    order(0);
    show();
    endMonth();
    await call('PUT', `${base()}/books/settings`, { basis: 'gross', timeZone: 'UTC', lifetimeMonths: 0 });
    store().setFailure(503);
    await add(lines(orderOf(0), dayOf(0)));
    expect((await entriesOf(orderOf(0)))[0]).to.deep.include({
      cause: 'missing_here',
      lookUp: { outcome: 'waiting', text: (await entriesOf(orderOf(0)))[0].lookUp.text, at: null },
    });
    await call('POST', `${base()}/books/${month}/close`, {});
    await harness().restart();
    store().setFailure(null);
    clock.set(clock.now() + HOUR_MS);
    await idle();
    expect((await entriesOf(orderOf(0)))[0]).to.include({ cause: 'matched' });
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    const { closing } = await get(`${base()}/books/${month}`);
    const [table] = closing.tables;
    expect(table.asClosed.ours.charged).to.equal('0.00');
    expect(table.corrections.ours.charged).to.equal('9.99');
    await call('POST', `${base()}/books/${month}/reopen`, { reason: 'the next test' });
  });

  it('are recorded with their refund', async () => {
    const { order, show, endMonth, orderOf, dayOf, ms, entriesOf, events } = lost();
    const eventTime = new Date(ms(1)).toISOString();
    order(0, { state: 'REFUNDED', orderHistory: { refundEvent: { eventTime } } });
    show({ to: 1, state: 'EXPIRED' });
    endMonth();
    await add([...lines(orderOf(0), dayOf(0)), ...lines(orderOf(0), dayOf(1), true)]);
    expect((await entriesOf(orderOf(0))).map(({ kind, cause }) => `${kind} ${cause}`)).to.deep.equal([
      'charge matched',
      'refund matched',
    ]);
    expect(await events()).to.include('TransactionRefunded T+1');
  });

  it('stay missing with the reason, and are asked for again only where that may help', async () => {
    const { order, show, endMonth, orderOf, dayOf, entriesOf, purchase } = lost();
    endMonth();
    const outcomeOf = async (n: number) => (await entriesOf(orderOf(n)))[0].lookUp.outcome;
    order(2, { purchaseToken: undefined });
    order(3);
    const renewal = (n: number) => lines(orderOf(n), dayOf(0));
    await add([0, 2, 3].flatMap(renewal));
    expect([await outcomeOf(0), await outcomeOf(2), await outcomeOf(3)]).to.deep.equal([
      ...['unknown_order', 'no_purchase', 'purchase_deleted'],
    ]);
    expect((await entriesOf(orderOf(0)))[0]).to.include({ cause: 'missing_here' });
    const asked = () => store().requests.filter((request) => request.includes(purchase)).length;
    const before = asked();
    await look();
    expect(asked()).to.equal(before);
    store().setFailure(403, /orders/);
    await add([0, 1, 2, 3].flatMap(renewal));
    expect(await outcomeOf(1)).to.equal('not_permitted');
    store().setFailure(null);
    order(0);
    order(1);
    show({ n: 1, to: 62 });
    await look();
    expect(await outcomeOf(1)).to.equal('recorded');
  });

  it('are looked up a few at a time, each that the store may be asked for', async () => {
    const { endMonth, orderOf, dayOf, month } = lost();
    endMonth();
    const odd = ['GPA 1', '\u00fc'.repeat(80), 'x'.repeat(400)];
    const names = [...odd, ...Array.from({ length: 30 }, (_, i) => `${orderOf(0)}-${i}`)];
    await add(names.flatMap((name) => lines(name, dayOf(0))));
    const outcomes = async () => {
      const { items } = await get(`${base()}/books/${month}/lines?cause=missing_here&limit=100`);
      const counts: Record<string, number> = {};
      for (const { lookUp } of items as Json[]) counts[lookUp.outcome] = (counts[lookUp.outcome] ?? 0) + 1;
      return counts;
    };
    expect(await outcomes()).to.deep.equal({ unknown_order: 25 + odd.length, waiting: 5 });
    clock.set(clock.now() + 5000);
    await idle();
    expect(await outcomes()).to.deep.equal({ unknown_order: 30 + odd.length });
  });

  describe('with notifications in time, late or lost, and reports in any order, end as with all in time:', () => {
    const types = ['PURCHASED', 'RENEWED', 'RENEWED'] as const;
    const reasons = new Set(['SubscriptionStarted', 'SubscriptionRenewed', 'TransactionRefunded']);

    for (const seed of ['a', 'b', 'c', 'd'])
      it(`world ${seed}`, async () => {
        const random = createRandom(`look-ups-${seed}`);
        const control = lost();
        const life = lost();
        const isRefunded = random.chance(0.5);
        const fates = types.map(() =>
          random.pick([
            ['in time', 1],
            ['late', 1],
            ['lost', 1],
          ]),
        );
        const eventTime = new Date(life.ms(64)).toISOString();
        for (const [n, type] of types.entries()) {
          const shown = { n, to: 31 * (n + 1) };
          for (const one of [control, life]) one.order(n);
          await control.notify(31 * n, type, shown);
          if (fates[n] === 'in time') await life.notify(31 * n, type, shown);
          else life.show(shown);
        }
        if (isRefunded)
          for (const one of [control, life])
            one.order(2, { state: 'REFUNDED', orderHistory: { refundEvent: { eventTime } } });
        const months = [...new Set([0, 31, 62, 64].map((day) => life.dayOf(day).slice(0, 7)))];
        const rowsOf = (one: typeof life, month: string) =>
          [
            ...[0, 1, 2].flatMap((n) => lines(one.orderOf(n), one.dayOf(31 * n))),
            ...(isRefunded ? lines(one.orderOf(2), one.dayOf(64), true) : []),
          ].filter(({ day }) => day.startsWith(month));
        clock.set(life.ms(62 + 40));
        for (const month of random.chance(0.5) ? months : months.toReversed()) {
          const rows = [...rowsOf(control, month), ...rowsOf(life, month)];
          if (random.chance(0.3)) await add(rows.slice(0, 2));
          await add(rows);
          if (random.chance(0.3)) await add(rows);
        }
        for (const [n, type] of types.entries())
          if (fates[n] === 'late') await life.push(31 * n, aboutSubscription(type, life.purchase));
        await idle();
        const moneyOf = async (one: typeof life) =>
          (await one.events()).filter((event) => reasons.has(event.split(' ')[0] ?? '')).sort();
        expect(await moneyOf(life), fates.join()).to.deep.equal(await moneyOf(control));
        for (const month of months)
          for (const one of [control, life])
            for (const { orderId } of rowsOf(one, month)) {
              const found = (await one.entriesOf(orderId, month)).map(({ cause }) => cause);
              expect(new Set(found), `${orderId} in ${month}: ${fates.join()}`).to.deep.equal(new Set(['matched']));
            }
      });
  });

  it('are not looked up for other apps', async () => {
    const { endMonth, dayOf, entriesOf } = lost();
    endMonth();
    const before = store().requests.length;
    await add(lines('GPA.other', dayOf(0)).map((row) => ({ ...row, packageName: 'com.example.unknown' })));
    expect((await entriesOf('GPA.other'))[0]).to.deep.include({ cause: 'other_app', lookUp: null });
    expect(
      store()
        .requests.slice(before)
        .filter((request) => request.includes('GPA.other')),
    ).to.deep.equal([]);
  });
});

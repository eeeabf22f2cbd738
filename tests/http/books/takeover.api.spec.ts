// One source counts for each account and month: earlier reports make a month comparable, and later ones that say more take over.
import { expect } from 'chai';
import { gunzipSync } from 'node:zlib';
import {
  writeEarnings,
  writeFinanceDetail,
  writeFinancial,
  writeSales,
  type EarningsRow,
  type FinanceRow,
  type SalesRow,
} from '#simulator/store-reports.js';
import { readStream } from '../../../src/adapters/event-log/port.js';
import { streams } from '../../../src/domain/streams.js';
import { PACKAGE, PRO } from '../stores/android/scenario.js';
import { setUpAndroidScenarios } from '../stores/android/scenarios.js';
import { MONTHLY, notification, type Harness } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

/** Adds a report, and returns the answer. */
async function addReport(harness: Harness, base: string, key: string, content: string, query: string) {
  const response = await fetch(`${harness.service().url ?? ''}${base}/books/reports?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: content,
  });
  const body = (await response.json()) as Record<string, unknown>;
  expect(response.status, JSON.stringify(body)).to.equal(201);
  return body;
}

describe('a month of the android-store', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, call, base, clock } = ground;
  const add = (content: string, query: string) =>
    addReport(ground.harness(), base(), ground.slice().secretKey, content, query);
  const month = () => call('GET', `${base()}/books/2027-07`);
  const reports = async () =>
    (await call('GET', `${base()}/books/reports`)).items.map(
      ({ kind, account, uncountedReason }: Record<string, string>) =>
        `${kind} ${account} ${uncountedReason ?? 'counted'}`,
    );

  it('is comparable by sales, and settled by the earnings that take over, in each order of arrival', async () => {
    const { notify, orderOf } = scenario();
    await notify(0, 'PURCHASED');
    await ground.idle();
    clock.set(Date.parse('2027-08-02T10:00:00Z'));
    const settlement = async () => (await call('GET', `${base()}/transactions/${orderOf(0)}`)).settlement;
    expect((await month()).tables[0].causes.map((one: { cause: string }) => one.cause)).to.deep.equal([
      'awaiting_report',
    ]);

    const sale: SalesRow = {
      ...{ orderId: orderOf(0), chargedAt: '2027-07-20T10:00:00Z', status: 'Charged', packageName: PACKAGE, sku: PRO },
      ...{ country: 'US', currency: 'USD', price: '9.99', tax: '0.00', charged: '9.99' },
    };
    const added = await add(writeSales([sale]), 'fileName=salesreport_202707.zip');
    expect(added).to.deep.include({
      kind: 'sales',
      store: 'android-store',
      account: 'all',
      month: '2027-07',
      lines: 1,
    });
    const bySales = await month();
    expect(bySales).to.deep.include({ state: 'open', paid: [] });
    const [{ causes, ours, store }] = bySales.tables;
    expect(causes.map((one: { cause: string }) => one.cause)).to.deep.equal(['matched']);
    expect(store).to.deep.equal(ours);
    const { items } = await call('GET', `${base()}/books/2027-07/lines`);
    expect(items[0].labels).to.deep.equal(['fee_not_stated']);
    expect(await settlement()).to.deep.include({ status: 'estimated', cause: 'matched' });

    const row = (type: string, amount: string): EarningsRow => ({
      ...{ orderId: orderOf(0), day: '2027-07-20', type, packageName: PACKAGE, sku: PRO, country: 'US' },
      ...{ currency: 'USD', amount, merchantCurrency: 'USD', merchantAmount: amount },
    });
    const earnings = writeEarnings([row('Charge', '9.99'), row('Google fee', '-3.00')]);
    await add(earnings, 'fileName=earnings_202707_1234567890-1.zip');
    expect(await reports()).to.deep.equal(['earnings 1234567890 counted', 'sales all outranked']);
    const settled = await month();
    expect(settled.paid.map(({ type, amount }: Record<string, string>) => `${type} ${amount}`)).to.deep.equal([
      'Charge 9.99',
      'Google fee -3.00',
    ]);
    const [table] = settled.tables;
    expect(table.store).to.include({ charged: '9.99', fee: '3.00', proceeds: '6.99' });
    expect(table.causes.map((one: { cause: string; entries: number }) => `${one.cause} ${one.entries}`)).to.have.length(
      1,
    );
    expect(settled.state).to.equal('complete');
    expect(await settlement()).to.include({ status: table.causes[0].cause === 'matched' ? 'settled' : 'differs' });

    // The same file again, and a newer one, change nothing of what counts.
    expect(await add(writeSales([sale]), 'fileName=again.csv')).to.include({ id: added['id'], isRepeat: true });
    const newer = await add(writeSales([sale, { ...sale, orderId: 'GPA.other' }]), 'fileName=salesreport_202707.zip');
    expect(newer).to.include({ isCounted: false, uncountedReason: 'outranked' });
    expect(await reports()).to.deep.equal(['sales all outranked', 'earnings 1234567890 counted', 'sales all replaced']);
    expect((await month()).tables).to.deep.equal(settled.tables);
  });

  it('has the orders of its last Pacific evening, which the next report of sales has', async () => {
    const late = (orderId: string, chargedAt: string): SalesRow => ({
      ...{ orderId, chargedAt, status: 'Charged', packageName: PACKAGE, sku: PRO, country: 'US', currency: 'USD' },
      ...{ price: '9.99', tax: '0.00', charged: '9.99' },
    });
    const october = [late('GPA.o1', '2027-10-01T05:00:00Z'), late('GPA.o2', '2027-10-31T20:00:00Z')];
    const november = [late('GPA.n1', '2027-11-01T05:00:00Z'), late('GPA.n2', '2027-11-02T05:00:00Z')];
    await add(writeSales(october, 'new'), 'fileName=salesreport_202710.csv&account=9');
    await add(writeSales(november, 'new'), 'fileName=salesreport_202711.csv&account=9');
    const ordersIn = async (name: string) =>
      (await call('GET', `${base()}/books/${name}/lines`)).items.map((one: { orderId: string }) => one.orderId);
    expect(await ordersIn('2027-10')).to.deep.equal(['GPA.o2', 'GPA.n1']);
    expect(await ordersIn('2027-11')).to.deep.equal(['GPA.n2']);
    expect(await ordersIn('2027-09')).to.deep.equal([]);
  });

  it('stores nowhere where a buyer lives', async () => {
    const { log } = ground.harness().service().services.deps;
    const { items } = await call('GET', `${base()}/books/reports`);
    let stored = '';
    for (const { id } of items)
      for await (const event of readStream(log, streams.books(ground.slice().projectId, id)))
        if (event.type === 'StoreReportPartReceived')
          stored += gunzipSync(Buffer.from(event.data.rows, 'base64')).toString();
    expect(stored).to.include('Charged Amount');
    for (const place of ['of Buyer","', 'Sometown', 'Somestate', '94043', 'Postal Code', 'Postcode'])
      expect(stored.replaceAll('Country of Buyer', ''), place).not.to.include(place);
  });
});

describe('a month of the ios-store', () => {
  const { harness, slice, as } = setUpService({}, createManualClock(Date.parse('2026-11-20T10:00:00.000Z')).runtime);
  const october = { startDate: '2026-09-27', endDate: '2026-10-31' };
  const base = () => `/v1/projects/${slice.projectId}`;
  const add = (content: string, query: string) => addReport(harness, base(), as.key, content, query);
  const line = (change: Partial<FinanceRow> = {}): FinanceRow => ({
    ...{ day: '2026-10-04', settledOn: '2026-10-04', sku: MONTHLY, country: 'US', quantity: 2, price: '9.99' },
    ...{ currency: 'USD', share: '6.99', extendedShare: '13.98', shareCurrency: 'USD', isReturn: false, ...change },
  });
  const german = line({ country: 'DE', quantity: 1, extendedShare: '6.99', currency: 'EUR', shareCurrency: 'EUR' });
  const month = async () => (await harness.call('GET', `${base()}/books/2026-10`, undefined, as)).body;
  const causes = async () =>
    (await month()).tables.flatMap((table: { currency: string; causes: { cause: string; entries: number }[] }) =>
      table.causes.map(({ cause, entries }) => `${table.currency} ${cause} ${entries}`),
    );
  const reports = async () =>
    (await month()).reports.map(
      ({ kind, part, uncountedReason }: Record<string, string>) =>
        `${kind} ${part ?? 'all'} ${uncountedReason ?? 'counted'}`,
    );

  before(async () => {
    const bought = [
      ['2026-10-04', 'USA', 'USD'],
      ['2026-10-09', 'USA', 'USD'],
      ['2026-10-12', 'DEU', 'EUR'],
    ] as const;
    for (const [n, [day, storefront, currency]] of bought.entries()) {
      const purchaseDate = Date.parse(`${day}T18:00:00Z`);
      const ids = { transactionId: `70${n}`, originalTransactionId: `70${n}`, productId: MONTHLY, price: 9990 };
      const transaction = { ...ids, storefront, currency, purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000 };
      const type = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate } as const;
      await harness.call('POST', slice.notificationPath, notification({ ...type, transaction }));
    }
    await harness.service().idle();
  });

  it('is compared by the financial reports of its regions, which complement each other', async () => {
    await add(writeFinancial([line()], october), 'fileName=81234567_1026_US.txt');
    expect(await causes()).to.deep.equal(['EUR awaiting_report 1', 'USD matched 1']);
    await add(writeFinancial([german], october), 'fileName=81234567_1026_EU.txt');
    expect(await reports()).to.deep.equal(['financial EU counted', 'financial US counted']);
    expect((await causes()).filter((one: string) => one.includes('awaiting'))).to.deep.equal([]);
    expect(await month()).to.deep.include({
      state: 'complete',
      periods: [
        { kind: 'earnings', startDate: '2026-10-01', endDate: '2026-10-31' },
        { kind: 'finance_detail', ...october },
      ],
    });
  });

  it('takes a newer file of a region in the place of the older one, and that of all regions in the place of all', async () => {
    const restated = line({ quantity: 1, extendedShare: '6.99' });
    await add(writeFinancial([restated], october), 'fileName=81234567_1026_US.txt');
    expect(await causes()).to.include.members(['USD matched 1', 'USD awaiting_report 1']);
    const totals = [
      { country: 'US', currency: 'USD', share: '13.98' },
      { country: 'DE', currency: 'EUR', share: '6.99' },
    ];
    await add(writeFinancial([line(), german], october, totals), 'fileName=81234567_1026_ZZ.txt');
    expect(await reports()).to.deep.equal([
      ...['financial all counted', 'financial US outranked', 'financial EU outranked', 'financial US replaced'],
    ]);
    expect((await causes()).filter((one: string) => one.includes('awaiting'))).to.deep.equal([]);
  });

  it('takes the finance detail before the financial report, whichever came first', async () => {
    const detail = [
      line({ quantity: 1, extendedShare: '6.99' }),
      line({ day: '2026-10-09', quantity: 1, extendedShare: '6.99' }),
      { ...german, day: '2026-10-12' },
    ];
    await add(writeFinanceDetail(detail, october), 'fileName=81234567_1026_Z1.txt');
    expect((await reports())[0]).to.equal('finance_detail all counted');
    expect(await causes()).to.include('USD matched 2');
    const before = (await month()).tables;
    await add(
      writeFinancial([line({ quantity: 9, extendedShare: '62.91' })], october),
      'fileName=81234567_1026_ZZ.txt',
    );
    expect((await reports()).slice(0, 2)).to.deep.equal(['financial all outranked', 'finance_detail all counted']);
    expect((await month()).tables).to.deep.equal(before);
  });
});

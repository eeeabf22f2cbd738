// Books over HTTP: reports of the stores are added, months compared, and everything that refuses.
import { expect } from 'chai';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeEarnings, writeFinanceDetail, type EarningsRow, type FinanceRow } from '#simulator/store-reports.js';
import { readStream } from '../../../src/adapters/event-log/port.js';
import { streams } from '../../../src/domain/streams.js';
import { MONTHLY, notification, setUpProject, type Credentials, type HttpResponse } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';
import { zipOf } from '../support/zip.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const october = { startDate: '2026-09-27', endDate: '2026-10-31' };

const sale = (day: string, quantity: number, change: Partial<FinanceRow> = {}): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country: 'US', quantity, price: '9.99', currency: 'USD' },
  ...{ share: '6.99', extendedShare: (6.99 * quantity).toFixed(2), shareCurrency: 'USD', isReturn: false, ...change },
});
const order: EarningsRow = {
  ...{ orderId: 'GPA.1-2', day: '2026-10-05', type: 'Charge', packageName: 'com.example.other', sku: 'pro' },
  ...{ country: 'DE', currency: 'EUR', amount: '9.99', merchantCurrency: 'USD', merchantAmount: '11.00' },
};

describe('the books over HTTP', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;

  before(async () => {
    for (const [n, day] of ['2026-10-04', '2026-10-04', '2026-10-09'].entries()) {
      const purchaseDate = Date.parse(`${day}T18:00:00Z`);
      const when = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000, storefront: 'USA', currency: 'USD' };
      const transaction = {
        transactionId: `10${n}`,
        originalTransactionId: `10${n}`,
        productId: MONTHLY,
        price: 9990,
        ...when,
      };
      const type = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate } as const;
      const sent = await harness.call('POST', slice.notificationPath, notification({ ...type, transaction }));
      expect(sent.status).to.equal(200);
    }
    await harness.service().idle();
  });

  async function add(
    content: string | Uint8Array,
    query = 'fileName=a.txt&account=1',
    who: Credentials = as,
    projectBase = base(),
  ): Promise<HttpResponse> {
    const response = await fetch(`${harness.service().url ?? ''}${projectBase}/books/reports?${query}`, {
      method: 'POST',
      headers: who.token === undefined ? { 'x-api-key': who.key ?? '' } : { authorization: `Bearer ${who.token}` },
      body: typeof content === 'string' ? content : Buffer.from(content),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  const get = (path: string, who: Credentials = as) => harness.call('GET', `${base()}/books${path}`, undefined, who);
  const causesOf = async (month: string) => {
    const [table] = (await get(`/${month}`)).body.tables;
    return table?.causes.map((one: { cause: string; entries: number }) => `${one.cause} ${one.entries}`);
  };

  it('has what we recorded, waiting for a report', async () => {
    expect((await get('/2026-10')).body).to.deep.include({
      object: 'books_month',
      state: 'open',
      reports: [],
      paid: [],
    });
    expect(await causesOf('2026-10')).to.deep.equal(['awaiting_report 3']);
    expect((await get('/2025-10')).body).to.include({ state: 'empty' });
  });

  it('compares a report, and again the same file, and a newer one in its place', async () => {
    const first = writeFinanceDetail([sale('2026-10-04', 2)], october);
    const added = await add(first);
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    expect(added.body).to.deep.include({
      kind: 'finance_detail',
      month: '2026-10',
      lines: 1,
      isRepeat: false,
      isCounted: true,
    });
    expect(added.body.totals).to.deep.equal([{ type: 'S', currency: 'USD', amount: '13.98', lines: 1 }]);
    expect(await causesOf('2026-10')).to.deep.equal(['matched 1', 'awaiting_report 1']);
    expect((await add(gzipSync(first))).body).to.include({ lines: 1, isRepeat: false });
    const repeat = await add(first);
    expect(repeat.body).to.include({ id: added.body.id, isRepeat: true });
    expect(await causesOf('2026-10')).to.deep.equal(['matched 1', 'awaiting_report 1']);
    const newer = writeFinanceDetail(
      [sale('2026-10-04', 2), sale('2026-10-09', 1, { extendedShare: '8.49' })],
      october,
    );
    expect((await add(newer)).status).to.equal(201);
    expect(await causesOf('2026-10')).to.deep.equal(['matched 1', 'commission 1']);
    const { body } = await get('/2026-10');
    expect(body.state).to.equal('complete');
    expect(body.tables[0]).to.deep.include({
      ...{ appId: slice.appId, currency: 'USD' },
      ours: { charged: '29.97', refunded: '0.00', tax: '0.00', fee: '9.00', proceeds: '20.97' },
      store: { charged: '29.97', refunded: '0.00', tax: '0.00', fee: '7.50', proceeds: '22.47' },
      difference: { charged: '0.00', refunded: '0.00', tax: '0.00', fee: '-1.50', proceeds: '1.50' },
    });
    expect(body.paid).to.deep.equal([
      { kind: 'finance_detail', account: '1', currency: 'USD', type: 'S', lines: 2, amount: '22.47' },
    ]);
    expect((await get('/reports')).body.items.map((one: { isCounted: boolean }) => one.isCounted)).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('leads from a cause to the customers, as a list, page by page, and as a table', async () => {
    const { body } = await get('/2026-10/lines?cause=commission');
    expect(body.items).to.have.length(1);
    expect(body.items[0].transactions.map((one: { transactionId: string }) => one.transactionId)).to.deep.equal([
      '102',
    ]);
    const customer = await harness.call(
      'GET',
      `${base()}/customers/${body.items[0].transactions[0].customerId}`,
      undefined,
      as,
    );
    expect(customer.status).to.equal(200);
    const page = (await get('/2026-10/lines?limit=1')).body;
    expect(page.items[0].cause).to.equal('matched');
    const next = await harness.call('GET', page.nextPage, undefined, as);
    expect([next.body.items[0].cause, next.body.nextPage]).to.deep.equal(['commission', null]);
    const response = await fetch(`${harness.service().url ?? ''}${base()}/books/2026-10/lines`, {
      headers: { 'x-api-key': as.key, accept: 'text/csv' },
    });
    const lines = (await response.text()).trim().split('\n');
    expect(lines).to.have.length(3);
    expect(lines[2]).to.match(/^commission,charge,2026-10-09,.*,USD,9.99,0,0,3,6.99,9.99,0,0,1.5,8.49,0,0,0,-1.5,1.5$/);
  });

  it('finds a sale that was settled in the next month under its own day', async () => {
    const november = { startDate: '2026-11-01', endDate: '2026-11-28' };
    const late = sale('2026-10-09', 1, { settledOn: '2026-11-03' });
    expect((await add(writeFinanceDetail([late], november))).status).to.equal(201);
    expect(await causesOf('2026-11')).to.deep.equal(['timing 1']);
    const { items } = (await get('/2026-11/lines')).body;
    expect(items[0]).to.include({ otherMonth: '2026-10', ours: null });
  });

  it('shows on a transaction whether its amounts are settled', async () => {
    const settlementOf = async (id: string) =>
      (await harness.call('GET', `${base()}/transactions/${id}`, undefined, as)).body.settlement;
    expect(await settlementOf('102')).to.deep.include({
      status: 'differs',
      cause: 'commission',
      month: '2026-10',
      count: 1,
    });
    expect(await settlementOf('100')).to.deep.include({ status: 'settled', cause: 'matched', count: 2 });
  });

  it('takes UTF-16, ZIP archives and names of the stores’ own form, and stores nowhere where a buyer lives', async () => {
    const text = writeEarnings([order], 'new');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const wide = await add(utf16, 'fileName=PlayApps_202610.csv&account=profile-1');
    expect(wide.body).to.deep.include({
      kind: 'earnings',
      store: 'android-store',
      account: 'profile-1',
      month: '2026-10',
    });
    const another = writeEarnings([{ ...order, orderId: 'GPA.3-4' }], 'new');
    const zip = zipOf('PlayApps_202610.csv', another);
    const named = await add(zip, 'fileName=earnings_202610_1234567890-1.zip');
    expect(named.body).to.include({ account: '1234567890', lines: 1 });
    const { body } = await get('/2026-10');
    expect(body.tables.find((one: { appId: string | null }) => one.appId === null).causes[0]).to.include({
      cause: 'other_app',
    });
    const { log } = harness.service().services.deps;
    let stored = '';
    for await (const event of readStream(log, streams.books(slice.projectId, named.body.id)))
      if (event.type === 'StoreReportPartReceived')
        stored += gunzipSync(Buffer.from(event.data.rows, 'base64')).toString();
    expect(stored).to.include('GPA.3-4').and.include('Buyer Country');
    for (const place of ['Buyer State', 'Somestate', 'Buyer Postcode', '94043']) expect(stored).not.to.include(place);
  });

  it('hides amounts from those who may not see them, and itself from others', async () => {
    const support = await newMember(harness.call, slice.projectId, slice.token, 'support');
    expect((await get('/2026-10', support)).status).to.equal(403);
    const viewer = await newMember(harness.call, slice.projectId, slice.token, 'viewer');
    expect((await get('/2026-10', viewer)).body.tables[0].ours.charged).to.equal('29.97');
    expectRefusal(await add('x', 'fileName=a.txt&account=1', viewer), 403);
    const other = await setUpProject(harness);
    expect((await get('/2026-10', { key: other.secretKey })).status).to.equal(403);
    const file = writeFinanceDetail([sale('2026-10-04', 2)], october);
    const theirs = await add(
      file,
      'fileName=a.txt&account=1',
      { key: other.secretKey },
      `/v1/projects/${other.projectId}`,
    );
    expect(theirs.body.isRepeat).to.equal(false);
  });

  const finance = writeFinanceDetail([sale('2026-10-04', 2)], october);
  const refusals: readonly [
    what: string,
    content: string | Uint8Array,
    query: string,
    status: number,
    message: RegExp,
  ][] = [
    ['is empty', '', 'fileName=a.txt&account=1', 400, /send the content of the file/],
    ['is of no known kind', 'a,b\n1,2\n', 'fileName=a.csv&account=1', 400, /columns are of no report/],
    ['states no account', finance + '\n', 'fileName=a.txt', 400, /does not state its account/],
    ['has a malformed account', finance, 'fileName=a.txt&account=a%20b', 400, /account/],
    ['is a damaged archive', Buffer.from('PK\x03\x04 nothing'), 'fileName=a.zip&account=1', 400, /archive is damaged/],
    [
      'is damaged gzip',
      gzipSync(finance).subarray(0, 60),
      'fileName=a.gz&account=1',
      400,
      /compressed file is damaged/,
    ],
    ['is no text', Buffer.from([0x80, 0x81, 0xff, 0x41]), 'fileName=a.txt&account=1', 400, /neither UTF-8 nor UTF-16/],
    ['has an endless row', `"${'x'.repeat(300_000)}`, 'fileName=a.csv&account=1', 400, /quotation mark is not closed/],
  ];
  for (const [what, content, query, status, message] of refusals)
    it(`refuses a file that ${what}, and records nothing`, async () => {
      const before = (await get('/reports')).body.items.length;
      const refused = await add(content, query);
      expectRefusal(refused, status);
      expect(refused.body.message).to.match(message);
      expect((await get('/reports')).body.items).to.have.length(before);
    });

  it('refuses a month that is none', async () => {
    for (const month of ['2026-13', '2026-1', 'x', '1999-01'])
      expect((await get(`/${month}`)).status, month).to.equal(400);
  });
});

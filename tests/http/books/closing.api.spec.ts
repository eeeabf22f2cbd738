// Closing a month over HTTP: what becomes known later is a correction, in each step as closed plus corrections is as known now; the journal
// of a month is the same however often it is exported.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { readStream } from '../../../src/adapters/event-log/port.js';
import { streams } from '../../../src/domain/streams.js';
import { MONTHLY, notification, setUpProject, type Credentials, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const october = { startDate: '2026-09-27', endDate: '2026-10-31' };
const sale = (day: string, quantity: number): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country: 'US', quantity, price: '9.99', currency: 'USD' },
  ...{ share: '6.99', extendedShare: (6.99 * quantity).toFixed(2), shareCurrency: 'USD', isReturn: false },
});

describe('closing a month over HTTP', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const call = (method: string, path: string, body?: object, who: Credentials = as) =>
    harness.call(method, `/v1/projects/${slice.projectId}/books${path}`, body, who);
  const get = async (path: string): Promise<Json> => (await call('GET', path)).body;

  async function send(type: string, id: string, day: string, change: Record<string, unknown> = {}) {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const when = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000, storefront: 'USA', currency: 'USD' };
    const ids = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990 };
    const transaction = { ...ids, ...when, ...change };
    const signedDate = Number(change['revocationDate'] ?? purchaseDate);
    const sent = { notificationType: type, ...(type === 'SUBSCRIBED' && { subtype: 'INITIAL_BUY' }), signedDate };
    const answer = await harness.call('POST', slice.notificationPath, notification({ ...sent, transaction }));
    expect(answer.status).to.equal(200);
    await harness.service().idle();
  }
  const addReport = async (rows: readonly FinanceRow[]) => {
    const url = `${harness.service().url ?? ''}/v1/projects/${slice.projectId}/books/reports?fileName=a.txt&account=1`;
    const body = writeFinanceDetail(rows, october);
    expect((await fetch(url, { method: 'POST', headers: { 'x-api-key': as.key }, body })).status).to.equal(201);
    await harness.service().idle();
  };
  /** Adds as micros, so that no binary fraction is left. */
  const sum = (...texts: readonly string[]) => texts.reduce((all, text) => all + Math.round(Number(text) * 1e6), 0);

  async function expectSums() {
    const { closing, tables } = await get('/2026-10');
    for (const table of closing.tables) {
      for (const side of ['ours', 'store', 'difference'])
        for (const column of ['charged', 'refunded', 'tax', 'fee', 'proceeds'])
          expect(sum(table.asClosed[side][column], table.corrections[side][column])).to.equal(
            sum(table.asKnownNow[side][column]),
          );
      const now = tables.find((one: Json) => one.appId === table.appId && one.currency === table.currency);
      expect(table.asKnownNow.ours).to.deep.equal(now.ours);
    }
    const { items } = await get('/2026-10/corrections');
    for (const side of ['ours', 'store'])
      expect(
        items.reduce(
          (all: number, one: Json) => all + sum(one.asKnownNow[side].proceeds) - sum(one.asClosed[side].proceeds),
          0,
        ),
      ).to.equal(sum(...closing.tables.map((table: Json) => table.corrections[side].proceeds)));
    return { closing, items };
  }

  before(async () => {
    await send('SUBSCRIBED', '300', '2026-10-04');
    await send('SUBSCRIBED', '301', '2026-10-09');
    await addReport([sale('2026-10-04', 1)]);
  });

  it('refuses while the basis is unknown, the month waits for a report, or is not over', async () => {
    expectRefusal(await call('POST', '/2026-10/close', {}), 409);
    await call('PUT', '/settings', { basis: 'gross' });
    const waits = await call('POST', '/2026-10/close', {});
    expectRefusal(waits, 409);
    expect(waits.body.message).to.include('wait for a report');
    expectRefusal(await call('POST', '/2026-11/close', {}), 409);
    await addReport([sale('2026-10-04', 1), sale('2026-10-09', 1)]);
  });

  it('closes once, also when two ask at the same time', async () => {
    const [one, two] = await Promise.all([call('POST', '/2026-10/close', {}), call('POST', '/2026-10/close')]);
    expect([one.status, two.status], JSON.stringify([one.body, two.body])).to.deep.equal([200, 200]);
    expect(one.body.closing).to.deep.include({ number: 1, incompleteReason: null });
    expect(one.body.closing.closedBy.kind).to.equal('api_key');
    const types: string[] = [];
    for await (const event of readStream(harness.service().services.deps.log, streams.bookClosings(slice.projectId)))
      types.push(event.type);
    expect(types).to.deep.equal(['BooksSettingsChanged', 'MonthClosed']);
    expect((await call('POST', '/2026-10/close', {})).body.closing.number).to.equal(1);
    const { months } = await get('');
    expect(months.find((of: Json) => of.month === '2026-10').state).to.equal('closed');
    const { items } = await expectSums();
    expect(items).to.deep.equal([]);
    const settings = await call('PUT', '/settings', { basis: 'net' });
    expectRefusal(settings, 409);
    expect(settings.body.message).to.include('reopen');
  });

  it('closes months in order only', async () => {
    for (const month of ['2026-08', '2026-09', '2026-11'])
      expectRefusal(await call('POST', `/${month}/close`, {}), 409);
  });

  let journal: Json;
  it('corrects what becomes known later in the open month', async () => {
    journal = await get('/2026-10/journal');
    expect(journal.entries.map((one: Json) => one.id.replace(slice.appId, 'app'))).to.deep.equal([
      '2026-10-app-USD-recognition',
      '2026-10-app-USD-sales',
    ]);
    await send('SUBSCRIBED', '302', '2026-10-12');
    const { closing, items } = await expectSums();
    expect(closing.tables[0].corrections.ours).to.include({ charged: '9.99', proceeds: '6.99' });
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({ causeAsClosed: null, kind: 'charge', day: '2026-10-12' });
    expect(items[0].transactions[0]).to.include({ transactionId: '302' });
    const refund = { revocationDate: Date.parse('2026-11-05T09:00:00Z'), revocationReason: 0 };
    await send('REFUND', '301', '2026-10-09', refund);
    const { corrections } = await get('/2026-11/closing');
    expect(corrections).to.have.length(1);
    expect(corrections[0]).to.deep.include({
      ...{ month: '2026-10', currency: 'USD', revenue: { billed: '9.99', recognised: '6.69', refunded: '0.00' } },
    });
    const { rows } = await get('/schedule?from=2026-10&to=2026-11');
    for (const row of rows)
      expect(sum(row.opening, row.billed)).to.equal(sum(row.recognised, row.refunded, row.closing));
    expect(await get('/2026-10/journal'), 'a closed journal stays').to.deep.equal(journal);
    const draft = await get('/2026-11/journal');
    const ids = draft.entries.map((one: Json) => one.id.replace(slice.appId, 'app'));
    expect(ids).to.include('draft-2026-11-app-USD-correction-2026-10-sales');
  });

  it('keeps its sums when it is reopened and closed again, and adds the difference to the journal', async () => {
    expectRefusal(await call('POST', '/2026-10/reopen', {}), 400);
    expect((await expectSums()).items, 'corrections of the first closing').to.have.length(1);
    const reopened = await call('POST', '/2026-10/reopen', { reason: 'A purchase came late.' });
    expect(reopened.body).to.deep.include({ state: 'open', closing: null });
    expect((await call('POST', '/2026-10/reopen', { reason: 'Again.' })).status).to.equal(200);
    const again = await call('POST', '/2026-10/close', { incompleteReason: 'Settled in the next report.' });
    expect(again.body.closing).to.include({ number: 2, incompleteReason: 'Settled in the next report.' });
    const { items, closing } = await expectSums();
    expect(items).to.deep.equal([]);
    expect(closing.tables[0].asClosed.ours.charged).to.equal('29.97');
    expect((await get('/2026-11/closing')).corrections).to.deep.equal([]);
    const { entries } = await get('/2026-10/journal');
    expect(entries.slice(0, journal.entries.length)).to.deep.equal(journal.entries);
    expect(entries.slice(journal.entries.length).map((one: Json) => one.id.replace(slice.appId, 'app'))).to.deep.equal([
      '2026-10-app-USD-recognition.2',
      '2026-10-app-USD-sales.2',
    ]);
  });

  it('is exported with the accounts of the project', async () => {
    const set = await call('PUT', '/accounts', { accounts: { revenue: { code: '8400', name: 'Income:Apps' } } });
    expect(set.body.accounts.revenue).to.deep.equal({ code: '8400', name: 'Income:Apps' });
    expect(set.body.accounts.receivable.code).to.equal('1200');
    const file = async (format: string) => {
      const url = `${harness.service().url ?? ''}/v1/projects/${slice.projectId}/books/2026-10/journal?format=${format}`;
      return (await fetch(url, { headers: { 'x-api-key': as.key } })).text();
    };
    expect(await file('csv'))
      .to.include(',8400,')
      .and.equal(await file('csv'));
    expect(await file('beancount')).to.match(/Income:Apps {2}-\d+\.\d\d USD/);
    expect(await file('xero')).to.match(/^\*Narration,/);
    for (const name of ['Income', 'income:Apps', 'Income:Apps\nx', 'Money:Apps'])
      expectRefusal(await call('PUT', '/accounts', { accounts: { revenue: { code: '1', name } } }), 400);
  });

  it('keeps the figures of an erased customer, without the person', async () => {
    const [{ transactions }] = (await get('/2026-10/lines')).items;
    const { customerId } = transactions[0];
    const path = `/v1/projects/${slice.projectId}/customers/${customerId}`;
    const { appUserId } = (await harness.call('GET', path, undefined, as)).body;
    const erased = await harness.call('DELETE', `/v1/subscribers/${encodeURIComponent(appUserId)}`, undefined, as);
    expect(erased.status).to.be.oneOf([200, 202, 204]);
    await harness.service().idle();
    const { items } = await expectSums();
    expect(items).to.deep.equal([]);
  });

  it('is for finance, not for others, and not for another project', async () => {
    const viewer = await newMember(harness.call, slice.projectId, slice.token, 'viewer');
    const finance = await newMember(harness.call, slice.projectId, slice.token, 'finance');
    expectRefusal(await call('POST', '/2026-10/reopen', { reason: 'x' }, viewer), 403);
    const narrow = await harness.call(
      'POST',
      `/v1/projects/${slice.projectId}/api-keys`,
      { name: 'r', scopes: ['read'] },
      { token: slice.token },
    );
    expectRefusal(await call('POST', '/2026-10/reopen', { reason: 'x' }, { key: narrow.body.key }), 403);
    const other = await setUpProject(harness);
    expectRefusal(await call('POST', '/2026-10/close', {}, { key: other.secretKey }), 403);
    expect((await call('POST', '/2026-10/reopen', { reason: 'By finance.' }, finance)).body.state).to.equal('open');
    await harness.service().idle();
    const { items } = (
      await harness.call('GET', `/v1/projects/${slice.projectId}/audit?limit=20`, undefined, { token: slice.token })
    ).body;
    expect(items.map((one: Json) => one.action)).to.include.members([
      'MonthClosed',
      'MonthReopened',
      'BooksSettingsChanged',
    ]);
  });
});

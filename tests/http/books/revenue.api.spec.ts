// Revenue schedule over HTTP: nothing before its basis is set, then months that close, cells that lead to their transactions, and tables.
import { expect } from 'chai';
import { MONTHLY, notification, setUpProject, type Credentials } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const DAY_MS = 86_400_000;

describe('the revenue schedule over HTTP', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const call = (method: string, path: string, body?: object, who: Credentials = as) =>
    harness.call(method, `/v1/projects/${slice.projectId}/books${path}`, body, who);
  const get = (path: string, who: Credentials = as) => call('GET', path, undefined, who);

  async function send(type: string, id: string, day: string, change: Record<string, unknown> = {}) {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const when = { purchaseDate, expiresDate: purchaseDate + 30 * DAY_MS, storefront: 'USA', currency: 'USD' };
    const ids = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990 };
    const transaction = { ...ids, ...when, ...change };
    const signedDate = Number(change['revocationDate'] ?? transaction.purchaseDate);
    const sent = { notificationType: type, ...(type === 'SUBSCRIBED' && { subtype: 'INITIAL_BUY' }), signedDate };
    const answer = await harness.call('POST', slice.notificationPath, notification({ ...sent, transaction }));
    expect(answer.status).to.equal(200);
  }

  before(async () => {
    await send('SUBSCRIBED', '200', '2026-09-20');
    await send('SUBSCRIBED', '201', '2026-10-20');
    const refund = { revocationDate: Date.parse('2026-11-02T09:00:00Z'), revocationReason: 0 };
    await send('REFUND', '201', '2026-10-20', refund);
    await send('SUBSCRIBED', '202', '2026-09-30', { price: 30_000 });
    await harness.service().idle();
  });

  it('says what to do until somebody decides what revenue is', async () => {
    const { body } = await get('/schedule');
    expect(body).to.deep.include({ basis: null, timeZone: 'UTC', from: '2025-12', to: '2026-11', rows: [] });
    expect(body.notice).to.include('PUT …/books/settings');
    expect((await get('/waterfall')).body.notice).to.equal(body.notice);
    expectRefusal(await get('/waterfall/transactions?billed=2026-10&recognised=2026-10&currency=USD'), 409);
  });

  it('has months that close, by days of the time zone', async () => {
    const set = await call('PUT', '/settings', { basis: 'gross' });
    expect(set.body).to.deep.equal({ object: 'books_settings', basis: 'gross', timeZone: 'UTC', lifetimeMonths: 0 });
    const { body } = await get('/schedule?from=2026-09&to=2026-12&currency=USD');
    expect(body.notice).to.equal(null);
    // 200: 9.99 over 30 days from 20 September, nine of 0.34. 201: all of it back in November. 202: one day of 30.00 in September.
    expect(body.rows).to.deep.equal([
      {
        month: '2026-09',
        currency: 'USD',
        opening: '0.00',
        billed: '39.99',
        recognised: '4.72',
        refunded: '0.00',
        closing: '35.27',
      },
      {
        month: '2026-10',
        currency: 'USD',
        opening: '35.27',
        billed: '9.99',
        recognised: '39.32',
        refunded: '0.00',
        closing: '5.94',
      },
      {
        month: '2026-11',
        currency: 'USD',
        opening: '5.94',
        billed: '0.00',
        recognised: '-4.05',
        refunded: '9.99',
        closing: '0.00',
      },
      {
        month: '2026-12',
        currency: 'USD',
        opening: '0.00',
        billed: '0.00',
        recognised: '0.00',
        refunded: '0.00',
        closing: '0.00',
      },
    ]);
    await call('PUT', '/settings', { basis: 'gross', timeZone: 'Pacific/Auckland' });
    const [september] = (await get('/schedule?from=2026-09&to=2026-09')).body.rows;
    expect(september, '30 September is October there').to.include({ billed: '9.99', recognised: '3.39' });
    await call('PUT', '/settings', { basis: 'net' });
    expect((await get('/schedule?from=2026-09&to=2026-09')).body.rows[0].billed).to.equal('27.99');
    await call('PUT', '/settings', { basis: 'gross' });
  });

  it('leads from a month billed to the transactions that another one recognises', async () => {
    const { rows } = (await get('/waterfall?from=2026-09&to=2026-10')).body;
    const cells = [
      { month: '2026-09', recognised: '4.72' },
      { month: '2026-10', recognised: '35.27' },
    ];
    expect(rows[0]).to.deep.equal({
      ...{ month: '2026-09', currency: 'USD', billed: '39.99', refunded: '0.00', cells, later: '0.00' },
    });
    expect(rows[1]).to.deep.include({ billed: '9.99', refunded: '9.99', later: '-4.05' });
    const cell = '/waterfall/transactions?billed=2026-09&recognised=2026-10&currency=USD';
    const first = (await get(`${cell}&limit=1`)).body;
    const second = await harness.call('GET', first.nextPage, undefined, as);
    const parts = [...first.items, ...second.body.items];
    expect(parts.map((one) => [one.transactionId, one.billed, one.recognised])).to.deep.equal([
      ['200', '9.99', '6.27'],
      ['202', '30.00', '29.00'],
    ]);
    expect(second.body.nextPage).to.equal(null);
    const back = (await get('/waterfall/transactions?billed=2026-10&recognised=2026-11&currency=USD')).body;
    expect(back.items.map((one: { recognised: string }) => one.recognised)).to.deep.equal(['-4.05']);
  });

  it('comes as tables', async () => {
    const table = async (path: string) => {
      const response = await fetch(`${harness.service().url ?? ''}/v1/projects/${slice.projectId}/books${path}`, {
        headers: { 'x-api-key': as.key, accept: 'text/csv' },
      });
      return (await response.text()).trim().split('\n');
    };
    expect(await table('/schedule?from=2026-11&to=2026-11')).to.deep.equal([
      'month,currency,opening,billed,recognised,refunded,closing',
      '2026-11,USD,5.94,0,-4.05,9.99,0',
    ]);
    expect((await table('/waterfall?from=2026-10&to=2026-10')).at(-1)).to.equal('2026-10,USD,9.99,9.99,later,-4.05');
  });

  it('is for those who may see amounts, and changed by finance', async () => {
    const member = (role: 'support' | 'viewer' | 'finance') =>
      newMember(harness.call, slice.projectId, slice.token, role);
    const [support, viewer, finance] = [await member('support'), await member('viewer'), await member('finance')];
    expect((await get('/schedule', support)).status).to.equal(403);
    expect((await get('/schedule', viewer)).body.rows).to.have.length.above(0);
    expectRefusal(await call('PUT', '/settings', { basis: 'gross' }, viewer), 403);
    expect((await call('PUT', '/settings', { basis: 'gross' }, finance)).status).to.equal(200);
    const other = await setUpProject(harness);
    expect((await get('/schedule', { key: other.secretKey })).status).to.equal(403);
    const theirs = `/v1/projects/${other.projectId}/books/schedule`;
    expect((await harness.call('GET', theirs, undefined, { key: other.secretKey })).body.basis).to.equal(null);
  });

  const refusals: readonly [path: string, what: RegExp][] = [
    ['/schedule?from=2026-10&to=2026-09', /must not be after/],
    ['/schedule?from=2020-01&to=2026-09', /at most 60 months/],
    ['/waterfall?from=2026-13', /month such as/],
    ['/schedule?currency=XXQ', /ISO 4217/],
  ];
  for (const [path, what] of refusals)
    it(`refuses ${path}`, async () => {
      const refused = await get(path);
      expectRefusal(refused, 400);
      expect(refused.body.message).to.match(what);
    });

  it('refuses settings that are none', async () => {
    for (const body of [
      {},
      { basis: 'both' },
      { basis: 'net', timeZone: 'Mars/Base' },
      { basis: 'net', lifetimeMonths: -1 },
    ])
      expectRefusal(await call('PUT', '/settings', body), 400);
  });
});

// The customer list as analysts work with it: filters on indexes, orders, counts, tables and segments. The expected customers come from the
// list without filters, selected here.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, store, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember, PASSWORD } from '../support/team.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const COUNTRIES = ['DEU', 'USA', 'FRA'] as const;
const ISO2: Readonly<Record<string, string>> = { DEU: 'DE', USA: 'US', FRA: 'FR' };

describe('customer lists for analysts', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let base: string;
  let all: readonly Json[];
  const tokens = new Map<string, { readonly token: string }>();

  before(async () => {
    base = `/v1/projects/${slice.projectId}`;
    const people = new Map<string, string>();
    for (const role of ['support', 'analyst', 'viewer'] as const) {
      people.set(role, (await newMember(harness.call, slice.projectId, slice.token, role)).email);
    }
    const product = { appId: slice.appId, storeProductId: 'yearly', displayName: '=Pro', type: 'subscription' };
    await harness.call('POST', `${base}/products`, product, as);
    const end = NOW + 3 * DAY_MS;
    for (let i = 0; i < 36; i++) {
      clock.set(NOW + i * 60_000);
      const country = COUNTRIES[i % 3] ?? 'DEU';
      const who = i === 0 ? '=cmd()' : `user-${String(i).padStart(2, '0')}`;
      const attributes = { plan: i % 4 === 0 ? 'gold' : 'iron', ...(i % 5 === 0 && { beta: 'yes:1' }) };
      const known = { attributes, ...(i % 2 === 1 && { country: ISO2[country] }) };
      await harness.call('POST', `/v1/subscribers/${encodeURIComponent(who)}`, known, as);
      if (i % 2 === 1) continue;
      const transaction = {
        ...{ transactionId: String(7_000_000 + i), originalTransactionId: String(7_000_000 + i), currency: 'USD' },
        ...{ productId: i % 4 === 0 ? MONTHLY : 'yearly', storefront: country, price: 10_000 * (i + 1) },
        ...{ purchaseDate: clock.now(), expiresDate: end, bundleId: BUNDLE_ID },
      };
      const receipt = { store: 'ios-store', receipt: store.signedTransaction(transaction) };
      const path = `/v1/subscribers/${encodeURIComponent(who)}/receipts`;
      expect((await harness.call('POST', path, receipt, as)).status).to.equal(200);
      if (i % 6 !== 0) continue;
      const failed = notification({
        ...{ notificationType: 'DID_FAIL_TO_RENEW', signedDate: end + 1, transaction },
        renewal: { ...transaction, isInBillingRetryPeriod: true },
      });
      clock.set(end + 1);
      expect((await harness.call('POST', slice.notificationPath, failed)).status).to.equal(200);
      await harness.service().idle();
    }
    clock.set(end + DAY_MS);
    await harness.service().idle();
    for (const [role, email] of people) {
      const { body } = await harness.call('POST', '/auth/login', { email, password: PASSWORD });
      tokens.set(role, { token: body.accessToken });
    }
    all = (await harness.call('GET', `${base}/customers?limit=100`, undefined, as)).body.items;
  });

  const expected = (matches: (c: Json) => boolean) => all.filter(matches).map(({ id }) => id);
  const path = (query: string) => `${base}/customers?${query}`;
  const listed = (query: string, limit = 100) => walk(harness, path(`${query}&limit=${limit}`), as);
  const who = (n: (i: number) => boolean) => (c: Json) =>
    n(c.appUserId === '=cmd()' ? 0 : Number(c.appUserId.slice(5)));
  const csv = async (query: string, key = slice.secretKey, headers: Record<string, string> = { 'x-api-key': key }) => {
    const url = `${harness.service().url ?? ''}${path(query)}`;
    const response = await fetch(url, { headers: { ...headers, accept: 'text/csv' } });
    return { response, lines: (await response.text()).trim().split('\n') };
  };

  it('have customers of several countries and states', () => {
    expect(all).to.have.length(36);
    const counts = (name: string) => new Set(all.map((c) => c[name])).size;
    expect([counts('country'), counts('status')]).to.deep.equal([3, 3]);
  });

  const seen = new Date(NOW + 10 * 60_000).toISOString();
  const cases: readonly [query: string, matches: (c: Json) => boolean][] = [
    ['country=DE', (c) => c.country === 'DE'],
    ['status=billing_retry', (c) => c.status === 'billing_retry'],
    ['status=expired&country=US', (c) => c.status === 'expired' && c.country === 'US'],
    [
      'status=billing_retry&country=DE&minSpentUsd=50',
      (c) => c.status === 'billing_retry' && c.country === 'DE' && c.totalSpentUsd >= 50,
    ],
    ['minSpentUsd=50', (c) => c.totalSpentUsd >= 50],
    ['maxSpentUsd=0', (c) => c.totalSpentUsd === 0],
    ['minSpentUsd=30&maxSpentUsd=110', (c) => c.totalSpentUsd >= 30 && c.totalSpentUsd <= 110],
    [`lastSeenAfter=${seen}`, (c) => c.lastSeenAt >= seen],
    [`lastSeenBefore=${seen}&country=FR`, (c) => c.lastSeenAt < seen && c.country === 'FR'],
    [`createdAfter=${seen}&status=expired`, (c) => c.firstSeenAt >= seen && c.status === 'expired'],
    ['attribute=plan:gold', who((i) => i % 4 === 0)],
    ['attribute=beta', who((i) => i % 5 === 0)],
    ['attribute=beta:yes:1&attribute=plan:gold', who((i) => i % 20 === 0)],
    ['attribute=beta:no', () => false],
    ['store=ios-store&country=US', (c) => c.country === 'US' && c.status !== 'never'],
    ['status=never&country=US', (c) => c.country === 'US' && c.status === 'never'],
  ];
  for (const [query, matches] of cases) {
    it(`select by ${query.replaceAll(seen, '…')}`, async () => {
      expect(await listed(query)).to.deep.equal(expected(matches));
      expect(await listed(query, 3), 'in pages').to.deep.equal(expected(matches));
      expect(await listed(`${query}&order=asc`, 2), 'from the oldest').to.deep.equal(expected(matches).reverse());
      const { body } = await harness.call('GET', `${base}/customer-count?${query}`, undefined, as);
      expect([body.count, body.complete]).to.deep.equal([expected(matches).length, true]);
    });
  }

  it('select by a product of a subscription', async () => {
    const query = `productId=${slice.productId}&country=DE`;
    const bought = who((i) => i % 4 === 0);
    expect(await listed(query, 2)).to.deep.equal(expected((c) => bought(c) && c.country === 'DE'));
  });

  for (const [sort, field] of [
    ['totalSpentUsd', 'totalSpentUsd'],
    ['lastSeenAt', 'lastSeenAt'],
  ] as const) {
    it(`come by ${sort}, with filters and in pages`, async () => {
      const matching = all.filter((c) => c.country === 'DE' && c.totalSpentUsd <= 200);
      const values = matching.map((c) => c[field]).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      for (const [order, inOrder] of [
        ['desc', values],
        ['asc', values.toReversed()],
      ] as const) {
        const ids = await listed(`country=DE&maxSpentUsd=200&sort=${sort}&order=${order}`, 5);
        expect(ids.map((id) => all.find((c) => c.id === id)?.[field])).to.deep.equal(inOrder);
        expect(new Set(ids).size).to.equal(matching.length);
      }
    });
  }

  it('are whole as a table, with formulas as text', async () => {
    const { response, lines } = await csv('sort=totalSpentUsd&order=asc&country=DE&limit=2');
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="customers_2026-11-24.csv"');
    expect(lines).to.have.length(1 + 12);
    expect(lines[0]).to.equal(
      'id,appUserId,aliases,status,activeEntitlements,country,platform,firstSeenAt,lastSeenAt,totalSpentUsd',
    );
    expect(lines.join('\n')).to.include(",'=cmd(),").and.to.include('billing_retry');
  });

  it('tell support no amounts, and analysts no attributes', async () => {
    const token = tokens.get('support') ?? { token: '' };
    for (const query of ['minSpentUsd=1', 'maxSpentUsd=1', 'sort=totalSpentUsd']) {
      expectRefusal(await harness.call('GET', path(query), undefined, token), 403);
    }
    expectRefusal(await harness.call('GET', `${base}/customer-count?maxSpentUsd=1`, undefined, token), 403);
    const { lines } = await csv('country=DE', '', { authorization: `Bearer ${token.token}` });
    expect(lines[0]).to.match(/,lastSeenAt$/);
    const query = path('attribute=plan:gold');
    expectRefusal(await harness.call('GET', query, undefined, tokens.get('analyst')), 403);
    expect((await harness.call('GET', query, undefined, token)).status).to.equal(200);
  });

  for (const query of [
    ...['minSpentUsd=', 'minSpentUsd=1e3', 'minSpentUsd=9&maxSpentUsd=1', 'maxSpentUsd=NaN', 'attribute=', 'sort=name'],
    ...['attribute=:x', 'order=up', `lastSeenAfter=${seen}&lastSeenBefore=${seen}`, 'search=a&sort=lastSeenAt'],
    ...['sort=totalSpentUsd&startingAfter=5', 'sort=lastSeenAt&startingAfter=now~cus_1', 'startingAfter=5~x'],
    Array.from({ length: 6 }, () => 'attribute=plan').join('&'),
  ]) {
    it(`are refused for ${query}`, async () =>
      expectRefusal(await harness.call('GET', path(query), undefined, as), 400));
  }

  it('forget an erased customer, and find who changed the country by the new one', async () => {
    const before = await listed('country=FR');
    const [gone = '', mover = ''] = before;
    const nameOf = (id: string): string => all.find((c) => c.id === id)?.appUserId;
    expect((await harness.call('DELETE', `/v1/subscribers/${nameOf(gone)}`, undefined, as)).status).to.be.below(300);
    await harness.call('POST', `/v1/subscribers/${nameOf(mover)}`, { country: 'NZ' }, as);
    await harness.service().idle();
    expect(await listed('country=FR')).to.deep.equal(before.slice(2));
    expect(await listed('country=NZ')).to.deep.equal([mover]);
  });

  describe('segments', () => {
    const query = { status: 'billing_retry', country: 'DE', minSpentUsd: '50' };
    const save = (name: string, of: object = query, by: object = as) =>
      harness.call('POST', `${base}/customer-segments`, { name, query: of }, by);

    it('are saved for the project, read by its members, and deleted', async () => {
      const { status, body } = await save('Billing retry in Germany');
      expect([status, body.query]).to.deep.equal([201, query]);
      const theirs = tokens.get('viewer');
      const { items } = (await harness.call('GET', `${base}/customer-segments`, undefined, theirs)).body;
      expect(items).to.deep.equal([body]);
      const found = await listed(new URLSearchParams(items[0].query).toString());
      expect(found).to.have.length.above(0);
      expectRefusal(await save('Theirs', query, theirs), 403);
      expectRefusal(await harness.call('DELETE', `${base}/customer-segments/${body.id}`, undefined, theirs), 403);
      expectRefusal(await save('Billing retry in Germany'), 409);
      const other = await setUpProject(harness);
      const foreign = `/v1/projects/${other.projectId}/customer-segments`;
      expectRefusal(await harness.call('DELETE', `${foreign}/${body.id}`, undefined, { token: other.token }), 404);
      expect((await harness.call('GET', foreign, undefined, { token: other.token })).body.items).to.deep.equal([]);
      const removed = await harness.call('DELETE', `${base}/customer-segments/${body.id}`, undefined, as);
      expect(removed.body).to.deep.equal({ object: 'customerSegment', id: body.id, deleted: true });
    });

    for (const [what, of] of [
      ['nothing', {}],
      ['a search, which may name a person', { search: 'ann@example.com' }],
      ['the email of a person', { attribute: '$email:ann@example.com' }],
      ['an unknown parameter', { colour: 'red' }],
    ] as const) {
      it(`do not store ${what}`, async () => expectRefusal(await save('One', of), 400));
    }
  });
});

// Demo projects: only where nobody else's data is, played in the past, and purchases to watch.
import { expect } from 'chai';
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { notificationOf } from '../../../simulator/ios-store/notifications.js';
import { storePayloads } from '../../../simulator/ios-store/payloads.js';
import { streams } from '../../../src/domain/streams.js';
import { isOnServers } from '../../distributed/servers.js';
import { setUpProject, type Harness, type Json } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpHarness } from '../support/setup.js';
import { loadDashboard } from '../../dashboard/load-dashboard.js';

type Headlines = { headlineOf(customer: Json, names: object, now: number): { sentence: string; tone: string } };
type Statuses = { shownStatusOf(customer: Json): { text: string } };

const password = 'correct horse battery';

async function registered({ call }: Pick<Harness, 'call'>, email: string): Promise<{ readonly token: string }> {
  return { token: (await call('POST', '/auth/register', { email, password })).body.accessToken };
}

(isOnServers ? describe.skip : describe)('a demo project', () => {
  const harness = setUpHarness({ RATE_LIMITS: 'on' });
  const get = (path: string, as: object) => harness.call('GET', path, undefined, as);
  let as: { readonly token: string };
  let base: string;
  let made: Json;
  const progress: number[] = [];

  before(async function () {
    this.timeout(240_000);
    as = await registered(harness, 'demo@example.com');
    const response = await harness.call('POST', '/v1/demo', undefined, as);
    expect(response.status).to.equal(202);
    made = response.body;
    base = `/v1/projects/${made.id}`;
    expectRefusal(await harness.call('POST', '/v1/demo', undefined, as), 409);
    for (let state = made; state.demo === 'playing'; state = (await get(base, as)).body) {
      progress.push(state.demoProgress);
      // More requests would use up the caller's limit.
      await harness.service().services.runtime.sleep(200);
    }
    await harness.service().idle();
  });

  it('reports that its history is being generated, and when that is finished', async () => {
    expect(made).to.include({ object: 'project', name: 'Stargazer (demo)', role: 'owner', demo: 'playing' });
    expect((await get(base, as)).body.demo).to.equal('ready');
    const [listed] = (await get('/v1/projects', as)).body.items;
    expect(listed.demo).to.equal('ready');
    expect(listed).not.to.have.property('demoProgress');
    expect(progress).to.deep.equal(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).to.be.within(0.5, 1);
  });

  const valuesOfCustomers = [
    ['actives', 'active_subscriptions', ''],
    ['mrr', 'mrr', 'filter=country:DE'],
    ['customers_new', 'new_customers', ''],
    ['trials_new', 'new_trials', 'filter=store:ios-store'],
    ['actives_movement', 'churned_actives', ''],
    ['revenue', 'renewal_revenue', 'filter=productDuration:P1M'],
  ] as const;
  for (const [chartId, measure, filter] of valuesOfCustomers) {
    it(`lists the customers of a value of ${chartId}, as many as the chart has, and narrows them`, async () => {
      const query = `period=last_12_months&interval=month${filter && `&${filter}`}`;
      const chart: Json = (await get(`${base}/metrics/charts/${chartId}?${query}`, as)).body;
      const buckets = chart.buckets.filter(({ values }: Json) => values[measure] !== 0);
      const { start, values } = buckets.at(-2) ?? buckets[0];
      const value = `${query}&bucket=${start}&measure=${measure}`;
      const shares: Json[] = [];
      let next: string | null = `${base}/metrics/charts/${chartId}/customers?${value}&limit=100`;
      while (next !== null) {
        const page: Json = (await get(next, as)).body;
        shares.push(...page.items);
        next = page.nextPage;
      }
      const total = shares.reduce((sum, share) => sum + share.value, 0);
      expect(Math.round(total * 100)).to.be.closeTo(Math.round(values[measure] * 100), shares.length);
      const list = `chartValue=${encodeURIComponent(`${chartId}?${value}`)}`;
      const listed: string[] = [];
      for (let url: string | null = `${base}/customers?${list}&limit=7`; url !== null;) {
        const page: Json = (await get(url, as)).body;
        listed.push(...page.items.map(({ id }: Json) => id));
        url = page.nextPage;
      }
      expect(listed).to.deep.equal(shares.map(({ customerId }) => customerId));
      const { body: counted } = await get(`${base}/customer-count?${list}`, as);
      expect(counted).to.include({ count: listed.length, complete: true });
      if (chart.unit === 'count' && measure !== 'churned_actives') expect(counted.count).to.equal(values[measure]);
      const { body: active } = await get(`${base}/customers?${list}&status=active&limit=100`, as);
      expect(listed).to.include.members(active.items.map(({ id }: Json) => id));
      const headers = { authorization: `Bearer ${as.token}`, accept: 'text/csv' };
      const table = await fetch(`${harness.service().url}${base}/customers?${list}`, { headers });
      expect((await table.text()).trimEnd().split('\n')).to.have.length(listed.length + 1);
    });
  }

  it('has customers whose page and whose row in the list say that there is no access exactly if no entitlement is active', async () => {
    const { headlineOf } = await loadDashboard<Headlines>('customer/headline.ts');
    const { shownStatusOf } = await loadDashboard<Statuses>('customers/shown-status.ts');
    const names = { nameOf: ({ storeProductId }: Json): string => storeProductId };
    const seen = new Map<string, number>();
    // Reading each customer takes half of a caller's limit: a key has a limit of its own.
    const { key } = (await harness.call('POST', `${base}/api-keys`, { name: 'reads' }, as)).body;
    let url = `${base}/customers?limit=100`;
    for (let n = 0; url !== '' && n < 100; n++) {
      const { body } = await get(url, { key });
      for (const listed of body.items as Json[]) {
        const customer = (await get(`${base}/customers/${listed.id}`, { key })).body;
        const hasAccess = customer.entitlements.some((one: Json) => one.active);
        const { sentence, tone } = headlineOf(customer, names, harness.service().services.runtime.now());
        const what = `${customer.status} of ${customer.appUserId}: ${sentence}`;
        expect(sentence.startsWith('No access. '), what).to.equal(!hasAccess);
        expect(sentence.startsWith('Has access to '), what).to.equal(hasAccess);
        expect(tone === 'bad' && hasAccess, what).to.equal(false);
        const { text } = shownStatusOf({ ...listed, activeEntitlements: hasAccess ? ['pro'] : [] });
        const expected = ['active', 'trial', 'grace_period'].includes(customer.status) === hasAccess;
        expect(/has access|no access/.test(text), `${what} ${text}`).to.equal(!expected);
        seen.set(String(hasAccess), (seen.get(String(hasAccess)) ?? 0) + 1);
      }
      url = body.nextPage ?? '';
    }
    expect([...seen.keys()].sort(), 'customers of both kinds').to.deep.equal(['false', 'true']);
  });

  it('has something of everything: trials, billing problems, refunds, an offering, an experiment with results, a webhook', async () => {
    const list = async (path: string): Promise<Json[]> => (await get(`${base}/${path}`, as)).body.items;
    for (const status of ['trial', 'billing_retry', 'active', 'expired']) {
      expect(await list(`customers?status=${status}`), status).not.to.have.length(0);
    }
    const { metrics } = (await get(`${base}/metrics/overview`, as)).body;
    const valueOf = (id: string): number => metrics.find((one: Json) => one.id === id).value;
    expect(valueOf('active_trials')).to.be.above(2);
    const chart = (await get(`${base}/metrics/charts/revenue?period=last_12_months&interval=month`, as)).body;
    expect(chart.buckets.filter((b: Json) => b.values.refunds > 0)).not.to.have.length(0);
    const offerings = await list('offerings');
    expect(offerings.filter(({ isCurrent }) => isCurrent)).to.have.length(1);
    const [request] = await list('refund-requests');
    expect(Date.parse(request?.respondBy)).to.be.above(Date.now());
    const [experiment] = await list('experiments');
    expect(experiment).to.include({ name: 'Yearly first', status: 'running' });
    const { results } = (await get(`${base}/experiments/${experiment?.id}`, as)).body;
    const [webhook] = await list('webhooks');
    expect(await list(`webhooks/${webhook?.id}/deliveries`)).not.to.have.length(0);
    expect(JSON.stringify(results)).to.match(/"customers":[1-9]/);
  });

  it('has the reports of the ios-store for the last three months, of which every difference has its cause', async () => {
    const { months } = (await get(`${base}/books`, as)).body;
    const reported = months.filter(({ reports }: Json) => reports > 0);
    expect(reported).to.have.length(3);
    const counts = new Map<string, number>();
    for (const { tables } of reported)
      for (const { causes } of tables)
        for (const { cause, entries } of causes) counts.set(cause, (counts.get(cause) ?? 0) + entries);
    // A sale that the report has too many may be of a group in which it lacks one.
    expect(counts.get('missing_here')).to.be.within(1, 3);
    const others = new Set(['unexplained', 'price', 'tax', 'other_app', 'double', 'partial_refund']);
    expect([...counts.keys()].filter((cause) => others.has(cause))).to.deep.equal([]);
    expect(counts.get('matched')).to.be.above(5 * (counts.get('commission') ?? 0));
  });

  it('has customers who pay in other currencies, at rates of its own that no other project can use', async () => {
    const entries: Json[] = [];
    for (let path: string | null = `${base}/transactions?limit=100`; path !== null;) {
      const { items, nextPage }: Json = (await get(path, as)).body;
      entries.push(...items);
      path = nextPage;
    }
    const currencies = new Set(entries.map(({ currency }) => currency));
    expect([...currencies]).to.include.members(['USD', 'EUR', 'GBP', 'JPY']);
    expect(entries.filter(({ amount, amountUsd }) => amount > 0 && !(amountUsd > 0))).to.deep.equal([]);
    const [yen] = entries.filter(({ currency, amount }) => currency === 'JPY' && amount > 0);
    expect(yen?.amount / yen?.amountUsd).to.be.within(120, 200);
    const { deps } = harness.service().services;
    expect(await deps.rates.get(streams.rates())).to.deep.equal({});
  });

  it('has customers, and revenue of the months before', async () => {
    const customers = await get(`${base}/customers?limit=100`, as);
    expect(customers.body.items).to.have.length(100);
    const chart = await get(`${base}/metrics/charts/revenue?period=last_12_months&interval=month`, as);
    const values = chart.body.buckets.map((b: Json) => b.values.revenue as number);
    expect(values.filter((v: number) => v > 0).length).to.be.above(9);
  });

  it('knew then what had happened by then, and no more', async () => {
    const chart = (asOf: string) =>
      get(`${base}/metrics/charts/revenue?startDate=2026-01-01&endDate=2026-12-31&interval=year&asOf=${asOf}`, as);
    const dayMs = 86_400_000;
    const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
    const [then, now] = await Promise.all([chart(ago(200)), chart(ago(0))]);
    const total = (r: Json) => r.body.buckets.reduce((sum: number, b: Json) => sum + (b.values.revenue ?? 0), 0);
    expect(total(then)).to.be.above(0);
    expect(total(then)).to.be.below(total(now));
    const { items } = (await get(`${base}/customers?limit=5`, as)).body;
    expect(items).to.have.length(5);
    for (const { id } of items) {
      const timeline = await get(`${base}/customers/${id}/timeline?order=oldest&limit=100`, as);
      const lags = timeline.body.items.map((e: Json) => Date.parse(e.recordedAt) - Date.parse(e.at));
      expect(Math.max(...lags), 'the longest time from an event to its record').to.be.below(60 * dayMs);
    }
  });

  it('has ended nothing that the store renewed later', async () => {
    const { body } = await get(`${base}/customers?limit=100`, as);
    expect(body.items).to.have.length(100);
    const expired: Json[] = [];
    for (const { id } of body.items) {
      const timeline = await get(`${base}/customers/${id}/timeline?order=oldest&limit=100`, as);
      expect(timeline.body.items).not.to.have.length(0);
      expired.push(...timeline.body.items.filter((e: Json) => e.type === 'SubscriptionExpired'));
    }
    expect(expired, 'expiries of the first 100 customers').not.to.have.length(0);
    expect(expired.filter((e) => e.actor.kind === 'system')).to.deep.equal([]);
  });

  it('plays a purchase', async () => {
    const { status, body } = await harness.call('POST', `${base}/demo/purchase`, undefined, as);
    expect(status).to.equal(201);
    await harness.service().idle();
    const { body: customer } = await get(`${base}/customers/${body.customerId}`, as);
    expect(customer.appUserId).to.equal(body.appUserId);
    const access = await get(`${base}/customers/${body.customerId}/access?entitlement=pro`, as);
    expect(access.body.has).to.equal(true);
    const { body: transaction } = await get(`${base}/transactions/${body.transactionId}`, as);
    expect(transaction.customer.id).to.equal(body.customerId);
  });

  it('plays a purchase for a key that may send receipts, and for no other', async () => {
    const play = async (...scopes: string[]) => {
      const { key } = (await harness.call('POST', `${base}/api-keys`, { name: 'demo', scopes }, as)).body;
      return harness.call('POST', `${base}/demo/purchase`, undefined, { key });
    };
    expectRefusal(await play('config'), 403);
    expect((await play('config', 'write')).status).to.equal(201);
  });

  it('does not open the service to another store of the same make', async () => {
    const { body } = await get(`${base}/apps`, as);
    const path = new URL(body.items[0].notificationUrl).pathname;
    const { sign } = await createCertificateAuthority();
    const at = Date.now();
    const bought = {
      ...{
        transactionId: '1',
        chainId: '1',
        chainStartedAt: at,
        offer: 'monthly' as const,
        periodType: 'normal' as const,
      },
      ...{ purchasedAt: at, expiresAt: at + 86_400_000, priceMilli: 9990, isRenewal: false },
    } as const;
    const started = { kind: 'started', at, bought, willRenew: true, graceEndsAt: null } as const;
    const uuid = '5b1e8b3a-59f7-4f0c-8c57-0a8a2f0a1c11';
    const forged = storePayloads(sign).signedNotification(notificationOf(started, 'USA', uuid));
    expectRefusal(await harness.call('POST', path, forged), 401);
  });

  it('has its store trusted for its own apps only, not for another project with the same app', async () => {
    const listed = await get(`${base}/notifications?limit=1`, as);
    const sent = await get(`${base}/notifications/${listed.body.items[0].id}`, as);
    const raw = JSON.parse(sent.body.rawBody) as { signedPayload: string };
    const other = await setUpProject(harness);
    const [app] = (await get(`${base}/apps`, as)).body.items;
    const made = await harness.call(
      'POST',
      `/v1/projects/${other.projectId}/apps`,
      { name: 'Stargazer', platform: 'ios', bundleId: app.bundleId },
      { token: other.token },
    );
    const pathOf = (url: string) => new URL(url).pathname;
    expect((await harness.call('POST', pathOf(app.notificationUrl), raw)).status, 'its own app').to.equal(200);
    expectRefusal(await harness.call('POST', pathOf(made.body.notificationUrl), raw), 401);

    const payload = JSON.parse(Buffer.from(raw.signedPayload.split('.')[1] ?? '', 'base64url').toString());
    const receipt = { store: 'ios-store', receipt: payload.data.signedTransactionInfo };
    const refused = await harness.call(
      'POST',
      '/v1/subscribers/ada/receipts',
      { ...receipt, appId: made.body.id },
      { key: other.secretKey },
    );
    expectRefusal(refused, 400);
    await harness.call('DELETE', `/v1/projects/${other.projectId}`, undefined, { token: other.token });
  });

  it('ignores the time header of others', async () => {
    const headers = { 'x-simulated-at': '1000000000000' };
    const { body } = await harness.call('POST', '/auth/register', { email: 'now@example.com', password }, { headers });
    expect(Date.parse(body.user.createdAt)).to.be.closeTo(Date.now(), 60_000);
  });

  it('survives a restart, also for purchases', async () => {
    await harness.restart();
    expect((await get(base, as)).body.demo).to.equal('ready');
    expect((await harness.call('POST', `${base}/demo/purchase`, undefined, as)).status).to.equal(201);
  });

  it('can be created in addition to other demos, but not to a real project', async () => {
    await setUpProject(harness);
    expectRefusal(await harness.call('POST', '/v1/demo', undefined, as), 409);
  });
});

describe('a project that is no demo', () => {
  const harness = setUpHarness();
  it('plays no purchase', async () => {
    const { token, projectId } = await setUpProject(harness);
    expectRefusal(await harness.call('POST', `/v1/projects/${projectId}/demo/purchase`, undefined, { token }), 409);
  });
});

describe('a public service, or one on servers', () => {
  const harness = setUpHarness(isOnServers ? {} : { PUBLIC_URL: 'https://subledger.example.com' });
  it('makes no demo', async () => {
    const as = await registered(harness, 'fixture@example.com');
    expectRefusal(await harness.call('POST', '/v1/demo', undefined, as), 403);
  });
});

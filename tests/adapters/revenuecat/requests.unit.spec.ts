// The client of RevenueCat's REST APIs against a server of the same form: pace, repeats, pages, and refusals that say what to do.
import { expect } from 'chai';
import { z } from 'zod';
import { createOutbound } from '../../../src/adapters/outbound/undici.js';
import { createRevenueCatAccess } from '../../../src/adapters/revenuecat/access.js';
import { readRevenueCatChart } from '../../../src/adapters/revenuecat/charts.js';
import { listEntitlements } from '../../../src/adapters/revenuecat/configuration.js';
import { readSubscriber } from '../../../src/adapters/revenuecat/customers.js';
import { createPacing } from '../../../src/adapters/revenuecat/pacing.js';
import { createRevenueCatRequests, RevenueCatRefusal } from '../../../src/adapters/revenuecat/requests.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { PROJECT, startFakeRevenueCat, V1_KEY, V2_KEY } from '../../fixtures/revenuecat/fake-revenuecat.js';

/** A clock that sleeping moves, so that nothing waits. */
function createSleepingClock() {
  let now = Date.parse('2026-05-10T12:00:00.000Z');
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: async (ms: number) => {
      sleeps.push(ms);
      now += ms;
    },
  };
}

type Fake = Awaited<ReturnType<typeof startFakeRevenueCat>>;

describe("client of RevenueCat's APIs", () => {
  let fake: Fake;
  const outbound = createOutbound({ egress: { allowHttp: true, allowCidrs: ['127.0.0.0/8'] } });
  beforeEach(async () => (fake = await startFakeRevenueCat()));
  afterEach(() => fake.stop());
  after(() => outbound.close());

  const open = (apiKey = V1_KEY) => {
    const clock = createSleepingClock();
    return { clock, requests: createRevenueCatRequests({ baseUrl: fake.url, apiKey, outbound, runtime: clock }) };
  };
  const rejection = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (err: unknown) => err as Error,
    );

  it('spreads the requests of each domain over the minute', async () => {
    const clock = createSleepingClock();
    const pacing = createPacing(clock);
    const begin = clock.now();
    for (let i = 0; i < 481; i++) await pacing.turn('customers');
    expect(clock.now() - begin).to.equal(60_000);
    await pacing.turn('charts');
    await pacing.turn('charts');
    expect(clock.sleeps.at(-1)).to.equal(12_000);
  });

  it('adopts the limit that a response states', () => {
    const pacing = createPacing(createSleepingClock());
    pacing.adopt('charts', 25);
    pacing.adopt('customers', NaN);
    expect([pacing.intervalMs('charts'), pacing.intervalMs('customers')]).to.deep.equal([2400, 125]);
  });

  it('waits as long as Retry-After or backoff_ms asks, and repeats the request', async () => {
    fake.customers.set('ann', {});
    fake.faults.push({ status: 429, headers: { 'retry-after': '7' }, body: { backoff_ms: 6500 } });
    fake.faults.push({ status: 423, body: { backoff_ms: 900 } });
    const { clock, requests } = open();
    const { isCreated } = await readSubscriber(requests, 'ann');
    expect(isCreated).to.equal(false);
    expect(clock.sleeps).to.deep.equal([7000, 900]);
    expect(fake.seen).to.have.length(3);
  });

  it('gives up after six faults with a message that names the host', async () => {
    for (let i = 0; i < 6; i++) fake.faults.push({ status: 500 });
    const err = await rejection(readSubscriber(open().requests, 'ann'));
    expect(err).to.be.instanceOf(Unavailable);
    expect(err?.message).to.match(/^127\.0\.0\.1:\d+ responded with 500 6 times; run the command again later$/);
    expect(fake.seen).to.have.length(6);
  });

  it('names the key that is needed when the key is refused', async () => {
    const wrong = await rejection(readSubscriber(open('sk_wrong').requests, 'ann'));
    expect(wrong).to.be.instanceOf(RevenueCatRefusal);
    expect(wrong?.message).to.match(
      /^RevenueCat refused the key \(Invalid API Key\.\); .* must be a secret key of API v1/,
    );
    const other = await rejection(listEntitlements(open(V2_KEY).requests, 'proj_other'));
    expect(other?.message).to.match(/may not read this .* a secret key of API v2 with read permissions/);
    expect(fake.seen, 'refusals are not repeated').to.have.length(2);
  });

  it('reports a response of an unexpected form with its field', async () => {
    fake.charts.set('mrr', { resolution: 'month', values: 'none' });
    const query = {
      projectId: PROJECT,
      chartId: 'mrr',
      from: '2026-01-01',
      to: '2026-01-31',
      interval: 'month',
    } as const;
    const err = await rejection(readRevenueCatChart(open(V2_KEY).requests, query));
    expect(err?.message).to.equal('invalid response of RevenueCat: values');
  });

  it('reads all pages of a list, on its own host only', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, lookup_key: id, display_name: id }));
    fake.lists.set('/entitlements', all);
    const { requests } = open(V2_KEY);
    expect(await listEntitlements(requests, PROJECT)).to.deep.equal(all);
    const elsewhere = { items: [], next_page: 'https://elsewhere.example/v2/projects/x?starting_after=a' };
    fake.faults.push({ status: 200, body: elsewhere });
    fake.faults.push({ status: 200, body: { items: [{ id: 'z' }] } });
    const list = { domain: 'configuration', path: '/v2/list', needs: 'a key' } as const;
    expect(await requests.list(z.object({ id: z.string() }), list)).to.deep.equal([{ id: 'z' }]);
    expect(fake.seen.at(-1)?.path).to.equal('/v2/projects/x?starting_after=a');
  });

  it('reads chart values as rows and as objects, in seconds and in milliseconds', async () => {
    const query = {
      projectId: PROJECT,
      chartId: 'mrr',
      from: '2026-01-01',
      to: '2026-01-31',
      interval: 'month',
    } as const;
    const at = Date.parse('2026-01-01T00:00:00.000Z');
    const { requests } = open(V2_KEY);
    fake.charts.set('mrr', { resolution: 'month', segments: [{ display_name: 'MRR' }], values: [[at, 10.5]] });
    const rows = await readRevenueCatChart(requests, query);
    expect(rows).to.deep.equal({
      measures: ['MRR'],
      points: [{ at, measure: 0, period: null, value: 10.5, incomplete: false }],
    });
    const value = { cohort: at / 1000, measure: 1, value: 3, incomplete: true };
    const measures = [{ display_name: 'Revenue' }, { display_name: 'Transactions' }];
    fake.charts.set('mrr', { resolution: 'month', measures, values: [value] });
    const objects = await readRevenueCatChart(requests, query);
    expect(objects).to.deep.equal({
      measures: ['Revenue', 'Transactions'],
      points: [{ at, measure: 1, period: null, value: 3, incomplete: true }],
    });
    fake.charts.set('mrr', { resolution: 'day', values: [] });
    expect((await rejection(readRevenueCatChart(requests, query)))?.message).to.contain('mrr by day instead of month');
  });

  const LATER = '2099-01-01T00:00:00.000Z';
  const access = {
    pro: { endsAt: '2098-01-01T00:00:00.000Z', graceEndsAt: LATER, productId: 'month', store: 'mac_app_store' },
    extra: { endsAt: null, productId: 'gift', store: 'promotional' },
    web: { endsAt: LATER, productId: 'web', store: 'stripe', isSandbox: true },
  };
  const expected = [
    { entitlement: 'extra', endsAt: null, periodEndsAt: null, isGrant: true, isSandbox: false, store: 'promotional' },
    {
      entitlement: 'pro',
      endsAt: LATER,
      periodEndsAt: access.pro.endsAt,
      isGrant: false,
      isSandbox: false,
      store: 'ios-store',
    },
    { entitlement: 'web', endsAt: LATER, periodEndsAt: LATER, isGrant: false, isSandbox: true, store: 'stripe' },
  ];
  for (const [version, key, projectId] of [
    ['v1', V1_KEY, null],
    ['v2', V2_KEY, PROJECT],
  ] as const) {
    it(`reads the access of a customer by API ${version}, with stores, grants, grace and sandbox`, async () => {
      fake.customers.set('ann b/ä', access);
      fake.lists.set(
        '/entitlements',
        ['pro', 'extra', 'web'].map((k) => ({ id: `entl_${k}`, lookup_key: k, display_name: k })),
      );
      const { requests } = open(key);
      const source = createRevenueCatAccess({ requests, projectId, close: async () => undefined });
      const { status, holdings } = await source.accessOf('ann b/ä', 'sources');
      expect(status).to.equal('known');
      expect(holdings.toSorted((a, b) => (a.entitlement < b.entitlement ? -1 : 1))).to.deep.equal(expected);
      expect((await source.accessOf('nobody', 'ends')).status).to.equal('unknown');
      expect(fake.customers.has('nobody'), 'v1 creates customers, v2 does not').to.equal(projectId === null);
    });
  }
});

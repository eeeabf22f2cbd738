// Simulated lives: equal to the life of a real customer with the same facts, and without a trace in the log.
import { expect } from 'chai';
import { MONTHLY, notification, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const START = '2026-03-01T10:00:00.000Z';
const RENEWED = '2026-04-01T10:00:00.000Z';
const REFUNDED = '2026-04-11T10:00:00.000Z';

const SCRIPT = {
  product: MONTHLY,
  country: 'US',
  steps: [
    { at: START, what: 'buy' },
    { at: RENEWED, what: 'renew' },
    { at: REFUNDED, what: 'refund' },
  ],
};

describe('POST …/simulations', () => {
  const clock = createManualClock(Date.parse(START));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;
  const simulate = (body: object) => harness.call('POST', `${base()}/simulations`, body, as);
  const get = async (path: string): Promise<Json> =>
    (await harness.call('GET', `${base()}${path}`, undefined, as)).body;
  before(async () => {
    const price = { amount: 9.99, currency: 'USD' };
    await harness.call('POST', `${base()}/products/${slice.productId}/prices`, price, as);
  });

  const playRealLife = async () => {
    const hook = await harness.call('POST', `${base()}/webhooks`, { url: 'https://hooks.example.com/x' }, as);
    const charge = (transactionId: string, from: string, until: string) => ({
      transactionId,
      originalTransactionId: '1',
      productId: MONTHLY,
      purchaseDate: Date.parse(from),
      originalPurchaseDate: Date.parse(START),
      expiresDate: Date.parse(until),
      price: 9990,
      currency: 'USD',
      storefront: 'USA',
    });
    const first = charge('1', START, RENEWED);
    const second = charge('2', RENEWED, '2026-05-01T10:00:00.000Z');
    const back = { ...second, revocationDate: Date.parse(REFUNDED), revocationReason: 0 as const };
    const messages = [
      [START, { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', transaction: first }],
      [RENEWED, { notificationType: 'DID_RENEW', transaction: second }],
      [REFUNDED, { notificationType: 'REFUND', transaction: back }],
    ] as const;
    for (const [at, fields] of messages) {
      clock.set(Date.parse(at));
      const sent = notification({ ...fields, signedDate: Date.parse(at) });
      expect((await harness.call('POST', slice.notificationPath, sent)).status).to.equal(200);
      await harness.service().idle();
    }
    const { items } = await get('/customers');
    const { items: deliveries } = await get(`/webhooks/${hook.body.id}/deliveries?limit=100`);
    const timeline = await get(`/customers/${items[0].id}/timeline?order=oldest`);
    return { timeline: timeline.items, deliveries };
  };

  it('takes another price for all charges, and leaves that of the catalogue', async () => {
    const revenueOf = async (more: object) => {
      const { status, body } = await simulate({
        ...SCRIPT,
        charts: ['revenue'],
        steps: SCRIPT.steps.slice(0, 2),
        ...more,
      });
      expect(status, JSON.stringify(body)).to.equal(200);
      const buckets: readonly Json[] = body.charts[0].buckets;
      return buckets.map(({ values }) => Number(values.gross ?? values.revenue)).reduce((a, b) => a + b, 0);
    };
    const usual = await revenueOf({});
    expect(usual).to.be.above(0);
    expect(await revenueOf({ price: { amount: 19.98, currency: 'USD' } })).to.be.closeTo(2 * usual, 1e-6);
    expect(await revenueOf({})).to.equal(usual);
  });

  it('stores nothing, not even the response under an idempotency key', async () => {
    const { log } = harness.service().services.deps;
    await harness.service().idle();
    const before = await log.head();
    const headers = { 'idempotency-key': 'same' };
    await harness.call('POST', `${base()}/simulations`, SCRIPT, { ...as, headers });
    const other = { ...SCRIPT, steps: SCRIPT.steps.slice(0, 1) };
    const second = await harness.call('POST', `${base()}/simulations`, other, { ...as, headers });
    expect(second.status).to.equal(200);
    expect(second.body.timeline).to.have.length(3);
    expect(await log.head()).to.equal(before);
  });

  it('shows the timeline, the webhooks and the charts of a real customer with the same facts', async () => {
    const { timeline, deliveries } = await playRealLife();
    const { status, body } = await simulate(SCRIPT);
    expect(status).to.equal(200);
    const facts = (entries: Json) =>
      entries
        .filter((e: Json) => e.type !== 'CustomerCreated')
        .map(({ at, type, summary, access }: Json) => [
          at,
          type,
          summary.replace(/simulated_3|simulated_2/, '2'),
          access,
        ]);
    expect(facts(body.timeline)).to.deep.equal(facts(timeline)).and.to.have.length.above(2);
    const kinds = (all: Json) => all.map((d: Json) => d.type).sort();
    expect(kinds(body.webhooks))
      .to.deep.equal(kinds(deliveries))
      .and.to.include.members(['INITIAL_PURCHASE', 'RENEWAL']);
    for (const chart of ['revenue', 'mrr', 'actives']) {
      const query = 'startDate=2026-03-01&endDate=2026-04-30&interval=month';
      const real = await get(`/metrics/charts/${chart}?${query}`);
      const own = body.charts.find((c: Json) => c.id === chart);
      const shown = real.buckets.filter((b: Json) => Object.values(b.values).some((v) => v !== null && v !== 0));
      expect(
        own.buckets.map((b: Json) => [b.start, b.values]),
        chart,
      ).to.deep.equal(shown.map((b: Json) => [b.start, b.values]));
    }
    expect(body.access).to.deep.equal([{ lookupKey: 'pro', from: START, until: REFUNDED }]);
  });

  it('lets time pass: an unpaid renewal ends access, a payment in the grace period keeps it', async () => {
    const steps = [
      { at: START, what: 'buy' },
      { at: RENEWED, what: 'billing_fail', graceEndsAt: '2026-04-08T10:00:00Z' },
    ];
    const unpaid = (await simulate({ product: MONTHLY, steps })).body;
    expect(unpaid.access).to.deep.equal([{ lookupKey: 'pro', from: START, until: '2026-04-08T10:00:00.000Z' }]);
    expect(unpaid.timeline.at(-1)).to.deep.include({ type: 'SubscriptionExpired', step: null });
    expect(unpaid.webhooks.map((w: Json) => w.type)).to.include.members(['BILLING_ISSUE', 'EXPIRATION']);
    const paid = [...steps, { at: '2026-04-03T10:00:00Z', what: 'recover' }];
    const recovered = (await simulate({ product: MONTHLY, steps: paid })).body;
    expect(recovered.access).to.deep.equal([{ lookupKey: 'pro', from: START, until: '2026-05-01T10:00:00.000Z' }]);
  });

  it('plays every kind of step', async () => {
    const day = (n: number) => new Date(Date.parse(START) + n * 86_400_000).toISOString();
    const steps = [
      { at: day(0), what: 'grant', entitlement: 'pro', until: day(2) },
      { at: day(3), what: 'buy' },
      { at: day(4), what: 'cancel' },
      { at: day(5), what: 'uncancel' },
      { at: day(6), what: 'extend', until: day(50) },
      { at: day(50), what: 'renew' },
      { at: day(60), what: 'refund' },
      { at: day(61), what: 'reverse_refund' },
      { at: day(70), what: 'transfer' },
    ];
    const { body } = await simulate({ product: MONTHLY, steps });
    const types = body.timeline.map((e: Json) => e.type);
    for (const type of ['EntitlementGranted', 'EntitlementGrantExpired', 'SubscriptionStarted', 'SubscriptionRenewed'])
      expect(types).to.include(type);
    expect(types).to.include.members(['SubscriptionExtended', 'TransactionRefundReversed', 'PurchaseTransferred']);
    expect(body.notes).to.deep.equal([]);
    const paused = [
      { at: day(0), what: 'buy' },
      { at: day(10), what: 'pause', resumesAt: day(40) },
      { at: day(40), what: 'resume' },
      { at: day(45), what: 'expire' },
    ];
    const second = (await simulate({ product: MONTHLY, steps: paused })).body;
    expect(second.timeline.map((e: Json) => e.type)).to.include.members(['SubscriptionPaused', 'SubscriptionExpired']);
  });

  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['an unknown product', { ...SCRIPT, product: 'none' }, /no product with this ID/],
    ['steps that are out of order', { ...SCRIPT, steps: [...SCRIPT.steps].reverse() }, /steps\[1\]\.at is before/],
    ['a renewal without a purchase', { ...SCRIPT, steps: [{ at: START, what: 'renew' }] }, /steps\[0\]: there is no/],
    ['a trial that the product does not have', { ...SCRIPT, steps: [{ at: START, what: 'trial' }] }, /no free trial/],
    ['a refund of nothing', { ...SCRIPT, steps: [{ at: START, what: 'refund' }] }, /no purchase to refund/],
    ['an unknown step', { ...SCRIPT, steps: [{ at: START, what: 'explode' }] }, /steps/],
    ['a price with too many decimals', { ...SCRIPT, price: { amount: 9.999, currency: 'USD' } }, /at most 2 decimals/],
    ['a price without currency', { ...SCRIPT, price: { amount: 9.99 } }, /currency/],
    ['no steps', { ...SCRIPT, steps: [] }, /steps/],
    [
      'a recovery without a failure',
      { ...SCRIPT, steps: [SCRIPT.steps[0], { at: RENEWED, what: 'recover' }] },
      /renew/,
    ],
  ];
  for (const [what, body, message] of refused) {
    it(`refuses ${what}`, async () => {
      const { status, body: answer } = await simulate(body);
      expect(status).to.equal(400);
      expect(answer.message).to.match(message);
    });
  }
});

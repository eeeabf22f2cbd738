// Experiments from draft to results, as a dashboard runs one and client SDKs take part in it.
import { expect } from 'chai';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('experiments', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  let experimentId: string;
  const variants = { a: '', b: '' };
  before(async () => {
    for (const lookupKey of ['standard', 'cheap']) await post('/offerings', { lookupKey, displayName: lookupKey });
  });

  const server = () => ({ key: slice.secretKey });
  const base = () => `/v1/projects/${slice.projectId}`;
  const post = (path: string, body: object) => harness.call('POST', `${base()}${path}`, body, server());
  const patch = (body: object) => harness.call('PATCH', `${base()}/experiments/${experimentId}`, body, server());
  const get = async () =>
    (await harness.call('GET', `${base()}/experiments/${experimentId}`, undefined, server())).body;
  const offered = async (who: string, key = slice.publicKey, headers = {}) =>
    harness.call('GET', `/v1/subscribers/${who}/offerings`, undefined, { key, headers });
  const enrolled = async () =>
    (await eventsOf(harness.service().services.deps.log)).filter((e) => e.type === 'ExperimentEnrolled');

  it('are made as drafts, with variants', async () => {
    const made = await post('/experiments', { name: 'Price' });
    expect(made.status).to.equal(201);
    experimentId = made.body.id;
    expect(made.body).to.deep.include({
      object: 'experiment',
      status: 'draft',
      enrollmentPercentage: 100,
      variants: [],
    });
    const first = await post(`/experiments/${experimentId}/variants`, { name: 'as is', offeringId: 'standard' });
    const second = await post(`/experiments/${experimentId}/variants`, { name: 'cheap', offeringId: 'cheap' });
    expect([first.status, first.body.isControl, second.body.isControl]).to.deep.equal([201, true, false]);
    [variants.a, variants.b] = [first.body.id, second.body.id];
    const { body } = await harness.call('GET', `${base()}/experiments`, undefined, server());
    expect(body.items.map((x: { id: string }) => x.id)).to.deep.equal([experimentId]);
  });

  it('refer to what the project has', async () => {
    expectRefusal(await post(`/experiments/${experimentId}/variants`, { name: 'x', offeringId: 'nothing' }), 400);
    expectRefusal(await post('/experiments', { name: 'x', audience: { appIds: ['app_x'] } }), 400);
    expectRefusal(await patch({ status: 'stopped' }), 409);
    expectRefusal(await patch({ colour: 'red' }), 400);
  });

  it('do not start with a variant that names an archived offering', async () => {
    await post('/offerings', { lookupKey: 'gone', displayName: 'Gone' });
    const { body } = await post('/experiments', { name: 'Of nothing' });
    for (const offeringId of ['standard', 'gone'])
      await post(`/experiments/${body.id}/variants`, { name: offeringId, offeringId });
    await harness.call('PATCH', `${base()}/offerings/gone`, { archived: true }, server());
    const start = () => harness.call('PATCH', `${base()}/experiments/${body.id}`, { status: 'running' }, server());
    expectRefusal(await start(), 409);
    await harness.call('DELETE', `${base()}/experiments/${body.id}`, undefined, server());
  });

  it('assign no variant before they start, nor to earlier customers', async () => {
    expect((await offered('early')).body.experiment).to.equal(null);
    clock.set(NOW + 1000);
    expect((await patch({ status: 'running' })).body).to.include({
      status: 'running',
      startedAt: '2026-11-20T10:00:01.000Z',
    });
    expect((await offered('early')).body.experiment).to.equal(null);
  });

  it('assign each new customer one permanent variant, as an event', async () => {
    clock.set(NOW + 2000);
    const seen = new Map<string, string>();
    for (let i = 0; i < 20; i++) {
      const { body } = await offered(`user-${i}`);
      expect(body.experiment.id).to.equal(experimentId);
      seen.set(`user-${i}`, body.experiment.variantId);
      const key = body.experiment.variantId === variants.a ? 'standard' : 'cheap';
      expect(body.currentOfferingId).to.equal(key);
    }
    expect(new Set(seen.values())).to.deep.equal(new Set([variants.a, variants.b]));
    for (const [who, variantId] of seen) expect((await offered(who)).body.experiment.variantId).to.equal(variantId);
    expect(await enrolled()).to.have.length(20);
    const { body } = await harness.call('GET', `${base()}/customers/user-0`, undefined, server());
    expect(body.experiments[0]).to.include({ experimentId, variantId: seen.get('user-0') });
  });

  it('assign one variant to a customer with concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => offered('hasty')));
    expect(new Set(responses.map((a) => a.body.experiment.variantId)).size).to.equal(1);
    expect(await enrolled()).to.have.length(21);
  });

  it('are not sent again to a client that has the offerings', async () => {
    const etag = (await offered('user-0')).headers.get('etag') ?? '';
    expect((await offered('user-0', slice.publicKey, { 'if-none-match': etag })).status).to.equal(304);
  });

  it('show what each variant brought', async () => {
    const purchase = (n: number) => ({
      transactionId: `990000${n}`,
      productId: MONTHLY,
      purchaseDate: clock.now(),
      expiresDate: clock.now() + 30 * DAY_MS,
      price: 9990,
      bundleId: BUNDLE_ID,
    });
    const buy = (who: string, n: number, environment: 'Production' | 'Sandbox') => {
      const receipt = store.signedTransaction({ ...purchase(n), environment });
      return harness.call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt }, server());
    };
    const of = async (variantId: string) => {
      const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => offered(`user-${i}`)));
      return responses.flatMap((a, i) => (a.body.experiment.variantId === variantId ? [`user-${i}`] : []));
    };
    const [one = '', two = ''] = await of(variants.b);
    const [third = ''] = await of(variants.a);
    await buy(one, 1, 'Production');
    await buy(two, 2, 'Production');
    await buy(third, 3, 'Sandbox');
    await harness.service().idle();
    const { results } = await get();
    const [control, cheap] = results;
    expect(control).to.include({
      isControl: true,
      initialConversions: 0,
      payingCustomers: 0,
      realizedLtvUsd: 0,
      mrr: 0,
    });
    expect(control.chanceToWin).to.equal(null);
    expect(cheap).to.include({
      initialConversions: 2,
      payingCustomers: 2,
      activeSubscribers: 2,
      churnedSubscribers: 0,
    });
    expect(cheap).to.include({
      realizedLtvUsd: 19.98,
      realizedLtvPerPayingCustomer: 9.99,
      mrr: 19.98,
      trialsStarted: 0,
    });
    expect(control.customers + cheap.customers).to.equal(21);
    expect(cheap.initialConversionRate).to.be.closeTo(2 / cheap.customers, 1e-9);
    expect(cheap.chanceToWin.conversionToPayingRate).to.equal(null);
    expect(cheap.primary.missing.customers).to.be.greaterThan(0);
    clock.set(NOW + 31 * DAY_MS);
    expect((await get()).results[1]).to.include({
      activeSubscribers: 0,
      churnedSubscribers: 2,
      mrr: 0,
      realizedLtvUsd: 19.98,
    });
  });

  it('cannot be changed or deleted while they run', async () => {
    expectRefusal(await patch({ name: 'x' }), 409);
    expectRefusal(await post(`/experiments/${experimentId}/variants`, { name: 'c', offeringId: 'cheap' }), 409);
    expectRefusal(await harness.call('DELETE', `${base()}/experiments/${experimentId}`, undefined, server()), 409);
  });

  it('enrol no new customers while paused, and keep the enrolled ones', async () => {
    await patch({ status: 'paused' });
    expect((await offered('late')).body.experiment).to.equal(null);
    expect((await offered('user-0')).body.experiment.id).to.equal(experimentId);
    await patch({ status: 'running' });
    expect((await offered('late')).body.experiment.id).to.equal(experimentId);
  });

  it('take in who shows a receipt before asking for offerings', async () => {
    const receipt = store.signedTransaction({
      transactionId: '9909001',
      productId: MONTHLY,
      purchaseDate: clock.now(),
      expiresDate: clock.now() + 30 * DAY_MS,
      price: 9990,
      bundleId: BUNDLE_ID,
      environment: 'Production',
    });
    const show = (who: string) =>
      harness.call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt }, server());
    expect((await show('buyer')).status).to.equal(200);
    const detail = async () => (await harness.call('GET', `${base()}/customers/buyer`, undefined, server())).body;
    const [enrolled] = (await detail()).experiments;
    expect(enrolled.experimentId).to.equal(experimentId);
    await show('buyer');
    expect((await detail()).experiments).to.have.length(1);
    expect((await offered('buyer')).body.experiment).to.deep.equal({ id: experimentId, variantId: enrolled.variantId });
  });

  it('are for their audience', async () => {
    await patch({ status: 'stopped', winnerVariantId: variants.b });
    expect((await offered('user-0')).body).to.deep.include({ experiment: null, currentOfferingId: 'standard' });
    const audience = { countries: ['DE'], minAppVersion: '2.0' };
    const { body } = await post('/experiments', { name: 'Germans', audience });
    for (const offeringId of ['standard', 'cheap'])
      await post(`/experiments/${body.id}/variants`, { name: 'v', offeringId });
    await harness.call('PATCH', `${base()}/experiments/${body.id}`, { status: 'running' }, server());
    clock.set(clock.now() + 1000);
    for (const [who, country, appVersion, isIn] of [
      ['greta', 'DE', '2.1', true],
      ['old-greta', 'DE', '1.9', false],
      ['marie', 'FR', '2.1', false],
    ] as const) {
      await harness.call('POST', `/v1/subscribers/${who}`, { country, appVersion }, { key: slice.publicKey });
      expect((await offered(who)).body.experiment !== null, who).to.equal(isIn);
    }
  });

  it('are gone once deleted', async () => {
    const path = `${base()}/experiments/${experimentId}`;
    expect((await harness.call('DELETE', path, undefined, server())).body).to.deep.equal({
      object: 'experiment',
      id: experimentId,
      deleted: true,
    });
    expectRefusal(await harness.call('GET', path, undefined, server()), 404);
    expectRefusal(await patch({ description: 'x' }), 404);
  });
});

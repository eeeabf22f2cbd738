// Verification of imported android purchases with a simulated android-store: by their token, and by their orders alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runVerification } from '../../../src/commands/imports/verify-lines.js';
import { findVerification, requestVerification } from '../../../src/commands/imports/verification-records.js';
import { eventsOf } from '../support/memory-deps.js';
import { createAndroidFixture, iso, month, ms, orderOf, tokenOf } from './android-fixture.js';
import { importRows } from './import-rows.js';

describe('a verification of imported android purchases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-orders-'));
  let fixture: Awaited<ReturnType<typeof createAndroidFixture>>;
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => fixture.close());

  const verify = async () => {
    const record = await requestVerification(fixture.deps, fixture.projectId);
    await runVerification(fixture.deps, record, new AbortController().signal);
    return findVerification(fixture.deps, fixture.projectId);
  };
  const classes = async () =>
    Object.fromEntries((await verify()).verdicts.map((one) => [[one.class, one.reason].join(' ').trim(), one.count]));
  const importAll = (...rows: readonly object[]) => importRows({ ...fixture, folder }, rows);

  for (const [how, row] of [
    ['its token', { purchaseToken: tokenOf(1) }],
    ['its order alone', {}],
  ] as const) {
    it(`agrees for a purchase that is known by ${how}, and counts it once`, async () => {
      fixture = await createAndroidFixture();
      fixture.show(1);
      await importAll(month(1, row));
      expect(await classes()).to.deep.equal({ agrees: 1 });
      const [customer] = await fixture.subscribers();
      expect(customer?.state.profile.spentMicros).to.equal(9_990_000);
    });
  }

  it('records a renewal that the store knew more, and agrees the next time', async () => {
    fixture = await createAndroidFixture();
    fixture.show(1);
    fixture.show(1, { orderId: `${orderOf(1)}..0`, expiryMs: ms(50) });
    await importAll(month(1));
    expect(await classes()).to.deep.equal({ store_knew_more: 1 });
    expect(await classes()).to.deep.equal({ agrees: 1 });
    const periods = (await eventsOf(fixture.deps.log)).filter(({ type }) =>
      /^Subscription(Started|Renewed)$/.test(type),
    );
    expect(periods.map(({ type, meta }) => [type, meta.actor.kind])).to.deep.equal([
      ['SubscriptionStarted', 'import'],
      ['SubscriptionRenewed', 'import'],
    ]);
  });

  it('names what the store contradicts', async () => {
    fixture = await createAndroidFixture();
    fixture.show(1);
    fixture.show(2);
    await importAll(month(1, { amountMicros: 8_000_000 }), month(2, { expiresAt: iso(15) }));
    expect(await classes()).to.deep.equal({ 'store_contradicts price': 1, 'store_contradicts access_end': 1 });
  });

  it('distinguishes purchases that the store deleted after their end from those that it should know', async () => {
    fixture = await createAndroidFixture();
    const past = { purchasedAt: iso(-200), expiresAt: iso(-170) };
    await importAll(month(1, past), month(2), month(3, { ...past, purchaseToken: tokenOf(3) }));
    expect(await classes()).to.deep.equal({ 'store_forgot ended_long_ago': 2, 'unknown_to_store not_found': 1 });
  });

  it('names those that it could not ask about: no credentials, no permission for orders, an order without a token', async () => {
    fixture = await createAndroidFixture(false);
    fixture.show(1);
    fixture.show(2);
    await importAll(month(1), month(2));
    expect(await classes()).to.deep.equal({ 'could_not_ask no_credentials': 2 });
    await fixture.register();
    fixture.store.setFailure(403, /orders/);
    expect(await classes()).to.deep.equal({ 'could_not_ask forbidden': 2 });
    expect(fixture.orderRequests().length, 'refused once for all').to.equal(1);
    fixture.store.setFailure(null);
    const { purchaseToken: _token, ...bare } = fixture.store.orders.get(orderOf(2)) ?? {};
    fixture.store.orders.set(orderOf(2), bare);
    expect(await classes()).to.deep.equal({ agrees: 1, 'could_not_ask no_token': 1 });
  });

  it('reads many orders with one request', async () => {
    fixture = await createAndroidFixture();
    for (let n = 1; n <= 20; n++) fixture.show(n);
    await importAll(...Array.from({ length: 20 }, (_, n) => month(n + 1)));
    expect(await classes()).to.deep.equal({ agrees: 20 });
    const batches = fixture.orderRequests().filter((path) => path.includes('batchGet'));
    expect(batches.length).to.be.within(1, 3);
  });

  it('halves a request that an unknown order spoils', async () => {
    fixture = await createAndroidFixture();
    for (let n = 1; n <= 8; n++) fixture.show(n, {}, n !== 3);
    await importAll(...Array.from({ length: 8 }, (_, n) => month(n + 1)));
    expect(await classes()).to.deep.equal({ agrees: 7, 'unknown_to_store not_found': 1 });
  });

  it('waits for a store that is unavailable for orders', async () => {
    fixture = await createAndroidFixture();
    fixture.show(1);
    fixture.show(2);
    await importAll(month(1), month(2));
    fixture.store.setFailure(503, /orders/);
    const { state, problem } = await verify();
    expect([state, problem?.split(';')[0]]).to.deep.equal(['failed', '127.0.0.1 responded with 503']);
    fixture.store.setFailure(null);
    expect(await classes()).to.deep.equal({ agrees: 2 });
  });
});

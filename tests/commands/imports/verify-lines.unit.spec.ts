// Verification of imported purchases with a simulated ios-store: each class of result, what is recorded, and a run that goes on.
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVerification } from '../../../src/commands/imports/verify-lines.js';
import {
  countUnexplained,
  findVerification,
  requestVerification,
} from '../../../src/commands/imports/verification-records.js';
import { eventsOf } from '../support/memory-deps.js';
import { MONTHLY } from '../support/store-data.js';
import { importRows as importAll } from './import-rows.js';
import { at, createStoreFixture, show, signed, type Bought, type StoreFixture } from '../stores/ios/store-fixture.js';

const day = (n: number) => new Date(at(n)).toISOString();
/** Enough for several batches of the log. */
const CUSTOMERS = 260;

type Row = Partial<Readonly<Record<string, unknown>>>;

/** A month that an export contains; `n` names its customer and its purchase. */
const month = (n: number, from: number, row: Row = {}) => ({
  type: 'purchase',
  appUserId: `customer-${n}`,
  store: 'ios-store',
  storeProductId: MONTHLY,
  transactionId: `${n}`,
  originalTransactionId: `${n}`,
  kind: 'normal',
  purchasedAt: day(from),
  expiresAt: day(from + 30),
  currency: 'USD',
  amountMicros: 9_990_000,
  ...row,
});
const charge = (n: number, from: number, fields: Partial<Bought> = {}): Bought => ({
  transactionId: `${n}`,
  originalTransactionId: `${n}`,
  currency: 'USD',
  day: from,
  ...fields,
});

describe('a verification of imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-spec-'));
  let fixture: StoreFixture;
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => fixture.close());

  const importRows = (...rows: readonly object[]) => importAll({ ...fixture, folder }, rows);
  const verify = async (signal = new AbortController().signal) => {
    const record = await requestVerification(fixture.deps, fixture.projectId);
    await runVerification(fixture.deps, record, signal);
    return findVerification(fixture.deps, fixture.projectId);
  };
  const classes = async () => {
    const { verdicts } = await verify();
    return Object.fromEntries(verdicts.map((one) => [[one.class, one.reason].join(' ').trim(), one.count]));
  };

  it('agrees where the store reports what was imported, and counts the purchase once', async () => {
    fixture = await createStoreFixture();
    await importRows(month(1, 0));
    show(fixture.production, [charge(1, 0)]);
    expect(await classes()).to.deep.equal({ agrees: 1 });
    expect(await fixture.holders('1')).to.deep.equal({ 'customer-1': ['1'] });
    const [spent] = (await fixture.subscribers()).map(({ state }) => state.profile.spentMicros);
    expect(spent).to.equal(9_990_000);
  });

  it('records what the store knew more, and agrees the next time', async () => {
    fixture = await createStoreFixture();
    await importRows(month(1, 0));
    show(fixture.production, [charge(1, 0), charge(1, 30, { transactionId: '1b' })]);
    expect(await classes()).to.deep.equal({ store_knew_more: 1 });
    expect(await fixture.holders('1')).to.deep.equal({ 'customer-1': ['1', '1b'] });
    expect(await classes()).to.deep.equal({ agrees: 1 });
  });

  it('names what the store contradicts', async () => {
    fixture = await createStoreFixture();
    await importRows(
      month(1, 0, { amountMicros: 8_000_000 }),
      month(2, 0, { expiresAt: day(60) }),
      month(3, 0),
      month(3, 30, { transactionId: '3b' }),
      month(4, 0, { refundedAt: day(2) }),
    );
    for (const n of [1, 2, 3, 4]) show(fixture.production, [charge(n, 0)]);
    const record = await verify();
    expect(record.verdicts.map((one) => [one.class, one.reason, one.count])).to.have.deep.members([
      ['store_contradicts', 'price', 1],
      ['store_contradicts', 'access_end', 1],
      ['store_contradicts', 'transaction', 1],
      ['store_contradicts', 'refund', 1],
    ]);
    expect(countUnexplained(record.verdicts)).to.equal(4);
    const customers = await fixture.subscribers();
    const [sample] = record.verdicts.find(({ reason }) => reason === 'price')?.customers ?? [];
    expect(customers.find(({ customerId }) => customerId === sample)?.state.profile.appUserId).to.equal('customer-1');
  });

  it('names purchases that the store does not know, and those of an app without credentials', async () => {
    fixture = await createStoreFixture({ key: 'sandbox' });
    await importRows(month(1, 0));
    expect(await classes()).to.deep.equal({ 'could_not_ask no_credentials': 1 });
    await fixture.register('both');
    expect(await classes()).to.deep.equal({ 'unknown_to_store not_found': 1 });
  });

  it('does not pace the purchases of an app without credentials, which need no request', async () => {
    fixture = await createStoreFixture({ key: 'sandbox' });
    await importRows(...Array.from({ length: 60 }, (_, n) => month(n + 1, 0)));
    const before = fixture.sleeps.length;
    expect(await classes()).to.deep.equal({ 'could_not_ask no_credentials': 60 });
    // Those that start together learn of it from their own result.
    expect(fixture.sleeps.length - before).to.be.below(17);
  });

  it('asks once about a purchase with several rows, and not about those that were not imported', async () => {
    fixture = await createStoreFixture();
    await importRows(month(1, 0), month(1, 30, { transactionId: '1b' }), month(1, 60, { transactionId: '1c' }));
    show(
      fixture.production,
      [0, 30, 60].map((n, i) => charge(1, n, { transactionId: ['1', '1b', '1c'][i] ?? '' })),
    );
    await fixture.present('live', signed(charge(9, 0)));
    expect(await classes()).to.deep.equal({ agrees: 1 });
  });

  it('continues where a stop interrupted it, and counts each purchase once', async () => {
    fixture = await createStoreFixture();
    await importRows(...Array.from({ length: CUSTOMERS }, (_, n) => month(n + 1, 0)));
    for (let n = 1; n <= CUSTOMERS; n++) show(fixture.production, [charge(n, 0)]);
    const stopping = new AbortController();
    let asked = 0;
    const { stores } = fixture.deps;
    const counted: typeof stores = {
      of: (kind) => ({
        ...stores.of(kind),
        refreshPurchase: (...about) => {
          if (++asked === CUSTOMERS - 5) stopping.abort(new Error('stopped'));
          return stores.of(kind).refreshPurchase(...about);
        },
      }),
    };
    const record = await requestVerification(fixture.deps, fixture.projectId);
    const deps = { ...fixture.deps, stores: counted };
    const cut = await runVerification(deps, record, stopping.signal).catch((err: Error) => err.message);
    expect(cut).to.equal('stopped');
    const { state, after: reached } = await findVerification(fixture.deps, fixture.projectId);
    expect([state, reached]).not.to.include(null);
    const askedBefore = asked;
    const again = await requestVerification(fixture.deps, fixture.projectId);
    await runVerification(deps, again, new AbortController().signal);
    const { verdicts } = await findVerification(fixture.deps, fixture.projectId);
    expect(verdicts.map((one) => [one.class, one.count])).to.deep.equal([['agrees', CUSTOMERS]]);
    expect(asked - askedBefore).to.be.below(CUSTOMERS);
  });

  it('waits for a store that is unavailable, ends if it stays so, and then continues', async () => {
    fixture = await createStoreFixture();
    await importRows(month(1, 0));
    show(fixture.production, [charge(1, 0)]);
    fixture.production.setFailure(503);
    const { state, problem } = await verify();
    expect([state, problem]).to.deep.equal([
      'failed',
      '127.0.0.1 responded with 503; the same command continues where the verification stopped',
    ]);
    expect(fixture.sleeps.filter((ms) => ms === 5000).length).to.equal(5);
    fixture.production.setFailure(null);
    expect(await classes()).to.deep.equal({ agrees: 1 });
  });

  it('paces its requests to the ios-store, and resumes after a refusal for too many', async () => {
    fixture = await createStoreFixture();
    const lineCount = 30;
    await importRows(...Array.from({ length: lineCount }, (_, n) => month(n + 1, 0)));
    for (let n = 1; n <= lineCount; n++) show(fixture.production, [charge(n, 0)]);
    const before = fixture.sleeps.length;
    expect(await classes()).to.deep.equal({ agrees: lineCount });
    const paced = fixture.sleeps.slice(before);
    expect(paced.length).to.be.greaterThan(lineCount / 2);
    expect(Math.max(...paced), 'of sixteen in progress, the last waits for the others').to.be.at.most(16 * 25);
    fixture.production.setFailure(429, undefined, 10);
    const { state } = await verify();
    expect(state).to.equal('failed');
    fixture.production.setFailure(null);
    expect(await classes()).to.deep.equal({ agrees: lineCount });
  });

  it('sends no webhooks for what it records', async () => {
    fixture = await createStoreFixture();
    await importRows(month(1, 0));
    show(fixture.production, [charge(1, 0), charge(1, 30, { transactionId: '1b' })]);
    await verify();
    const renewed = (await eventsOf(fixture.deps.log)).filter(({ type }) => type === 'SubscriptionRenewed');
    expect(renewed.map(({ meta }) => meta.actor.kind)).to.deep.equal(['import']);
  });
});

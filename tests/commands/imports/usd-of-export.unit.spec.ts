// The value in US dollars that an export states, of purchases that the store reports as well, before and after: a store states none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importCollection } from '../../../src/commands/imports/import-records.js';
import { runVerification } from '../../../src/commands/imports/verify-lines.js';
import { requestVerification } from '../../../src/commands/imports/verification-records.js';
import { resolveCustomer } from '../../../src/commands/subscribers/line-ownership.js';
import { loadSubscriber } from '../../../src/commands/subscribers/subscriber-states.js';
import { streams } from '../../../src/domain/streams.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { at, createStoreFixture, show, signed, type StoreFixture } from '../stores/ios/store-fixture.js';
import { MONTHLY } from '../support/store-data.js';
import { importRows } from './import-rows.js';

const NOW = 100;
const nobody = new AbortController().signal;

describe('the value in US dollars of an export', () => {
  const folder = mkdtempSync(join(tmpdir(), 'usd-spec-'));
  let fixture: StoreFixture;
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    fixture = await createStoreFixture();
    fixture.clock.set(isoFromMs(at(NOW)));
    await fixture.deps.docs.ensure([importCollection]);
  });
  afterEach(() => fixture.close());

  const period = (id: string, day: number, more: object = {}) => ({
    ...{ type: 'purchase', appUserId: 'ann', store: 'ios-store', storeProductId: MONTHLY, kind: 'normal' },
    ...{ transactionId: id, originalTransactionId: '1', currency: 'EUR', amountMicros: 9_990_000 },
    ...{ usdMicros: 11_000_000, taxRate: 0.08, commissionRate: 0.15 },
    ...{ purchasedAt: isoFromMs(at(day)), expiresAt: isoFromMs(at(day + 30)), ...more },
  });
  const failedAt = { billingIssueAt: isoFromMs(at(60)), graceExpiresAt: isoFromMs(at(66)) };
  const rows = () => [period('1', 0), period('2', 30, failedAt)];
  const charge = (id: string, day: number) => ({ transactionId: id, originalTransactionId: '1', currency: 'EUR', day });
  const verify = async () => {
    show(fixture.production, [charge('1', 0), charge('2', 30)]);
    await runVerification(fixture.deps, await requestVerification(fixture.deps, fixture.projectId), nobody);
  };
  const moneyOf = async () => {
    const { deps, projectId } = fixture;
    const { customerId } = await resolveCustomer(deps, projectId, 'ann');
    const { transactions } = (await loadSubscriber(deps, streams.subscriber(projectId, customerId))).state;
    return [...transactions.values()]
      .map(({ transactionId, money: { usdMicros, taxRate } }) => `${transactionId} ${usdMicros} ${taxRate}`)
      .toSorted();
  };
  const values = ['1 11000000 0.08', '2 11000000 0.08'];

  it('stays when the store is asked afterwards', async () => {
    await importRows({ ...fixture, folder }, rows());
    expect(await moneyOf()).to.deep.equal(values);
    await verify();
    expect(await moneyOf()).to.deep.equal(values);
  });

  it('is added to purchases that the store has reported before', async () => {
    await fixture.present('ann', signed(charge('1', 0)));
    await fixture.restore('ann', signed(charge('2', 30)));
    await importRows({ ...fixture, folder }, rows());
    expect(await moneyOf()).to.deep.equal(values);
  });

  it('counts for nothing where the store reports another price', async () => {
    await fixture.present('ann', signed({ ...charge('1', 0), price: 8990 }));
    await importRows({ ...fixture, folder }, [period('1', 0)]);
    expect(await moneyOf()).to.deep.equal(['1 null 0']);
  });
});

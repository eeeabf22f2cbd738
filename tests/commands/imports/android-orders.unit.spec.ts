// Purchases of the android-store that a device names by a token, and a file by an order alone: before the import and after it they are one
// purchase, and its money counts once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runVerification } from '../../../src/commands/imports/verify-lines.js';
import { findVerification, requestVerification } from '../../../src/commands/imports/verification-records.js';
import { money } from '../../../simulator/android-store/payloads.js';
import {
  BASE_PLAN,
  createAndroidFixture,
  forgetOrders,
  iso,
  month,
  ms,
  orderOf,
  PRO,
  tokenOf,
} from './android-fixture.js';
import { importRows } from './import-rows.js';

const COINS = 'coins_100';
const anonymous = `$anon:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;

describe('a purchase of the android-store that a file knows by its order alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'android-orders-'));
  let fixture: Awaited<ReturnType<typeof createAndroidFixture>>;
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => void (fixture = await createAndroidFixture()));
  afterEach(() => fixture.close());

  const bought = { kind: 'one_time', storeProductId: COINS, expiresAt: null };
  const kinds = {
    subscription: { row: month(1), storeProductId: `${PRO}:${BASE_PLAN}`, show: () => fixture.show(1) },
    'one-time purchase': {
      row: month(1, bought),
      storeProductId: COINS,
      show: () => {
        const [orderId, total] = [orderOf(1), money(9990)];
        const resource = { purchaseState: 0, purchaseTimeMillis: String(ms(-10)), orderId, regionCode: 'US' };
        fixture.store.products.set(tokenOf(1), {
          productId: COINS,
          resource: { ...resource, acknowledgementState: 1 },
        });
        const lineItems = [{ productId: COINS, total }];
        fixture.store.orders.set(orderId, {
          orderId,
          purchaseToken: tokenOf(1),
          createTime: iso(-10),
          total,
          lineItems,
        });
      },
    },
  } as const;
  const present = (appUserId: string, storeProductId: string) => {
    const { deps, by, projectId, app } = fixture;
    const receipt = { projectId, app, appUserId, receipt: tokenOf(1), storeProductId, isRestore: false };
    return deps.stores.of('android-store').submitReceipt(deps, by(), { ...receipt, offeringId: null, claimed: null });
  };
  /** Owner, money and transactions of each customer who has some. */
  const found = async () =>
    (await fixture.subscribers())
      .filter(({ state }) => state.profile.mergedInto === null && state.transactions.size > 0)
      .map(({ state }) => [state.profile.appUserId, state.profile.spentMicros, [...state.transactions.keys()]]);
  const once = [['customer-1', 9_990_000, [orderOf(1)]]];

  it('is one subscription with the token that an earlier version read, if the file has only a later order', async () => {
    kinds.subscription.show();
    await present('customer-1', kinds.subscription.storeProductId);
    await forgetOrders(fixture);
    const renewal = { transactionId: `${orderOf(1)}..0`, purchasedAt: iso(20), expiresAt: iso(50) };
    await importRows({ ...fixture, folder }, [month(1, renewal)]);
    expect(await found()).to.deep.equal([['customer-1', 19_980_000, [orderOf(1), `${orderOf(1)}..0`]]]);
    const [customer] = await fixture.subscribers();
    expect(customer?.state.profile.subscriptions.map(({ purchase }) => purchase.storeChainId)).to.deep.equal([
      tokenOf(1),
    ]);
  });

  for (const [kind, { row, storeProductId, show }] of Object.entries(kinds)) {
    it(`is one ${kind} with the token that a device has presented before`, async () => {
      show();
      await present('customer-1', storeProductId);
      await importRows({ ...fixture, folder }, [row]);
      expect(await found()).to.deep.equal(once);
    });

    it(`is one ${kind} with the token that an earlier version read, which noted no orders`, async () => {
      show();
      await present(anonymous, storeProductId);
      await forgetOrders(fixture);
      await importRows({ ...fixture, folder }, [row]);
      expect(await found()).to.deep.equal(once);
      await present('customer-1', storeProductId);
      expect(await found()).to.deep.equal(once);
    });

    it(`is one ${kind} with the token that a device presents afterwards, also of another name`, async () => {
      show();
      await importRows({ ...fixture, folder }, [row]);
      await present('customer-1', storeProductId);
      await present('customer-1', storeProductId);
      expect(await found()).to.deep.equal(once);
      await present('customer-2', storeProductId);
      expect((await found()).map(([, , transactions]) => transactions)).to.deep.equal([[orderOf(1)]]);
    });

    it(`is one ${kind} with the token of an anonymous device, whose buyer the file names`, async () => {
      show();
      await present(anonymous, storeProductId);
      await importRows({ ...fixture, folder }, [row]);
      expect(await found()).to.deep.equal(once);
    });

    it(`can be verified as a ${kind}: the store names its token`, async () => {
      show();
      await importRows({ ...fixture, folder }, [row]);
      const record = await requestVerification(fixture.deps, fixture.projectId);
      await runVerification(fixture.deps, record, new AbortController().signal);
      const { verdicts } = await findVerification(fixture.deps, fixture.projectId);
      expect(verdicts.map((one) => one.class)).to.deep.equal(['agrees']);
      expect(await found()).to.deep.equal(once);
    });

    for (const shows of [true, false])
      it(`loses its money as a ${kind} by a refund in the store's list, ${shows ? 'with' : 'without'} what the store shows of it`, async () => {
        await importRows({ ...fixture, folder }, [row]);
        if (shows) show();
        fixture.store.voided.push({
          ...{ purchaseToken: tokenOf(1), orderId: orderOf(1) },
          voidedTimeMillis: String(ms(-1)),
        });
        const { deps, projectId, app } = fixture;
        const work = { kind: 'sweep', sinceMs: ms(-20), seen: [] };
        for (let n = 0; n < 2; n++) await deps.stores.of('android-store').runTask(deps, { projectId, app }, work);
        expect(await found()).to.deep.equal([['customer-1', 0, [orderOf(1)]]]);
      });
  }
});

// Random devices with StoreKit 1 and its queue of purchases, as the SDK empties it: each purchase is posted with the receipt of the moment, in
// any order, while the store fails in between. A purchase is finished after a success that lists it if it must be listed, and never presented
// again. `APP_RECEIPTS` sets how many receipts are posted at least (60), `SEED` which. In the end everything in the receipts is recorded once, for its
// buyer, and what they spent is what the store charged.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { createRandom } from '../../../simulator/random.js';
import { appReceipt } from '../../adapters/ios-store/app-receipts.js';
import { customerId } from '../../../src/domain/ids.js';
import { streams } from '../../../src/domain/streams.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { load } from '../../../src/commands/handling/run-command.js';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';
import { sdkClient } from './setup.js';

const RECEIPTS = Number(process.env['APP_RECEIPTS'] ?? 60);
const SEED = process.env['SEED'] ?? '7';
const DAY_MS = 86_400_000;
const MAX_POSTS_OF_DEVICE = 200;

type Purchase = {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly productId: string;
  readonly type: 'Auto-Renewable Subscription' | 'Consumable' | 'Non-Consumable';
  readonly purchaseDate: number;
  readonly price: number;
  readonly isShared: boolean;
  readonly refundedAt: number | null;
};
/** `presented`: transactions in receipts that were accepted. */
type Device = {
  readonly appUserId: string;
  readonly purchases: readonly Purchase[];
  readonly queue: Purchase[];
  readonly presented: Set<string>;
};

describe(`${RECEIPTS} random receipts of StoreKit 1 (seed ${SEED})`, function () {
  this.timeout(Math.max(120_000, RECEIPTS * 2000));
  const random = createRandom(`app receipts ${SEED}`);
  let simulated: SimulatedIosStore;
  const settings: Record<string, string> = { COMPAT_PORT: '0', RATE_LIMITS: 'off' };
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    Object.assign(settings, simulated.settings);
  });
  const { harness, slice, as } = setUpService(settings);
  const sdk = sdkClient(harness, () => slice.publicKey);
  after(() => simulated.close());

  let drawn = 400_000_000;
  const now = Date.now();

  function createDevice(n: number): Device {
    const purchases: Purchase[] = [];
    const size = random.pick([
      [random.whole(1, 5), 6],
      [random.whole(6, 30), 3],
      [random.whole(31, 200), 1],
    ]);
    while (purchases.length < size) {
      const months = random.pick([
        [0, 2],
        [random.whole(1, Math.min(60, size)), 3],
      ]);
      const shared = { isShared: random.chance(0.15), price: random.whole(1, 20) * 1000 };
      const originalTransactionId = `${drawn}`;
      if (months === 0) {
        const purchaseDate = now - random.whole(1, 900) * DAY_MS;
        const isLifetime = random.chance(0.3);
        purchases.push({
          ...shared,
          ...{
            transactionId: `${drawn++}`,
            originalTransactionId,
            purchaseDate,
            refundedAt: refundAfter(purchaseDate),
          },
          type: isLifetime ? 'Non-Consumable' : 'Consumable',
          productId: isLifetime ? `lifetime.${random.whole(1, 2)}` : 'coins',
          isShared: isLifetime && shared.isShared,
        });
        continue;
      }
      for (let month = months; month > 0 && purchases.length < size; month--) {
        const purchaseDate = now - month * 30 * DAY_MS + DAY_MS;
        purchases.push({
          ...shared,
          ...{
            transactionId: `${drawn++}`,
            originalTransactionId,
            purchaseDate,
            refundedAt: refundAfter(purchaseDate),
          },
          type: 'Auto-Renewable Subscription',
          productId: MONTHLY,
        });
      }
    }
    const queue = purchases.filter((p) => p.type === 'Consumable' || random.chance(0.1));
    return {
      ...{ appUserId: `buyer-${n}`, purchases, presented: new Set() },
      queue: queue.length > 0 ? queue : purchases.slice(-1),
    };
  }

  const refundAfter = (purchaseDate: number) => (random.chance(0.1) ? purchaseDate + 3600_000 : null);

  const signed = (p: Purchase) =>
    store.signedTransaction({
      ...{ bundleId: BUNDLE_ID, environment: 'Production', currency: 'USD', signedDate: now },
      ...{ transactionId: p.transactionId, originalTransactionId: p.originalTransactionId },
      ...{ productId: p.productId, type: p.type, purchaseDate: p.purchaseDate, price: p.price },
      ...(p.type === 'Auto-Renewable Subscription' && { expiresDate: p.purchaseDate + 30 * DAY_MS }),
      ...(p.isShared && { inAppOwnershipType: 'FAMILY_SHARED' as const }),
      ...(p.refundedAt !== null && { revocationDate: p.refundedAt, revocationReason: 0 as const }),
    });
  const receiptOf = (purchases: readonly Purchase[]) =>
    signAppReceipt(
      appReceipt(
        BUNDLE_ID,
        purchases.map((p) => ({
          ...{ transactionId: p.transactionId, originalTransactionId: p.originalTransactionId, productId: p.productId },
          purchasedAt: new Date(p.purchaseDate).toISOString().replace(/\.\d+Z/, 'Z'),
          ...(p.type === 'Auto-Renewable Subscription' && { webOrderLineItemId: `7${p.transactionId}` }),
        })),
      ),
    );

  const recordedOf = async (appUserId: string) => {
    const { log, hash } = harness.service().services.deps;
    const stream = streams.subscriber(slice.projectId, customerId(hash, slice.projectId, appUserId));
    return (await load(log, stream, subscriberDecider)).state;
  };

  /** The store fails from the beginning, or after it has answered some requests. */
  const disturbStore = () => {
    const isDisturbed = random.chance(0.35);
    if (isDisturbed)
      simulated.setFailure(
        random.pick([
          [500, 3],
          [429, 2],
          [401, 1],
        ]),
        undefined,
        random.whole(0, 4),
      );
    else simulated.setFailure(null);
  };

  async function postOne({ appUserId, purchases, queue, presented }: Device, p: Purchase): Promise<void> {
    const isNewer = random.chance(0.7);
    // A receipt lists everything up to the time it was made: one without the purchase is older, and has nothing that is newer.
    const older = purchases.filter((other) => other.purchaseDate < p.purchaseDate);
    const isStale = random.chance(0.1) && older.length > 0;
    const contained = isStale ? older : purchases;
    disturbStore();
    const { status, body } = await sdk('POST', '/v1/receipts', {
      ...{ app_user_id: appUserId, fetch_token: await receiptOf(contained), product_id: p.productId },
      ...(isNewer && { transaction_id: p.transactionId }),
      ...{ initiation_source: 'queue', is_restore: false, price: `${p.price / 1000}`, currency: 'USD' },
    });
    expect([200, 503], JSON.stringify(body)).to.include(status);
    if (status !== 200) return;
    for (const { transactionId } of contained) presented.add(transactionId);
    const isListed = (body.subscriber.non_subscriptions[p.productId] ?? []).some(
      (one: { store_transaction_id: string }) => one.store_transaction_id === p.transactionId,
    );
    if (p.type === 'Consumable' && !isListed) return;
    // An old SDK with a receipt from before the purchase: the store’s word about the product is all there is.
    const { transactions } = await recordedOf(appUserId);
    expect(transactions.has(p.transactionId), `${p.transactionId} finished unrecorded (seed ${SEED})`).to.equal(true);
    queue.splice(queue.indexOf(p), 1);
  }

  it('are recorded once each, and none is finished before it is recorded', async () => {
    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
    const { status } = await harness.call(
      'POST',
      path,
      { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() },
      as,
    );
    expect(status).to.be.below(300);
    let posted = 0;
    for (let n = 0; posted < RECEIPTS; n++) {
      const device = createDevice(n);
      const transactions = device.purchases.map(signed);
      for (const { transactionId } of device.purchases)
        simulated.chains.set(transactionId, { transactions, renewal: undefined, status: 1 });
      const most = posted + MAX_POSTS_OF_DEVICE;
      for (; device.queue.length > 0 && posted < most; posted++) {
        const next = device.queue[random.whole(0, device.queue.length - 1)];
        if (next) await postOne(device, next);
      }
      expect(device.queue.length, `purchases that are never finished (buyer ${n}, seed ${SEED})`).to.equal(0);
      const { transactions: recorded, profile } = await recordedOf(device.appUserId);
      expect([...recorded.keys()], `buyer ${n}, seed ${SEED}`).to.include.members([...device.presented]);
      const bought = device.purchases.filter((p) => recorded.has(p.transactionId));
      expect(bought.length, `recorded once each (buyer ${n})`).to.equal(recorded.size);
      const paid = bought.filter((p) => !p.isShared && p.refundedAt === null);
      expect(profile.spentMicros, `buyer ${n}`).to.equal(paid.reduce((sum, p) => sum + p.price * 1000, 0));
      simulated.chains.clear();
    }
  });
});

// The page "How it works": the notification that it follows is sent here, and every JSON example of the page is part of what comes of it.
import { expect } from 'chai';
import type { StreamName } from '../../src/domain/envelope.js';
import { streams } from '../../src/domain/streams.js';
import { startReceiver } from '../adapters/outbound/receiver.js';
import { setUpProject, startHarness, store, type Harness, type Json } from '../http/support/harness.js';
import { createManualClock } from '../http/support/manual-clock.js';
import { blocksOf } from './markdown.js';

const PAGE = 'docs/how-it-works.md';
const BUNDLE_ID = 'com.example.stargazer';
const PRODUCT = 'com.example.stargazer.pro.month';
const CHAIN = '200000000000001';
const STARTED = Date.parse('2026-10-27T18:07:39.926Z');
const RENEWED = Date.parse('2026-11-26T18:07:38.926Z');
const ENDS = Date.parse('2026-12-26T18:07:38.926Z');
const shared = { bundleId: BUNDLE_ID, environment: 'Production' } as const;

/** Values that differ between runs, with the kind that must be the same. */
const VOLATILE: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['instant', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['id', /^[a-z]+(-[a-z]+)?_[0-9a-z]{26}(_[0-9a-z]{26})?$/],
  ['stream', /^(inbox|subscriber)-[a-z]+_[0-9a-z]{26}_[0-9a-z]{26}$/],
];

/** Fails where the example contains a field or an item that the real value does not have. */
function expectPart(example: Json, real: Json, path: string): void {
  if (Array.isArray(example)) {
    expect(real, path).to.be.an('array');
    for (const [i, item] of example.entries()) expectPart(item, real[i], `${path}[${i}]`);
  } else if (typeof example === 'object' && example !== null) {
    expect(real, path).to.be.an('object');
    for (const [name, value] of Object.entries(example)) expectPart(value, real[name], `${path}.${name}`);
  } else {
    const kind = VOLATILE.find(([, shape]) => typeof example === 'string' && shape.test(example));
    if (kind) expect(real, `${path}: ${kind[0]}`).to.match(kind[1]);
    else expect(real, path).to.equal(example);
  }
}

describe(PAGE, () => {
  const clock = createManualClock(RENEWED + 1_000);
  let harness: Harness;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const real: Record<string, Json> = {};

  const transaction = (id: string, purchaseDate: number, expiresDate: number) => ({
    ...shared,
    transactionId: id,
    originalTransactionId: CHAIN,
    originalPurchaseDate: STARTED,
    productId: PRODUCT,
    purchaseDate,
    expiresDate,
    price: 9990,
    currency: 'USD',
    storefront: 'USA',
    signedDate: purchaseDate,
  });

  before(async () => {
    harness = await startHarness({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' }, clock.runtime);
    receiver = await startReceiver((res) => void res.writeHead(200).end());
    const { projectId, token, secretKey } = await setUpProject(harness);
    const base = `/v1/projects/${projectId}`;
    const as = { token };
    const call = async (method: string, path: string, body?: unknown, by: object = as): Promise<Json> => {
      const response = await harness.call(method, path, body, by);
      expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).to.be.below(300);
      return response.body;
    };
    const app = await call('POST', `${base}/apps`, { name: 'Stargazer', platform: 'ios', bundleId: BUNDLE_ID });
    const fields = {
      appId: app.id,
      storeProductId: PRODUCT,
      displayName: 'Pro',
      type: 'subscription',
      duration: 'P1M',
    };
    const product = await call('POST', `${base}/products`, fields);
    await call('POST', `${base}/entitlements/pro/products`, { productIds: [product.id] });
    await call('POST', `${base}/webhooks`, { url: `${receiver.url}/subscriptions` });
    const receipt = store.signedTransaction(transaction(CHAIN, STARTED, RENEWED));
    await call(
      'POST',
      '/v1/subscribers/alice/receipts',
      { store: 'ios-store', appId: app.id, receipt },
      { key: secretKey },
    );
    await harness.service().idle();

    const body = store.signedNotification({
      ...shared,
      notificationType: 'DID_RENEW',
      notificationUUID: '0b6d9a52-6f0c-4c1f-9a55-2f1de5a1c001',
      signedDate: RENEWED + 1_000,
      transaction: transaction('200000000000002', RENEWED, ENDS),
      renewal: { originalTransactionId: CHAIN, productId: PRODUCT, autoRenewStatus: 1, renewalDate: ENDS },
    });
    clock.set(RENEWED + 5_000);
    await call('POST', new URL(app.notificationUrl).pathname, body);
    await harness.service().idle();

    const { items } = await call('GET', `${base}/notifications`);
    real['notification'] = (await call('GET', `${base}/notifications/${items[0].id}`)).words.signedPayload;
    real['customer'] = await call('GET', `${base}/customers/alice`);
    const { log } = harness.service().services.deps;
    const ofAlice = `subscriber-${projectId}_${real['customer'].id.slice('cus_'.length)}` as StreamName;
    for (const stream of [streams.inboxOf(items[0].id), ofAlice]) {
      for await (const event of log.read(stream)) real[event.type] = event;
    }
    real['command'] = JSON.parse(real['SubscriptionRenewed'].meta.update.commands)[0];
    real['subscriber'] = await call('GET', '/v1/subscribers/alice', undefined, { key: secretKey });
    real['access'] = await call('GET', `${base}/customers/alice/access?entitlement=pro`);
    real['webhook'] = receiver.seen
      .map((seen) => JSON.parse(seen.body.toString()))
      .find((b) => b.event.type === 'RENEWAL');
  });
  after(async () => {
    await harness.stop();
    await receiver.stop();
  });

  const examples = blocksOf(PAGE).filter(({ info }) => info.startsWith('json'));

  it('follows the notification through eight examples', () => expect(examples).to.have.length(8));

  for (const { info, text, line } of examples) {
    const name = info.slice('json '.length);
    it(`shows at line ${line} what the service makes of it: ${name}`, () =>
      expectPart(JSON.parse(text), real[name], name));
  }
});

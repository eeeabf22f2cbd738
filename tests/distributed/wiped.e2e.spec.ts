// MongoDB has lost the read models and all that passes; the records are there, as after a restore from their backup. Starting the service
// builds everything again, equal, and sends nothing.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { movedCollections } from '../../src/cli/moving/moving.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type Slice,
} from '../http/support/harness.js';
import { ownEngine, skipped } from './servers.js';

const engine = ownEngine();

if (engine['MONGODB_URL'] === undefined) skipped('MongoDB wiped', 'TEST_EVENTSTORE_URL and TEST_MONGODB_URL');
else describe('MongoDB wiped', wiped);

function wiped(this: Mocha.Suite): void {
  this.timeout(120_000);
  const url = engine['MONGODB_URL'] ?? '';
  const env = { ...engine, EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
  const received: string[] = [];
  const receiver = createServer((req, res) => {
    received.push(String(req.headers['webhook-id']));
    req.resume().on('end', () => res.end());
  });
  let slice: Slice;

  before(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  after(() => receiver.close());

  const as = () => ({ key: slice.secretKey });
  const base = () => `/v1/projects/${slice.projectId}`;
  const buy = async ({ call }: Harness, transactionId: string) => {
    const now = Date.now();
    const transaction = {
      transactionId,
      productId: MONTHLY,
      purchaseDate: now,
      expiresDate: now + 86_400_000,
      price: 9990,
      currency: 'USD',
    };
    const renewal = { originalTransactionId: transactionId, productId: MONTHLY };
    const body = notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction, renewal });
    expect((await call('POST', slice.notificationPath, body)).status).to.equal(200);
  };
  const seenIn = async ({ call, service }: Harness) => {
    await service().idle();
    const customers = await call('GET', `${base()}/customers`, undefined, as());
    const details = [];
    for (const { id } of customers.body.items) {
      details.push((await call('GET', `${base()}/customers/${id}`, undefined, as())).body);
      details.push((await call('GET', `${base()}/customers/${id}/timeline`, undefined, as())).body);
    }
    const products = await call('GET', `${base()}/products`, undefined, as());
    return { customers: customers.body, details, products: products.body };
  };
  const wipe = async (): Promise<number> => {
    const client = new MongoClient(url);
    const kept = new Set(movedCollections.map(({ name }) => name));
    const collections = await client.db().collections();
    const lost = collections.filter(({ collectionName }) => !kept.has(collectionName));
    for (const collection of lost) await collection.drop();
    await client.close();
    return lost.length;
  };

  it('is made whole by starting the service: the same responses, nothing sent again, and what is new is sent', async () => {
    const before = await startHarness(env);
    slice = await setUpProject(before);
    const { port } = receiver.address() as AddressInfo;
    const made = await before.call('POST', `${base()}/webhooks`, { url: `http://127.0.0.1:${port}/in` }, as());
    expect(made.status).to.equal(201);
    for (let i = 0; i < 5; i++) await buy(before, `82000${i}`);
    const seen = await seenIn(before);
    await before.stop();
    const sent = received.length;
    expect(sent).to.be.greaterThan(0);
    expect(await wipe()).to.be.greaterThan(20);

    const after = await startHarness(env);
    expect(await seenIn(after)).to.deep.equal(seen);
    await buy(after, '829999');
    await after.service().idle();
    await after.stop();
    expect(new Set(received).size).to.equal(received.length);
    expect(received.length).to.be.greaterThan(sent);
  });
}

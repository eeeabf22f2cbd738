// A whole service whose documents are on MongoDB (a stand-in) and lose their connections again and again, with and without the effect of
// what was asked: nobody is answered 500, nothing is taken for poison, and all that was acknowledged is shown and sent, once.
import { expect } from 'chai';
import { startMongoStandIn, type Fail, type MongoStandIn } from '../../adapters/documents/mongodb-stand-in/server.js';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type HttpResponse,
  type Harness,
  type Slice,
} from '../support/harness.js';

const DAY_MS = 86_400_000;
const PURCHASES = 12;
const ONE_IN = 19;
const CUTS = 12;

describe('MongoDB whose connections are cut under load', function () {
  this.timeout(120_000);
  let server: MongoStandIn;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let harness: Harness;
  let slice: Slice;
  const lines: string[] = [];
  const email = 'cut@example.com';
  const password = 'correct horse battery';

  before(async () => {
    server = await startMongoStandIn();
    receiver = await startReceiver((res) => {
      res.writeHead(200).end();
      if (arrived().size === PURCHASES) onAll();
    });
    const logged = { write: (line: string) => lines.push(line) };
    const egress = { EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
    const secrets = {
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      JWT_SECRET: 'a secret that only the tests know of',
    };
    const env = { MONGODB_URL: server.url, ...secrets, LOG_LEVEL: 'warn', ...egress };
    harness = await startHarness(env, {}, logged);
    slice = await setUpProject(harness);
    await harness.call('POST', '/auth/register', { email, password });
    const hook = { url: `${receiver.url}/hook`, eventTypes: ['INITIAL_PURCHASE'] };
    const created = await harness.call('POST', `/v1/projects/${slice.projectId}/webhooks`, hook, as());
    expect(created.status).to.equal(201);
  });
  after(async () => {
    server.fail = null;
    await harness.stop();
    await receiver.stop();
    await server.close();
  });

  const as = () => ({ key: slice.secretKey });
  let onAll = () => {};
  const allArrived = new Promise<void>((resolve) => (onAll = resolve));
  const arrived = () =>
    new Set(receiver.seen.map(({ body }) => String(JSON.parse(body.toString()).event.transactionId)));
  /** The connection of one command in so many, all others with it. */
  const cutting = (): { readonly fail: Fail; readonly cuts: () => number } => {
    let [commands, cuts] = [0, 0];
    const fail: Fail = () => {
      if (cuts === CUTS || ++commands % ONE_IN !== 0) return 'answer';
      if (cuts++ % 3 === 2) setImmediate(() => server.cut());
      return cuts % 2 === 0 ? 'cut-after' : 'cut-before';
    };
    return { fail, cuts: () => cuts };
  };
  /** Again until it is no 503, as a client does. */
  const untilAnswered = async (ask: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    for (;;) {
      const response = await ask();
      expect(response.status, JSON.stringify(response.body)).to.be.oneOf([200, 201, 503]);
      if (response.status !== 503) return response;
      expect(Number(response.headers.get('retry-after'))).to.be.greaterThan(0);
    }
  };
  const buy = (n: number) => {
    const at = Date.now() - DAY_MS + n * 1000;
    const ids = { transactionId: `77${n}`, originalTransactionId: `77${n}`, productId: MONTHLY };
    const transaction = { ...ids, purchaseDate: at, expiresDate: at + 30 * DAY_MS, price: 9990 };
    const body = notification({ notificationType: 'SUBSCRIBED', signedDate: at, transaction });
    return untilAnswered(() => harness.call('POST', slice.notificationPath, body));
  };

  it('answers 503 at most, parks nothing, and shows and sends all that was acknowledged', async () => {
    const { fail, cuts } = cutting();
    server.fail = fail;
    const login = () => untilAnswered(() => harness.call('POST', '/auth/login', { email, password }));
    const write = (n: number) => {
      const attributes = { attributes: { color: `blue ${n}` } };
      return untilAnswered(() => harness.call('POST', `/v1/subscribers/cut-${n}/attributes`, attributes, as()));
    };
    const read = (n: number) => untilAnswered(() => harness.call('GET', `/v1/subscribers/cut-${n}`, undefined, as()));
    const bought = Promise.all(Array.from({ length: PURCHASES }, (_, n) => buy(n)));
    for (let n = 0; cuts() < CUTS; n++) await Promise.all([login(), write(n), read(n)]);
    await bought;
    server.fail = null;
    await harness.service().idle();
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.filter(({ msg }) => msg === 'event parked')).to.deep.equal([]);
    for (let n = 0; n < PURCHASES; n++) {
      const path = `/v1/projects/${slice.projectId}/customers?search=77${n}`;
      expect((await harness.call('GET', path, undefined, as())).body.items, `purchase ${n}`).to.have.length(1);
    }
    await allArrived;
  });
});

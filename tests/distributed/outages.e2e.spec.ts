// The servers go away under a running service, closed or frozen, and come back: what is answered meanwhile, how soon, and that all goes on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { aboutSubscription, pushBody, subscriptionResource } from '../../simulator/android-store/payloads.js';
import { startAndroidStore, type SimulatedAndroidStore } from '../../simulator/android-store/server.js';
import { start, type Running } from '../e2e/process.js';
import { signPurchases, type SignedPurchases } from '../e2e/signed-purchases.js';
import { caller, setUpProject, type HttpResponse, type Call, type Slice } from '../http/support/harness.js';
import { startProxy, type Proxy } from './proxy.js';
import { ownEngine, skipped } from './servers.js';

const engine = ownEngine();
const PACKAGE = 'com.example.outages';
const AT_ONCE_MS = 1000;
const FIRST_MS = 3500;
const FIRST_OF_DOCUMENTS_MS = 2500;
const RESUMED_MS = 5000;
/** Longer than a lease is held without being renewed. */
const LONG_MS = 13_000;
const SHORT_MS = 3000;

if (engine['MONGODB_URL'] === undefined) skipped('outages', 'TEST_EVENTSTORE_URL and TEST_MONGODB_URL');
else describe('servers that go away', outages);

/** The URL with a proxy in front of its server. */
async function behindProxy(text: string): Promise<{ readonly proxy: Proxy; readonly url: string }> {
  const [, scheme = '', host = '', port = '', rest = ''] = /^(\w+):\/\/([^:/]+):(\d+)(.*)$/.exec(text) ?? [];
  const proxy = await startProxy(host, Number(port));
  const direct = scheme === 'mongodb' ? `${rest}${rest.includes('?') ? '&' : '?'}directConnection=true` : rest;
  return { proxy, url: `${scheme}://127.0.0.1:${proxy.port}${direct}` };
}

function outages(this: Mocha.Suite): void {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-outages-'));
  let log: Proxy;
  let documents: Proxy;
  let service: Running;
  /** Ends what has begun, also when the rest could not. */
  const ends: (() => Promise<unknown>)[] = [];
  let call: Call;
  let slice: Slice;
  let purchases: SignedPurchases;
  let bought = 0;
  let androidStore: SimulatedAndroidStore;
  let pushPath: string;
  let pushed = 0;

  before(async () => {
    purchases = await signPurchases();
    const rootPem = join(directory, 'root.pem');
    writeFileSync(rootPem, purchases.rootPem);
    const [l, d] = [await behindProxy(engine['EVENTSTORE_URL'] ?? ''), await behindProxy(engine['MONGODB_URL'] ?? '')];
    [log, documents] = [l.proxy, d.proxy];
    ends.push(
      () => log.goDown(),
      () => documents.goDown(),
    );
    const urls = { EVENTSTORE_URL: l.url, MONGODB_URL: d.url };
    androidStore = await startAndroidStore(PACKAGE);
    ends.push(() => androidStore.close());
    const stores = { IOS_STORE_ROOT_CERTIFICATES: rootPem, ...androidStore.settings };
    const env = { ...engine, ...urls, PORT: '0', RATE_LIMITS: 'off', ...stores };
    service = await start(env);
    ends.unshift(() => service.kill());
    call = caller(() => service.url);
    slice = await setUpProject({ call });
    await setUpAndroid();
    expect((await buy()).status).to.equal(200);
    expect((await push(pushed++)).status).to.equal(200);
    expect((await write('known')).status).to.equal(200);
  });
  after(async () => {
    for (const end of ends) await end();
    rmSync(directory, { recursive: true, force: true });
  });

  afterEach(async () => void (await Promise.all([log, documents].map((proxy) => proxy.comeBack()))));

  const as = () => ({ key: slice.secretKey });
  const write = (id: string) =>
    call('POST', `/v1/subscribers/${id}/attributes`, { attributes: { color: 'blue' } }, as());
  const read = () => call('GET', '/v1/subscribers/known', undefined, as());
  const idOf = (n: number) => `9100${n}`;
  const buy = () => {
    const transactionId = idOf(bought++);
    const body = purchases.notification(transactionId);
    return call('POST', slice.notificationPath, body);
  };
  const setUpAndroid = async () => {
    const base = `/v1/projects/${slice.projectId}/apps`;
    const app = await call('POST', base, { name: 'Android', platform: 'android', packageName: PACKAGE }, as());
    pushPath = new URL(app.body.notificationUrl).pathname;
    const credentials = { serviceAccountJson: androidStore.identity.keyFile() };
    const registered = await call('POST', `${base}/${app.body.id}/credentials/android-store`, credentials, as());
    expect(registered.status).to.equal(201);
  };
  const tokenOf = (n: number) => `outage-${n}`;
  /** The same message each time for the same `n`, as its store repeats it. */
  const push = (n: number) => {
    const now = Date.now();
    const times = { startMs: now, expiryMs: now + 86_400_000 };
    const bought = subscriptionResource({ productId: 'pro', orderId: `GPA.${n}`, ...times });
    androidStore.subscriptions.set(tokenOf(n), bought);
    const kind = aboutSubscription('PURCHASED', tokenOf(n));
    return call('POST', pushPath, pushBody({ packageName: PACKAGE, atMs: now, messageId: `outage-${n}`, kind }));
  };
  const isShown = (n: number): Promise<boolean> => isFound(idOf(n));
  const isFound = async (transactionId: string): Promise<boolean> => {
    const path = `/v1/projects/${slice.projectId}/customers?search=${transactionId}`;
    const response = await call('GET', path, undefined, as());
    return response.status === 200 && response.body.items.length === 1;
  };
  const timed = async (ask: () => Promise<HttpResponse>) => {
    const from = Date.now();
    const response = await ask();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ms: Date.now() - from };
  };
  /** Refused as documented, the first within its limit and all later ones at once. */
  const expectRefused = async (ask: () => Promise<HttpResponse>, firstMs: number) => {
    const first = await timed(ask);
    const later = [await timed(ask), ...(await Promise.all(Array.from({ length: 5 }, () => timed(ask))))];
    for (const { status, retryAfter } of [first, ...later]) {
      expect(status).to.equal(503);
      expect(Number(retryAfter)).to.be.greaterThan(0);
    }
    expect(first.ms, 'the first').to.be.at.most(firstMs);
    expect(Math.max(...later.map(({ ms }) => ms)), 'later ones').to.be.at.most(AT_ONCE_MS);
  };
  const until = async (what: string, from: number, isSo: () => Promise<boolean>) => {
    while (!(await isSo())) {
      expect(Date.now() - from, what).to.be.at.most(RESUMED_MS);
      await pause(50);
    }
    expect(Date.now() - from, what).to.be.at.most(RESUMED_MS);
  };
  const expectAlive = async () => {
    expect(service.child.exitCode).to.equal(null);
    expect((await call('GET', '/livez')).status).to.equal(200);
  };

  for (const [how, firstMs, takeAway] of [
    ['down', AT_ONCE_MS, (proxy: Proxy) => proxy.goDown()],
    ['frozen', FIRST_MS, (proxy: Proxy) => proxy.freeze()],
  ] as const) {
    it(`answers reads and rejects writes in time while the log is ${how}, and continues by itself`, async () => {
      await takeAway(log);
      await expectRefused(() => write('known'), firstMs);
      await expectRefused(buy, AT_ONCE_MS);
      const message = pushed++;
      await expectRefused(() => push(message), AT_ONCE_MS);
      const answered = await timed(read);
      expect(answered.status).to.equal(200);
      expect(answered.ms).to.be.at.most(AT_ONCE_MS);
      await pause(SHORT_MS);
      await expectAlive();
      await log.comeBack();
      const from = Date.now();
      await until('a write', from, async () => (await write('known')).status === 200);
      await until('a notification', from, async () => (await buy()).status === 200);
      await until('a push message that was refused before', from, async () => (await push(message)).status === 200);
      const last = bought - 1;
      await until('the purchase in the read models', from, () => isShown(last));
      await until('the android purchase in the read models', from, () => isFound(tokenOf(message)));
    });

    it(`takes the stores' notifications while MongoDB is ${how}, refuses the rest in time, and recovers by itself`, async () => {
      await takeAway(documents);
      await expectRefused(read, FIRST_OF_DOCUMENTS_MS);
      await expectRefused(() => write('known'), AT_ONCE_MS);
      const first = bought;
      for (let i = 0; i < 3; i++) {
        const { status, ms } = await timed(buy);
        expect(status).to.equal(200);
        expect(ms).to.be.at.most(AT_ONCE_MS);
      }
      const message = pushed++;
      const taken = await timed(() => push(message));
      expect(taken.status).to.equal(200);
      expect(taken.ms).to.be.at.most(AT_ONCE_MS);
      await pause(LONG_MS);
      expect((await buy()).status).to.equal(200);
      await expectAlive();
      await documents.comeBack();
      const from = Date.now();
      await until('a read', from, async () => (await read()).status === 200);
      for (let n = first; n < bought; n++) await until('the purchases in the read models', from, () => isShown(n));
      await until('the android purchase in the read models', from, () => isFound(tokenOf(message)));
    });
  }
}

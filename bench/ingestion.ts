// Store notifications per second that the compiled service verifies, keeps and answers, next to verifying them and nothing else; and
// how far behind the inbox and the read models are when the last answer has left. The sender shares the machine with the service.
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIosSignedData } from '../src/adapters/ios-store/signed-data.js';
import { openForReading } from '../src/adapters/sqlite/database.js';
import { collectionOf } from '../src/projections/projection.js';
import { transactions } from '../src/projections/transactions.js';
import { createCertificateAuthority } from '../src/simulator/ios-store/certificate-authority.js';
import { storePayloads, type StorePayloads } from '../src/simulator/ios-store/payloads.js';
import { median, rate, type BenchRow } from './bench.js';
import { serveService } from './processes.js';

const IN_FLIGHT = 64;
const ROUNDS = 5;
const CATCH_UP_LIMIT_MS = 120_000;
const BUNDLE = 'com.example.app';
const PRODUCT = 'com.example.app.pro.month';
const DAY_MS = 86_400_000;

type Round = {
  readonly verified: number;
  readonly ingested: number;
  readonly inboxMs: number;
  readonly viewsMs: number;
};

export async function benchIngestion(short: boolean): Promise<BenchRow[]> {
  const customers = short ? 400 : 1500;
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const authority = await createCertificateAuthority();
  const rootFile = join(directory, 'root.pem');
  writeFileSync(rootFile, authority.rootPem);
  const dataDir = join(directory, 'data');
  const service = await serveService(dataDir, {
    MASTER_KEY: randomBytes(32).toString('base64'),
    IOS_STORE_ROOT_CERTIFICATES: rootFile,
  });
  try {
    const target = await setUp(service.url);
    const roots = [new X509Certificate(authority.rootPem).raw];
    const verifier = createIosSignedData({ roots, onlineChecks: false, now: () => Date.now() });
    const store = storePayloads(authority.sign);
    const rounds: Round[] = [];
    // One more to warm up.
    for (let round = 0; round <= ROUNDS; round++) {
      const signed = notifications(store, round * customers, customers);
      const verified = await rate(async () => {
        for (const payload of signed) await verifier.verifyNotification(payload);
        return signed.length;
      });
      const bodies = signed.map((signedPayload) => Buffer.from(JSON.stringify({ signedPayload })));
      const ingested = await rate(() => sendAll(target, bodies));
      const lag = await catchUp(dataDir, (round + 1) * signed.length);
      if (round > 0) rounds.push({ verified, ingested, ...lag });
    }
    const of = (pick: (round: Round) => number) => median(rounds.map(pick));
    return [
      { name: 'ios-store notifications verified alone, one thread', value: of((r) => r.verified), unit: '/s' },
      { name: 'ios-store notifications ingested, 64 in flight', value: of((r) => r.ingested), unit: '/s' },
      { name: 'ingested : verified alone', value: of((r) => r.ingested / r.verified), unit: 'ratio' },
      { name: `inbox done after the last of ${customers * 2} answers`, value: of((r) => r.inboxMs), unit: 'ms' },
      { name: 'read models current after the last of them', value: of((r) => r.viewsMs), unit: 'ms' },
      {
        name: 'ingested and worked off, from the first request to the read models',
        value: of((r) => (customers * 2) / ((customers * 2) / r.ingested + r.viewsMs / 1000)),
        unit: '/s',
      },
    ];
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A purchase by each customer, then a renewal by each: two distinct, signed payloads per customer. */
function notifications(store: StorePayloads, first: number, customers: number): string[] {
  const start = Date.now() - 40 * DAY_MS;
  const payload = (i: number, period: number): string => {
    const chain = String(2_000_000_000_000 + i);
    const purchaseDate = start + period * 30 * DAY_MS;
    const transaction = {
      transactionId: period === 0 ? chain : String(3_000_000_000_000 + i),
      originalTransactionId: chain,
      productId: PRODUCT,
      purchaseDate,
      originalPurchaseDate: start,
      expiresDate: purchaseDate + 30 * DAY_MS,
      price: 9990,
      currency: 'USD',
      storefront: 'USA',
      transactionReason: period === 0 ? ('PURCHASE' as const) : ('RENEWAL' as const),
    };
    return store.signedNotification({
      notificationType: period === 0 ? 'SUBSCRIBED' : 'DID_RENEW',
      ...(period === 0 && { subtype: 'INITIAL_BUY' }),
      bundleId: BUNDLE,
      environment: 'Production',
      signedDate: purchaseDate,
      transaction,
      renewal: { originalTransactionId: chain, productId: PRODUCT },
    }).signedPayload;
  };
  return [0, 1].flatMap((period) => Array.from({ length: customers }, (_, i) => payload(first + i, period)));
}

/** A user, a project, an app and its product, over HTTP; the address that the store is told. */
async function setUp(url: string): Promise<URL> {
  let token = '';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    return answer;
  };
  const user = { email: 'bench@example.com', password: 'correct horse battery' };
  token = String((await post('/auth/register', user))['accessToken']);
  const project = await post('/v1/projects', { name: 'Bench' });
  const base = `/v1/projects/${String(project['id'])}`;
  const app = await post(`${base}/apps`, { name: 'iOS', platform: 'ios', bundleId: BUNDLE });
  const product = { appId: app['id'], storeProductId: PRODUCT, displayName: 'Pro' };
  await post(`${base}/products`, { ...product, type: 'subscription', duration: 'P1M' });
  return new URL(new URL(String(app['notificationUrl'])).pathname, url);
}

/** Resolves with their number when all are answered with 200. */
async function sendAll(target: URL, bodies: readonly Buffer[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  let next = 0;
  const caller = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) await sendOne(target, body, agent);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  agent.destroy();
  return bodies.length;
}

function sendOne(target: URL, body: Buffer, agent: Agent): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(target, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`a notification was answered with ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Milliseconds until each notification has its outcome in the log, and each transaction its document. */
async function catchUp(dataDir: string, sent: number): Promise<Pick<Round, 'inboxMs' | 'viewsMs'>> {
  const start = performance.now();
  const log = openForReading(join(dataDir, 'log.sqlite'));
  const documents = openForReading(join(dataDir, 'documents.sqlite'));
  // A notification is two events of its inbox stream: received, and what became of it.
  const outcomes = log.prepare("SELECT count(*) / 2 AS count FROM events WHERE family = 'inbox'");
  const table = collectionOf({ projection: transactions, generation: 1 });
  const shown = documents.prepare(`SELECT count(*) AS count FROM "${table}"`);
  const reached = async (done: () => boolean): Promise<number> => {
    while (!done()) {
      if (performance.now() - start > CATCH_UP_LIMIT_MS) throw new Error('the service does not catch up');
      await sleep(10);
    }
    return performance.now() - start;
  };
  try {
    const inboxMs = await reached(() => outcomes.get().count >= sent);
    const viewsMs = await reached(() => shown.get().count >= sent);
    return { inboxMs, viewsMs };
  } finally {
    log.close();
    documents.close();
  }
}

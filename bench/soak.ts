// Soak test of the compiled service with the load of a month's end on several projects, for SOAK_MINUTES: notifications, as many people who
// open the app, lists, charts, live feed readers and a webhook receiver. Compares the last quarter with the second: memory, handles,
// timers, files per notification, p99 of responses; and checks that webhooks keep up.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request as send, Agent } from 'undici';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../simulator/ios-store/payloads.js';
import { quantile } from './bench.js';
import { type CreatedApp, logIn, createApp, createAppOfUser, signedNotifications } from './notifications.js';
import { serveReceiver, serveService } from './processes.js';
import { ownMemoryOf } from './service-observer.js';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 5);
const SAMPLES = 40;
const NOTIFICATIONS_PER_SECOND = Number(process.env['SOAK_RATE'] ?? 40);
const PROJECTS = 4;
/** Number of people per project; one of them opens the app for each notification. */
const PEOPLE = 2500;
/** Notifications per request for a list of customers, and per chart. */
const PAGE_INTERVAL = 20;
const LIVE_READERS = 10;
/** Customers whose notifications are signed together; small, because signing blocks the reading of responses. */
const BATCH = 2;
/** Limits of the ratio of the last quarter to the second. Heap and memory include the customers added in between. */
const LIMITS = { heapMb: 1.5, memoryMb: 1.5, handles: 1.1, timers: 1.2, bytesPerNotification: 1.2, p99Ms: 2 } as const;

/** Limit of webhooks that have not arrived, in seconds of load; twice the value of the second quarter is also allowed. */
const MAX_LAG_SECONDS = 10;

type Measure = keyof typeof LIMITS;
type Sample = Readonly<Record<Measure | 'webhooksBehind', number>> & { readonly notifications: number };

const directory = mkdtempSync(join(tmpdir(), 'subledger-soak-'));
const dataDir = join(directory, 'data');
const probe = join(directory, 'probe');
const rootFile = join(directory, 'root.pem');
const { sign, rootPem } = await createCertificateAuthority();
writeFileSync(rootFile, rootPem);
const receiver = await serveReceiver(0);
const service = await serveService(dataDir, {
  MASTER_KEY: randomBytes(32).toString('base64'),
  IOS_STORE_ROOT_CERTIFICATES: rootFile,
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  SOAK_PROBE: probe,
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('./soak-probe.js', import.meta.url))}`,
});
const agent = new Agent({ connections: 32 });
const first = await createApp(service.url);
const apps = [first];
while (apps.length < PROJECTS) apps.push(await createAppOfUser(service.url, first.token));
let { token } = first;
let latencies: number[] = [];
let notifications = 0;
let acknowledged = 0;
let failures = 0;

try {
  for (const app of apps) await sendRequest('POST', `${baseOf(app)}/webhooks`, { url: `${receiver.url}/hooks` });
  const ended = new AbortController();
  const readers = Array.from({ length: LIVE_READERS }, (_, i) => readLiveFeed(appOf(i), ended.signal));
  const loading = Promise.all([generateLoad(ended.signal), ...readers]);
  const samples: Sample[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    await Promise.race([loading, sleep((MINUTES * 60_000) / SAMPLES)]);
    samples.push(await sample());
    token = await logIn(service.url);
    const parts = Object.entries(samples.at(-1) ?? {}).map(([name, value]) => `${name} ${round(value)}`);
    process.stderr.write(`${String(n + 1).padStart(2)}/${SAMPLES} ${parts.join(', ')}\n`);
  }
  ended.abort();
  await loading;
  process.exitCode = report(samples) ? 0 : 1;
} finally {
  await service.stop();
  await receiver.stop();
  await agent.close();
  rmSync(directory, { recursive: true, force: true });
}

function baseOf({ projectId }: CreatedApp): string {
  return `/v1/projects/${projectId}`;
}

/** Returns the app for a number, in rotation. */
function appOf(n: number): CreatedApp {
  return apps[n % PROJECTS] ?? first;
}

async function sendRequest(method: 'GET' | 'POST', path: string, body?: object | string, key?: string): Promise<void> {
  const as = key === undefined ? { authorization: `Bearer ${token}` } : { 'x-api-key': key };
  const headers = { ...as, 'content-type': 'application/json' };
  const from = performance.now();
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const response = await send(`${service.url}${path}`, { method, dispatcher: agent, headers, body: text ?? null });
  await response.body.dump({ limit: 2 ** 30 });
  latencies.push(performance.now() - from);
  if (response.statusCode >= 300) failures++;
}

/** Sends requests at a steady rate, regardless of response times, and resolves when all have ended. */
async function generateLoad(signal: AbortSignal): Promise<void> {
  const store = storePayloads(sign);
  const underWay = new Set<Promise<void>>();
  const begin = (work: Promise<void>) => {
    const one = work.catch(() => void failures++).finally(() => underWay.delete(one));
    underWay.add(one);
  };
  const from = performance.now();
  for (let batch = 0; !signal.aborted; batch++) {
    const { target, publicKey } = appOf(batch);
    for (const signedPayload of signedNotifications(store, batch * BATCH, BATCH)) {
      if (signal.aborted) break;
      begin(sendRequest('POST', target.pathname, { signedPayload }).then(() => void acknowledged++));
      begin(sendRequest('GET', `/v1/subscribers/soak-${Math.floor(batch / PROJECTS) % PEOPLE}`, undefined, publicKey));
      const base = baseOf(appOf(Math.floor(notifications / PAGE_INTERVAL)));
      if (++notifications % PAGE_INTERVAL === 0) begin(sendRequest('GET', `${base}/metrics/charts/mrr`));
      if (notifications % PAGE_INTERVAL === 1) begin(sendRequest('GET', `${base}/metrics/overview`));
      if (notifications % PAGE_INTERVAL === 2) begin(sendRequest('GET', `${base}/customers?limit=20`));
      await sleep(Math.max(0, from + (notifications * 1000) / NOTIFICATIONS_PER_SECOND - performance.now()));
    }
  }
  await Promise.all(underWay);
}

/** Reads the live feed with random disconnects. */
async function readLiveFeed(app: CreatedApp, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const headers = { authorization: `Bearer ${token}` };
    const one = AbortSignal.any([signal, AbortSignal.timeout(5000 + Math.floor(Math.random() * 20_000))]);
    try {
      const response = await fetch(`${service.url}${baseOf(app)}/live`, { headers, signal: one });
      if (!response.ok) throw new Error(`the live feed returned ${response.status}: ${await response.text()}`);
      for await (const _ of response.body ?? []);
    } catch (err) {
      if (!one.aborted) throw err;
    }
  }
}

async function sample(): Promise<Sample> {
  const before = existsSync(probe) ? readFileSync(probe, 'utf8').length : 0;
  process.kill(service.pid, 'SIGUSR2');
  let text = '';
  while (!(text = existsSync(probe) ? readFileSync(probe, 'utf8').slice(before) : '').endsWith('\n')) await sleep(20);
  const { heapMb, timers } = JSON.parse(text) as { heapMb: number; timers: number };
  const received = Number(await (await fetch(`${receiver.url}/received`)).text());
  const latencyBatch = latencies;
  latencies = [];
  const bytes = readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
  return {
    heapMb,
    memoryMb: ownMemoryOf(service.pid),
    handles: readdirSync(`/proc/${service.pid}/fd`).length,
    timers,
    bytesPerNotification: bytes / notifications,
    p99Ms: quantile(latencyBatch, 0.99),
    webhooksBehind: acknowledged - received,
    notifications,
  };
}

/** Returns false if a ratio exceeds its limit or a request failed. */
function report(samples: readonly Sample[]): boolean {
  const quarter = SAMPLES / 4;
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const mediansOf = (name: Measure | 'webhooksBehind') => {
    const [before, after] = [second, last].map((of) =>
      quantile(
        of.map((s) => s[name]),
        0.5,
      ),
    ) as [number, number];
    return { before, after };
  };
  const rows = (Object.entries(LIMITS) as [Measure, number][]).map(([name, most]) => {
    const { before, after } = mediansOf(name);
    const ratio = after / before;
    return {
      name: `${name}, growth`,
      before: round(before),
      after: round(after),
      is: round(ratio),
      most,
      held: ratio <= most,
    };
  });
  const { before, after } = mediansOf('webhooksBehind');
  const most = Math.max(MAX_LAG_SECONDS * NOTIFICATIONS_PER_SECOND, 2 * before);
  rows.push({ name: 'webhooks behind', before, after, is: after, most, held: after <= most });
  console.table(rows);
  console.log(`${notifications} notifications in ${MINUTES} minutes, ${failures} failed requests`);
  return rows.every(({ held }) => held) && failures === 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

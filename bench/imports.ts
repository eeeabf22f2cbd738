// Benchmark of an import of a vendor's export into a running service: rates of the check and of the run, memory, lag of the read models at
// the end, and how much slower live requests are beside it.
import { deepStrictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../simulator/ios-store/payloads.js';
import { atLeast, atMost, quantile, type BenchRow } from './bench.js';
import { oneCore } from './cores.js';
import { createApp, signedNotifications, type CreatedApp } from './notifications.js';
import { serveService } from './processes.js';
import { cpuMsOf, observeService, ownMemoryOf } from './service-observer.js';

const MIN_ROWS_PER_S = 10_000;
const MAX_MIB = 512;
const MAX_SLOWDOWN = 2;
const PERIODS = 10;
const DAY_MS = 86_400_000;
const MEASURED_CORE = 0;
const READ_SUBSCRIBERS = 200;
/** Time between two live requests. A fixed pace shows a stall that a client which waits for responses would hide. */
const LIVE_PAUSE_MS = 20;
const POLL_MS = 100;

type LiveTimes = { readonly reads: number; readonly notifications: number };
type Rig = { readonly app: CreatedApp; readonly url: string; readonly pid: number; readonly messages: string[] };

export async function benchImports(short: boolean): Promise<BenchRow[]> {
  const rows = short ? 20_000 : 1_000_000;
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const { sign, rootPem } = await createCertificateAuthority();
  const rootFile = join(directory, 'root.pem');
  writeFileSync(rootFile, rootPem);
  const env = {
    MASTER_KEY: randomBytes(32).toString('base64'),
    IOS_STORE_ROOT_CERTIFICATES: rootFile,
    IMPORT_MAX_MB: '4096',
  };
  const dataDir = join(directory, 'data');
  const service = await serveService(dataDir, env, MEASURED_CORE);
  const observer = observeService(dataDir);
  try {
    const file = join(directory, 'transactions.csv');
    await writeExport(file, rows);
    const app = await createApp(service.url);
    const messages = signedNotifications(storePayloads(sign), 0, short ? 500 : 20_000);
    return await measure({ app, url: service.url, pid: service.pid, messages }, file, rows, short, observer.catchUp);
  } finally {
    observer.close();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  rig: Rig,
  file: string,
  rows: number,
  short: boolean,
  catchUp: ReturnType<typeof observeService>['catchUp'],
): Promise<BenchRow[]> {
  await liveWhile(rig, () => sleep(1000)); // The first requests compile code.
  const alone = await liveWhile(rig, () => sleep(short ? 3000 : 30_000));
  const memory = watchMemory(rig.pid);
  const uploaded = await upload(rig, file);
  const check = await timed(() => settled(rig, uploaded));
  const checkMiB = memory.peak();
  const digest = check.result.report?.digest ?? '';
  let run = { ms: 0, cpuMs: 0, doneAt: 0 };
  const beside = await liveWhile(rig, async () => {
    const before = cpuMsOf(rig.pid);
    const { ms, result } = await timed(async () => {
      await request(rig, `/imports/${uploaded}/confirm`, { method: 'POST', body: JSON.stringify({ digest }) });
      return settled(rig, uploaded);
    });
    run = { ms, cpuMs: cpuMsOf(rig.pid) - before, doneAt: Date.now() };
    deepStrictEqual(result.report?.events, check.result.report?.events);
  });
  const { readModelsAt } = await catchUp(0);
  const mib = memory.stop();
  const size = `${rows.toLocaleString('en')} rows`;
  const slowdown = (name: string, key: keyof LiveTimes) => [
    { name: `p99 of ${name} without an import`, value: alone[key], unit: 'ms' },
    { name: `p99 of ${name} beside it`, value: beside[key], unit: 'ms' },
    atMost(`p99 of ${name}, beside : without`, beside[key] / alone[key], MAX_SLOWDOWN, 'ratio'),
  ];
  return [
    { name: `rows checked, ${size}, ${oneCore}`, value: (rows / check.ms) * 1000, unit: '/s' },
    atLeast(`rows recorded, ${size}, ${oneCore}`, (rows / run.ms) * 1000, MIN_ROWS_PER_S, '/s'),
    { name: 'processor time per row recorded, with live requests', value: (run.cpuMs / rows) * 1000, unit: 'us' },
    { name: 'own memory before the import', value: memory.first, unit: 'MiB' },
    { name: 'own memory of the service during the check, maximum', value: checkMiB, unit: 'MiB' },
    atMost('own memory of the service, maximum', mib, MAX_MIB, 'MiB'),
    { name: 'read models current after the end of the run', value: Math.max(0, readModelsAt - run.doneAt), unit: 'ms' },
    ...slowdown('GET subscriber', 'reads'),
    ...slowdown('ios-store notifications', 'notifications'),
  ];
}

const COLUMNS =
  'rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,platform,store,product_identifier,start_time,end_time,' +
  'is_auto_renewable,is_trial_period,purchase_price_in_usd,purchase_price_in_purchased_currency,purchased_currency,' +
  'tax_percentage,commission_percentage,store_transaction_id,original_store_transaction_id,refunded_at,' +
  'unsubscribe_detected_at,billing_issues_detected_at,renewal_number,is_sandbox,custom_subscriber_attributes,updated_at';

/** Writes an export with customers of {@link PERIODS} monthly periods each. Every twentieth customer has a refund, every fifth opted out. */
async function writeExport(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${COLUMNS}\n`);
  const begin = Date.now() - (PERIODS - 0.5) * 30 * DAY_MS;
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  for (let i = 0; i < rows; i += PERIODS) {
    const customer = i / PERIODS;
    let text = '';
    for (let period = 0; period < PERIODS && i + period < rows; period++) {
      const start = begin + period * 30 * DAY_MS;
      const isLast = period === PERIODS - 1;
      const refundedAt = customer % 20 === 0 && period === 3 ? time(start + 2 * DAY_MS) : '';
      const unsubscribedAt = customer % 5 === 0 && isLast ? time(start + DAY_MS) : '';
      const name = `moved-${customer}`;
      text +=
        `${name},${name},US,ios,app_store,com.example.app.pro.month,${time(start)},${time(start + 30 * DAY_MS)},` +
        `true,false,9.99,9.99,USD,0.08,0.3,${5_000_000_000 + i + period},${5_000_000_000 + i},${refundedAt},` +
        `${unsubscribedAt},,${period + 1},false,"{""team"":{""value"":""blue"",""updated_at_ms"":1700000000000}}",${time(start)}\n`;
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

type Report = { readonly digest: string; readonly events: Readonly<Record<string, number>> };
type Import = { readonly state: string; readonly problem: string | null; readonly report: Report | null };

async function request({ app, url }: Rig, path: string, o: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/projects/${app.projectId}${path}`, { headers, ...o });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

async function upload(rig: Rig, path: string): Promise<string> {
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const options = { method: 'POST', body, duplex: 'half' } as RequestInit;
  return ((await request(rig, '/imports?fileName=transactions.csv', options)) as { id: string }).id;
}

/** Waits for the end of a check or a run. Throws if it failed. */
async function settled(rig: Rig, importId: string): Promise<Import> {
  for (;;) {
    const found = (await request(rig, `/imports/${importId}`)) as Import;
    if (found.state === 'failed') throw new Error(found.problem ?? 'the import failed');
    if (found.state !== 'waiting' && found.state !== 'running') return found;
    await sleep(POLL_MS);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

/** Sends reads and notifications in turn at a fixed pace during `work`. Returns the p99 of their response times in ms. */
async function liveWhile({ app, url, messages }: Rig, work: () => Promise<unknown>): Promise<LiveTimes> {
  const times = { reads: [] as number[], notifications: [] as number[] };
  const pending = new Set<Promise<void>>();
  const send = async (kind: keyof LiveTimes, path: string | URL, o: RequestInit) => {
    const { result, ms } = await timed(async () => {
      const response = await fetch(path, o);
      await response.arrayBuffer();
      return response.status;
    });
    if (result !== 200 && result !== 201) throw new Error(`${String(path)} returned ${result}`);
    times[kind].push(ms);
  };
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const json = { 'content-type': 'application/json' };
  for (let n = 0; !isDone; n++) {
    const signedPayload = n % 2 === 0 ? messages.shift() : undefined;
    const sent =
      signedPayload === undefined
        ? send('reads', `${url}/v1/subscribers/live-${n % READ_SUBSCRIBERS}`, {
            headers: { 'x-api-key': app.publicKey },
          })
        : send('notifications', app.target, { method: 'POST', headers: json, body: JSON.stringify({ signedPayload }) });
    pending.add(sent);
    void sent.finally(() => pending.delete(sent)).catch(() => undefined);
    await sleep(LIVE_PAUSE_MS);
  }
  await Promise.all([working, ...pending]);
  return { reads: quantile(times.reads, 0.99), notifications: quantile(times.notifications, 0.99) };
}

function watchMemory(pid: number) {
  const first = ownMemoryOf(pid);
  let most = first;
  const look = () => (most = Math.max(most, ownMemoryOf(pid)));
  const timer = setInterval(look, POLL_MS);
  const stop = () => {
    clearInterval(timer);
    return look();
  };
  return { first, peak: () => look(), stop };
}

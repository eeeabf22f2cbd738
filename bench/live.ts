// Benchmark of the time from a store notification to its line in the live feed, with fifty readers and two hundred notifications per
// second.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../simulator/ios-store/payloads.js';
import { atMost, quantile, type BenchRow } from './bench.js';
import { createApp, signedNotifications } from './notifications.js';
import { serveService } from './processes.js';
import { cpuMsOf } from './service-observer.js';

const READERS = 50;
/** Number of readers that parse the lines; parsing in all fifty would cost this process more than the service. */
const TIMED_READERS = 5;
const PER_SECOND = 200;
const MAX_MS = 200;
/** Wait for the last lines. */
const LAST_LINES_MS = 2000;

export async function benchLive(short: boolean): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  try {
    const { sign, rootPem } = await createCertificateAuthority();
    const rootFile = join(directory, 'root.pem');
    writeFileSync(rootFile, rootPem);
    const bodies = signedNotifications(storePayloads(sign), 0, ((short ? 5 : 30) * PER_SECOND) / 2);
    const env = { MASTER_KEY: randomBytes(32).toString('base64'), IOS_STORE_ROOT_CERTIFICATES: rootFile };
    // Both are measured in the same run, so that other load affects them alike.
    const one = await measure(join(directory, 'one'), env, bodies, 1);
    const many = await measure(join(directory, 'many'), env, bodies, READERS);
    const at = `${READERS} readers, ${Math.round(many.perSecond)} notifications/s`;
    const p99 = ({ received }: Measurement) => quantile(received, 0.99);
    return [
      { name: `notification to its line, ${at}, median`, value: quantile(many.received, 0.5), unit: 'ms' },
      atMost(`notification to its line, ${at}, p99`, p99(many), MAX_MS, 'ms'),
      { name: `${READERS} readers : one reader, p99`, value: p99(many) / p99(one), unit: 'ratio' },
      {
        name: `its line : its response to the sender, p99`,
        value: p99(many) / quantile(many.answered, 0.99),
        unit: 'ratio',
      },
      { name: `notification to the line of its event, ${at}, p99`, value: quantile(many.event, 0.99), unit: 'ms' },
      { name: `cores of the service, ${READERS} readers`, value: many.cores, unit: '' },
      { name: `cores of the service, one reader`, value: one.cores, unit: '' },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Milliseconds from the receipt to the line of the notification, to the line of a resulting event, and to the response. */
type Measurement = Pick<SendResult, 'perSecond' | 'answered'> & {
  readonly received: readonly number[];
  readonly event: readonly number[];
  readonly cores: number;
};

async function measure(
  dataDir: string,
  env: Record<string, string>,
  bodies: readonly string[],
  readers: number,
): Promise<Measurement> {
  const service = await serveService(dataDir, env);
  try {
    const { target, token, projectId } = await createApp(service.url);
    const received: number[] = [];
    const event: number[] = [];
    const note = ({ event: kind, data }: Line, now: number) => {
      if (kind === 'event' && data.ms !== null && data.recordedAt !== undefined)
        event.push(now - Date.parse(data.recordedAt) + data.ms);
      if (kind === 'notification' && data.state === 'waiting') received.push(now - Date.parse(data.at));
    };
    const address = `${service.url}/v1/projects/${projectId}/live`;
    const closes = await Promise.all(
      Array.from({ length: readers }, (_, i) => read(address, token, i < TIMED_READERS ? note : null)),
    );
    const before = cpuMsOf(service.pid);
    const { perSecond, ms, answered } = await sendEvenly(target, bodies);
    const cores = (cpuMsOf(service.pid) - before) / ms;
    await sleep(LAST_LINES_MS);
    closes.forEach((close) => close());
    return { perSecond, answered, received, event, cores };
  } finally {
    await service.stop();
  }
}

type Line = {
  readonly event: string;
  readonly data: {
    readonly at: string;
    readonly recordedAt?: string;
    readonly ms: number | null;
    readonly state?: string;
  };
};

/** Opens the feed and resolves with a function that closes it. */
function read(url: string, token: string, note: ((line: Line, now: number) => void) | null): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the feed returned ${response.statusCode ?? 0}`));
      let rest = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        if (!note) return;
        const now = Date.now();
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(part) ?? [];
          if (event !== undefined && data !== undefined) note({ event, data: JSON.parse(data) }, now);
        }
      });
      response.on('error', () => undefined);
      resolve(() => sent.destroy());
    });
    sent.on('error', () => undefined);
    sent.end();
  });
}

type SendResult = { readonly perSecond: number; readonly ms: number; readonly answered: readonly number[] };

/** Sends at a steady rate: every few milliseconds all notifications that are due. */
async function sendEvenly(target: URL, signed: readonly string[]): Promise<SendResult> {
  const start = performance.now();
  const open: Promise<number>[] = [];
  for (let i = 0; i < signed.length; await sleep(5)) {
    const due = Math.min(signed.length, Math.ceil(((performance.now() - start) / 1000) * PER_SECOND));
    for (; i < due; i++) open.push(send(target, signed[i] ?? ''));
  }
  const ms = performance.now() - start;
  return { perSecond: (signed.length / ms) * 1000, ms, answered: await Promise.all(open) };
}

/** Returns the milliseconds until the response. */
async function send(target: URL, signedPayload: string): Promise<number> {
  const start = performance.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify({ signedPayload }) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`a notification got ${response.status}`);
  return performance.now() - start;
}

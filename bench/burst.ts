// Benchmark of ten thousand notifications in ten seconds at a fixed rate: response times, the time until all are processed, and the memory,
// soon after a start and with full caches.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../simulator/ios-store/payloads.js';
import { atMost, quantile, type BenchRow } from './bench.js';
import { createApp, signedNotifications } from './notifications.js';
import { serveService } from './processes.js';
import { observeService, ownMemoryOf, waitUntilIdle } from './service-observer.js';

const PER_SECOND = 1000;
const CONNECTIONS = 64;
const WARM_UP = 2000;
/** Number of notifications that fill the caches of newest events, stream ends and documents. */
const CACHE_FILLING_COUNT = 12_000;
const MAX_P99_MS = 1000;
const MAX_CATCH_UP_S = 60;
const MAX_MB = 200;

type ResponseTime = { readonly ms: number; readonly status: number };

export async function benchBurst(short: boolean): Promise<BenchRow[]> {
  const size = short ? 2000 : 10_000;
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const dataDir = join(directory, 'data');
  const rootFile = join(directory, 'root.pem');
  const { sign, rootPem } = await createCertificateAuthority();
  writeFileSync(rootFile, rootPem);
  const service = await serveService(dataDir, {
    MASTER_KEY: randomBytes(32).toString('base64'),
    IOS_STORE_ROOT_CERTIFICATES: rootFile,
  });
  const agent = new Agent({ connections: CONNECTIONS });
  const looker = observeService(dataDir);
  try {
    const { target } = await createApp(service.url);
    const total = WARM_UP + size + CACHE_FILLING_COUNT + size;
    const signed = signedNotifications(storePayloads(sign), 0, Math.ceil(total / 2));
    const send = async (signedPayload = ''): Promise<ResponseTime> => {
      const from = performance.now();
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ signedPayload });
      const response = await request(target, { method: 'POST', dispatcher: agent, headers, body });
      await response.body.dump();
      return { ms: performance.now() - from, status: response.statusCode };
    };
    const sendAll = async (some: readonly string[]) => {
      for (let i = 0; i < some.length; i += CONNECTIONS) await Promise.all(some.slice(i, i + CONNECTIONS).map(send));
      await waitUntilIdle(service.pid);
    };
    const burst = async (name: string, from: number): Promise<BenchRow[]> => {
      const before = ownMemoryOf(service.pid);
      const start = performance.now();
      const underWay: Promise<ResponseTime>[] = [];
      for (const [i, one] of signed.slice(from, from + size).entries()) {
        const early = start + (i * 1000) / PER_SECOND - performance.now();
        if (early > 1) await sleep(early);
        underWay.push(send(one));
      }
      const answers = await Promise.all(underWay);
      const answeredAt = Date.now();
      const behindS = ((await looker.catchUp(from + size)).readModelsAt - answeredAt) / 1000;
      return [
        atMost(`${name}: responses other than 200`, answers.filter((a) => a.status !== 200).length, 0, ''),
        atMost(
          `${name}: p99 of responses`,
          quantile(
            answers.map((a) => a.ms),
            0.99,
          ),
          MAX_P99_MS,
          'ms',
        ),
        atMost(`${name}: in all read models after the last response`, behindS, MAX_CATCH_UP_S, 's'),
        atMost(`${name}: additional memory`, ownMemoryOf(service.pid) - before, MAX_MB, 'MB'),
      ];
    };
    await sendAll(signed.slice(0, WARM_UP));
    const fresh = await burst('soon after the start', WARM_UP);
    await sendAll(signed.slice(WARM_UP + size, WARM_UP + size + CACHE_FILLING_COUNT));
    return [...fresh, ...(await burst('with full caches', WARM_UP + size + CACHE_FILLING_COUNT))];
  } finally {
    await service.stop();
    await agent.close();
    looker.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

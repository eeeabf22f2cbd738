// What a client waits for most: GET of a subscriber at 100,000 of them, next to a bare Express handler that sends the same bytes.
// Besides: how soon a service is ready on a long log, and what it holds in memory then.
import { readFileSync, rmSync } from 'node:fs';
import { atLeast, sideBySide, type BenchRow } from './bench.js';
import { requestsPerSecond, serveBare, serveService } from './processes.js';
import { seed } from './seeded.js';

const READY_WITHIN_MS = 2000;

export async function benchSubscribers(short: boolean): Promise<BenchRow[]> {
  const subscribers = short ? 10_000 : 100_000;
  const seconds = short ? 2 : 4;
  const seeded = await seed(subscribers);
  const env = { MASTER_KEY: seeded.masterKey, RATE_LIMITS: 'off', LOG_LEVEL: 'info' };
  try {
    const catchUpStart = performance.now();
    await (await serveService(seeded.dataDir, env)).stop();
    const catchUpMs = performance.now() - catchUpStart;

    const start = performance.now();
    const service = await serveService(seeded.dataDir, env);
    const readyMs = performance.now() - start;
    const idleMb = residentMb(service.pid);
    const headers = { 'x-api-key': seeded.apiKey };
    const path = (i: number) => `/v1/subscribers/user-${i}`;
    const body = await (await fetch(`${service.url}${path(1)}`, { headers })).text();
    const bare = await serveBare(body);
    // Few enough that preparing them is no part of the measurement; the same for both.
    const requests = Array.from({ length: 100 }, (_, i) => ({
      method: 'GET' as const,
      path: path((i * 7919) % subscribers),
      headers,
    }));
    const rates = await sideBySide(short ? 3 : 5, {
      service: () => requestsPerSecond({ url: service.url, seconds, requests }),
      bare: () => requestsPerSecond({ url: bare.url, seconds, requests }),
    });
    await Promise.all([service.stop(), bare.stop()]);
    return [
      { name: `GET subscriber at ${subscribers} subscribers`, value: rates.service, unit: '/s' },
      { name: `bare Express, the same ${body.length} bytes`, value: rates.bare, unit: '/s' },
      atLeast('GET subscriber : bare Express', rates.service / rates.bare, 0.6, 'ratio'),
      {
        name: `ready on a log of ${seeded.events} events, read models current`,
        value: readyMs,
        unit: 'ms',
        target: `<= ${READY_WITHIN_MS}`,
        ok: readyMs <= READY_WITHIN_MS,
      },
      {
        name: `read models built from ${seeded.events} events, start included`,
        value: (seeded.events / catchUpMs) * 1000,
        unit: 'events/s',
      },
      { name: 'idle memory (resident)', value: idleMb, unit: 'MB' },
    ];
  } finally {
    rmSync(seeded.dataDir, { recursive: true, force: true });
  }
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

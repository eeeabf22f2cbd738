// Benchmark of GET of a subscriber, the most frequent request, compared with a bare Express handler that sends the same response; also the
// start time and memory of a service on a long log. `--long`: a million subscribers.
import { readFileSync, rmSync } from 'node:fs';
import { atLeast, median, type BenchRow } from './bench.js';
import { zipf, randomRequests, uniform, type Draw } from './request-distribution.js';
import { requestsPerSecond, serveBare, serveService, type ServerProcess } from './processes.js';
import { seed } from './seed.js';
import { cpuMsOf, waitUntilIdle } from './service-observer.js';

const MAX_READY_MS = 2000;
/**
 * Warm-up in seconds per distribution, for up to 100,000 subscribers and for a million: a service that has run for days has a full response
 * cache.
 */
const WARM_UP_S = { few: 20, million: 60 };

type Distribution = {
  readonly name: string;
  readonly draw: Draw;
  /** Required ratio to bare Express. */
  readonly least: number;
};
const distributions: readonly Distribution[] = [
  { name: 'as in real traffic (Zipf 1.0)', draw: zipf, least: 1.5 },
  { name: 'every subscriber equally often', draw: uniform, least: 1.2 },
];

type Measurement = { readonly perS: number; readonly cpuUs: number };
type Rig = {
  readonly subscribers: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUpS: number;
  readonly apiKey: string;
};

export async function benchSubscribers(short: boolean, long: boolean): Promise<BenchRow[]> {
  const subscribers = short ? 10_000 : long ? 1_000_000 : 100_000;
  const seeded = await seed(subscribers);
  const env = { MASTER_KEY: seeded.masterKey };
  try {
    const catchUpStart = performance.now();
    await (await serveService(seeded.dataDir, env)).stop();
    const catchUpMs = performance.now() - catchUpStart;

    const start = performance.now();
    const service = await serveService(seeded.dataDir, env);
    const readyMs = performance.now() - start;
    const idleMb = residentMb(service.pid);
    await waitUntilIdle(service.pid);
    const warmUpS = short ? 2 : long ? WARM_UP_S.million : WARM_UP_S.few;
    const rig = { subscribers, seconds: short ? 2 : 4, rounds: short ? 3 : 5, warmUpS, apiKey: seeded.apiKey };
    const body = await bodyOf(service, rig);
    const bare = await serveBare(body);
    const rows = await startingRows(rig, service, bare);
    for (const one of distributions) rows.push(...(await readRows(rig, one, service, bare)));
    await service.stop();
    await bare.stop();
    return [
      {
        name: `bytes of a body, at ${subscribers.toLocaleString('en')} subscribers`,
        value: body.length,
        unit: 'bytes',
      },
      ...rows,
      {
        name: `ready on a log of ${seeded.events} events, read models current`,
        value: readyMs,
        unit: 'ms',
        target: `<= ${MAX_READY_MS}`,
        ok: readyMs <= MAX_READY_MS,
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

/** Measures soon after the start, while code is still being compiled and the response cache is nearly empty. */
async function startingRows(rig: Rig, service: ServerProcess, bare: ServerProcess): Promise<BenchRow[]> {
  const [ours, theirs] = await alternate({ ...rig, rounds: 2 }, zipf, [service, bare]);
  const cpu = (all: readonly Measurement[]) => median(all.map((m) => m.cpuUs));
  return [{ name: 'soon after the start, in processor time, Zipf 1.0', value: cpu(theirs) / cpu(ours), unit: 'ratio' }];
}

/**
 * Returns two ratios: by request rate, for which both share the cores with the load generator, and by processor time, which other load
 * disturbs less.
 */
async function readRows(
  rig: Rig,
  { name, draw, least }: Distribution,
  service: ServerProcess,
  bare: ServerProcess,
): Promise<BenchRow[]> {
  await measure({ ...rig, seconds: rig.warmUpS }, draw, service);
  const [ours, theirs] = await alternate(rig, draw, [service, bare]);
  const of = (all: readonly Measurement[], pick: (m: Measurement) => number) => median(all.map(pick));
  const perS = (m: Measurement) => m.perS;
  const cpuUs = (m: Measurement) => m.cpuUs;
  return [
    { name: `GET subscriber, ${name}`, value: of(ours, perS), unit: '/s' },
    { name: `bare Express, the same response, ${name}`, value: of(theirs, perS), unit: '/s' },
    { name: `processor time of a GET, ${name}`, value: of(ours, cpuUs), unit: 'µs' },
    { name: `processor time of bare Express, ${name}`, value: of(theirs, cpuUs), unit: 'µs' },
    atLeast(`GET subscriber : bare Express, ${name}`, of(ours, perS) / of(theirs, perS), least, 'ratio'),
    atLeast(`the same in processor time, ${name}`, of(theirs, cpuUs) / of(ours, cpuUs), least, 'ratio'),
  ];
}

async function measure(
  { subscribers, seconds, apiKey }: Rig,
  draw: Draw,
  { url, pid }: ServerProcess,
): Promise<Measurement> {
  const requests = randomRequests(subscribers, draw, pathOf, { 'x-api-key': apiKey });
  const before = cpuMsOf(pid);
  const perS = await requestsPerSecond({ url, seconds, requests });
  return { perS, cpuUs: ((cpuMsOf(pid) - before) * 1000) / (perS * seconds) };
}

/** Alternates rounds of both, after one warm-up round. */
async function alternate(
  rig: Rig,
  draw: Draw,
  [first, second]: readonly [ServerProcess, ServerProcess],
): Promise<readonly [Measurement[], Measurement[]]> {
  const found: readonly [Measurement[], Measurement[]] = [[], []];
  for (let round = 0; round <= rig.rounds; round++) {
    const [a, b] = [await measure(rig, draw, first), await measure(rig, draw, second)];
    if (round === 0) continue;
    found[0].push(a);
    found[1].push(b);
  }
  return found;
}

function pathOf(i: number): string {
  return `/v1/subscribers/user-${i}`;
}

async function bodyOf({ url }: ServerProcess, { apiKey }: Rig): Promise<string> {
  return (await fetch(`${url}${pathOf(1)}`, { headers: { 'x-api-key': apiKey } })).text();
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

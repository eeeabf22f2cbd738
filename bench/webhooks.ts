// Benchmark of webhook deliveries per second to a receiver in a separate process on the same machine, and of the effect of receivers that
// hang on the waiting times of others: one of the same project, and those of 20 other accounts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openEngine } from '../src/adapters/engine/engine.js';
import type { Outbound } from '../src/adapters/outbound/port.js';
import { createOutbound } from '../src/adapters/outbound/undici.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import {
  insertDeliveries,
  purgeAtOf,
  type Delivery,
  type StoredDelivery,
} from '../src/commands/webhooks/deliveries.js';
import type { Deps } from '../src/commands/handling/deps.js';
import { createStateCache } from '../src/commands/handling/state-cache.js';
import { endpointHealthCollection } from '../src/commands/webhooks/endpoint-health.js';
import { issueSecret, webhookSecretCollection } from '../src/commands/webhooks/secrets.js';
import type { LogPosition } from '../src/domain/envelope.js';
import { keyedHash } from '../src/domain/ids.js';
import { projectDecider } from '../src/domain/project/decide.js';
import { scheduleOf } from '../src/domain/webhook/schedule.js';
import { endpointCollection, type Endpoint } from '../src/workers/webhooks/endpoints.js';
import { createSender, senderCollections } from '../src/workers/webhooks/sender.js';
import { atLeast, median, quantile, type BenchRow } from './bench.js';
import { serveReceiver } from './processes.js';

const ENDPOINTS = 200;
const PER_PROJECT = 20;
/** Accounts that each have one project, whose endpoints are on different hosts. */
const ACCOUNTS = 20;
const RESPONSE_MS = 5;
const PAYLOAD = { apiVersion: '1.0', event: { id: 'whe_', type: 'RENEWAL', filler: 'x'.repeat(1000) } };
const ROUNDS = 3;

export async function benchWebhooks(short: boolean): Promise<BenchRow[]> {
  const receiver = await serveReceiver(RESPONSE_MS);
  try {
    const rates: number[] = [];
    const ofOne: number[] = [];
    const ofAccounts: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const seconds = short ? 3 : 6;
      const rate = await withRig(receiver.url, (rig) => throughput(rig, short ? 3000 : 10_000));
      const alone = await withRig(receiver.url, (rig) => p99(rig, seconds));
      const besideOne = await withRig(receiver.url, (rig) => p99(rig, seconds, hangingInProject));
      const besideAccounts = await withRig(receiver.url, (rig) => p99(rig, seconds, hangingAccounts));
      if (round === 0) continue;
      rates.push(rate);
      ofOne.push(besideOne / alone);
      ofAccounts.push(besideAccounts / alone);
    }
    return [
      atLeast(`deliveries to ${ENDPOINTS} endpoints that respond in ${RESPONSE_MS} ms`, median(rates), 1000, 'sends/s'),
      ratio('p99 of other endpoints with one of their project that hangs : without it', median(ofOne)),
      ratio(`p99 of endpoints with ${ACCOUNTS} accounts whose endpoints hang : without them`, median(ofAccounts)),
    ];
  } finally {
    await receiver.stop();
  }
}

function ratio(name: string, value: number): BenchRow {
  return { name, value, unit: 'ratio', target: '<= 1.2', ok: value <= 1.2 };
}

type Rig = Awaited<ReturnType<typeof openRig>>;

async function withRig<T>(url: string, work: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = await openRig(url);
  try {
    return await work(rig);
  } finally {
    await rig.close();
  }
}

async function openRig(url: string) {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const runtime = systemRuntime();
  const engine = await openEngine({ DATA_DIR: directory }, () => [{ id: 'k1', key: Buffer.alloc(32, 1) }], runtime);
  const { docs, dataKeys } = engine;
  await docs.ensure([...senderCollections, endpointHealthCollection, webhookSecretCollection]);
  // The sender uses only these dependencies.
  const projects = createStateCache(engine.log, projectDecider);
  const hash = keyedHash(Buffer.alloc(32));
  const deps = { docs, dataKeys, runtime, log: engine.log, hash, projects } as unknown as Deps;
  const egress = { allowHttp: true, allowCidrs: ['127.0.0.1/32'] };
  const real = createOutbound({ egress });
  const startedAtById = new Map<string, number>();
  const outbound: Outbound = {
    send: (request) => {
      startedAtById.set(request.headers['webhook-id'] ?? '', performance.now());
      return real.send(request);
    },
  };
  const logger = pino({ level: 'silent' });
  const sender = createSender({
    ...{ deps, outbound, logger, userAgent: 'bench', senderId: 'bench', isSingleProcess: true },
    schedule: scheduleOf(null),
  });
  const endpoint = async ({ projectId, endpointId }: Place, address: string) => {
    await issueSecret(deps, { projectId, webhookId: endpointId }, null);
    const settings: Endpoint = {
      ...{ kind: 'webhook', url: address, eventTypes: null, appId: null, environment: null },
      ...{ payloadFormat: 'camelCase', ordered: true, enabled: true, enabledSince: '1' as LogPosition },
    };
    const doc = { projectId, endpointId, versions: [{ from: '1', endpoint: settings }] };
    await docs.write([[{ c: endpointCollection.name, id: endpointId, expect: null, guard: '1', doc }]]);
  };
  for (let i = 0; i < ENDPOINTS; i++) await endpoint(healthy(i), `${url}/ok/${i}`);
  let deliveryCount = 0;
  const put = async ({ projectId, endpointId }: Place, count: number): Promise<readonly StoredDelivery[]> => {
    const now = new Date().toISOString();
    const all = Array.from({ length: count }, () => {
      const n = ++deliveryCount;
      const eventId = `whe_${n}`;
      const about = { projectId, endpointId, eventId, bodyId: eventId, type: 'RENEWAL', causeId: eventId };
      const noCustomer = { appUserId: '', customerId: '' };
      const order = { lane: `${endpointId}|${n}`, place: String(n).padStart(20, '0'), gate: 'lane' as const };
      const none = { claimedBy: null, failures: 0, firstFailedAt: null, attempts: [] };
      const doc: Delivery = {
        ...about,
        ...noCustomer,
        ...order,
        ...none,
        state: 'pending',
        dueAt: now,
        createdAt: now,
      };
      return { id: `del_${n}`, doc };
    });
    const text = JSON.stringify(PAYLOAD);
    const bodies = all.map(({ doc }) => ({ id: doc.bodyId, text, causeId: doc.causeId, purgeAt: purgeAtOf(now) }));
    return insertDeliveries(docs, bodies, all);
  };
  const sent = async (count: number) => {
    while (sender.stats().delivered < count) await sleep(2);
  };
  const close = async () => {
    sender.stop();
    await real.close();
    await sender.idle();
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  };
  /** Creates an endpoint that never responds, on its own host, with waiting deliveries. */
  const hang = async (place: Place, host: string, waiting: number) => {
    await endpoint(place, `http://${host}.localhost:${new URL(url).port}/hang`);
    sender.offer(await put(place, waiting));
  };
  return { sender, hang, put, sent, begun: startedAtById, close };
}

type Place = { readonly projectId: string; readonly endpointId: string };

function healthy(i: number): Place {
  return { projectId: `proj_${Math.floor(i / PER_PROJECT)}`, endpointId: `wh_${i}` };
}

const hangingInProject = ({ hang }: Rig): Promise<void> =>
  hang({ projectId: healthy(0).projectId, endpointId: 'wh_hangs' }, 'hangs', 1000);

async function hangingAccounts({ hang }: Rig): Promise<void> {
  for (let i = 0; i < ACCOUNTS * PER_PROJECT; i++) {
    await hang({ projectId: `hostile_${i % ACCOUNTS}`, endpointId: `wh_hangs_${i}` }, `h${i}`, 20);
  }
}

/** Measures deliveries that all exist before the first round. */
async function throughput({ sender, put, sent }: Rig, count: number): Promise<number> {
  for (let i = 0; i < ENDPOINTS; i++) await put(healthy(i), count / ENDPOINTS);
  const start = performance.now();
  const rounds = new AbortController();
  const reading = (async () => {
    // Like the worker: each round reads a limited part of the backlog.
    for (; !rounds.signal.aborted; await sleep(50)) await sender.round();
  })();
  await sent(count);
  rounds.abort();
  await reading;
  return (count / (performance.now() - start)) * 1000;
}

/** Returns the p99 of the milliseconds from the fan-out to the request, at 200 events per second to 50 endpoints. */
async function p99(rig: Rig, seconds: number, prepare: (rig: Rig) => Promise<void> = async () => {}): Promise<number> {
  const { sender, put, sent, begun: startedAtById } = rig;
  await prepare(rig);
  const queuedAt = new Map<string, number>();
  const start = performance.now();
  const count = seconds * 200;
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, start + n * 5 - performance.now()));
    const [one] = await put(healthy(n % 50), 1);
    if (!one) continue;
    queuedAt.set(one.doc.eventId, performance.now());
    sender.offer([one]);
  }
  await sent(count);
  const waits = [...queuedAt].map(([id, at]) => (startedAtById.get(id) ?? Infinity) - at);
  return quantile(waits, 0.99);
}

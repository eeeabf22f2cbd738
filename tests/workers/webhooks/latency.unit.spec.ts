// Latency of a healthy project beside receivers that hang, in virtual time: the sender's queue and health with simulated responses.
import { expect } from 'chai';
import type { StoredDelivery } from '../../../src/commands/webhooks/deliveries.js';
import type { LogPosition } from '../../../src/domain/envelope.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { scheduleOf } from '../../../src/domain/webhook/schedule.js';
import { createEndpointHealthTracker, type EndpointRef } from '../../../src/workers/webhooks/endpoint-health.js';
import { createQueue } from '../../../src/workers/webhooks/queue.js';
import { chance, withSeed } from '../../projections/support/seeded-random.js';
import { listener } from '../rig.js';
import { createHooks } from './rig.js';

type Response = { readonly ms: number; readonly status: number | null };
/** `respond` gets how many requests came before. */
type Receiver = { readonly ref: EndpointRef; readonly respond: (before: number) => Response };
type Arrival = { readonly atMs: number; readonly receiver: Receiver };

const SECONDS = 30;
const PER_SECOND = 100;
const WAITING = 50;
const HANGS: Response = { ms: 15_000, status: null };

const hostile: Readonly<Record<string, (before: number) => Response>> = {
  'never respond': () => HANGS,
  'respond just in time': () => ({ ms: 14_900, status: 200 }),
  'respond at once and hang in turns': (before) => (before % 2 === 0 ? { ms: 10, status: 200 } : HANGS),
};

describe('p99 latency of the webhooks of a healthy project', () => {
  for (const [what, respond] of Object.entries(hostile)) {
    it(`stays the same with 20 other accounts with 20 receivers each that ${what}`, () =>
      expectSameLatency(
        Array.from({ length: 400 }, (_, i) => receiverOf(`hostile_${i % 20}`, `h${i}.example.net`, respond)),
      ));

    it(`stays the same with one receiver of the same project that does: ${what}`, () =>
      expectSameLatency([receiverOf('healthy', 'hangs.example.net', respond)]));
  }

  it('stays the same with 20 hanging receivers of the same account', () =>
    expectSameLatency(
      Array.from({ length: 20 }, (_, i) => receiverOf('healthy', `hangs${i}.example.net`, () => HANGS)),
    ));
});

async function expectSameLatency(others: readonly Receiver[]): Promise<void> {
  const random = chance();
  const healthy = Array.from({ length: 10 }, (_, i) =>
    receiverOf('healthy', `ok${i}.example.com`, () => ({ ms: 50, status: 200 })),
  );
  const steady = Array.from({ length: SECONDS * PER_SECOND }, () => ({
    atMs: 1000 + random.below(SECONDS * 1000),
    receiver: healthy[random.below(healthy.length)] as Receiver,
  }));
  const first = healthy.map((receiver) => ({ atMs: 0, receiver }));
  const waiting = others.flatMap((receiver) => Array.from({ length: WAITING }, () => ({ atMs: 1, receiver })));
  await withSeed(random, async () => {
    const alone = await p99([...first, ...steady], healthy);
    expect(alone).to.be.within(50, 200);
    expect((await p99([...first, ...waiting, ...steady], healthy)) / alone).to.be.at.most(1.2);
  });
}

function receiverOf(tenantId: string, host: string, respond: Receiver['respond']): Receiver {
  const endpointId = `wh_${tenantId}_${host}`;
  const ref = {
    projectId: `proj_${tenantId}`,
    endpointId,
    kind: 'raw',
    enabledSince: '1' as LogPosition,
    tenantId,
    host,
  } as const;
  return { ref, respond };
}

/** Returns the 99th percentile of the time from the offer to the response, in virtual ms. */
async function p99(arrivals: readonly Arrival[], of: readonly Receiver[]): Promise<number> {
  const { deps, clock } = await createHooks();
  const care = createEndpointHealthTracker(deps, scheduleOf(null), listener().logger);
  const queue = createQueue(care.states);
  for (const { ref } of new Set(arrivals.map((a) => a.receiver))) await care.register(ref);
  const startMs = Date.parse(clock.iso());
  const todo = new Map<number, (() => Promise<void> | void)[]>();
  const at = (ms: number, step: () => Promise<void> | void) => {
    const steps = todo.get(ms) ?? [];
    steps.push(step);
    todo.set(ms, steps);
  };
  const requests = new Map<Receiver, number>();
  const latencies: number[] = [];
  const receivers = new Map<StoredDelivery, { readonly receiver: Receiver; readonly offeredMs: number }>();
  const send = (delivery: StoredDelivery, nowMs: number): void => {
    const { receiver, offeredMs } = receivers.get(delivery) ?? { receiver: of[0] as Receiver, offeredMs: 0 };
    const before = requests.get(receiver) ?? 0;
    requests.set(receiver, before + 1);
    const { ms, status } = receiver.respond(before);
    at(nowMs + ms, async () => {
      if (of.includes(receiver) && offeredMs > 0) latencies.push(nowMs + ms - offeredMs);
      const outcome = { status, errorCode: status === null ? 'timeout' : null, retryAfterMs: null };
      await care.recordAttempt(receiver.ref, { deliveryId: delivery.id, atMs: startMs + nowMs, ms, outcome });
      queue.finish(delivery);
    });
  };
  for (const [n, { atMs, receiver }] of arrivals.entries()) {
    at(atMs, () => {
      const { projectId, endpointId } = receiver.ref;
      const doc = { projectId, endpointId, gate: 'lane', lane: `${n}`, place: String(n).padStart(9, '0') };
      const delivery = { id: `del_${n}`, guard: '1', doc } as StoredDelivery;
      receivers.set(delivery, { receiver, offeredMs: atMs });
      queue.offer(delivery);
    });
  }
  for (let nowMs = 0; nowMs <= (SECONDS + 20) * 1000; nowMs++) {
    if (nowMs % 500 === 0) queue.unblockAll();
    else if (!todo.has(nowMs)) continue;
    clock.set(isoFromMs(startMs + nowMs));
    for (const step of todo.get(nowMs) ?? []) await step();
    todo.delete(nowMs);
    for (let next = queue.take(); next; next = queue.take()) send(next, nowMs);
  }
  const sorted = latencies.toSorted((a, b) => a - b);
  expect(sorted).to.have.length(arrivals.filter((a) => of.includes(a.receiver) && a.atMs > 0).length);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Infinity;
}

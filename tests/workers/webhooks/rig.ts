// Webhooks of one project on stores in memory, a receiver that responds as a test sets it, and a clock that is moved to what is due next.
import type { DocStore, Scan } from '../../../src/adapters/documents/port.js';
import type { Outbound, OutboundResponse, OutboundRequest } from '../../../src/adapters/outbound/port.js';
import { OutboundFailure } from '../../../src/domain/errors.js';
import type { Deps } from '../../../src/commands/handling/deps.js';
import { deliveryCollection, type Delivery } from '../../../src/commands/webhooks/deliveries.js';
import { endpointHealthCollection, readHealth } from '../../../src/commands/webhooks/endpoint-health.js';
import { createWebhook, type NewWebhook } from '../../../src/commands/webhooks/webhooks.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { senderCollections } from '../../../src/workers/webhooks/sender.js';
import { createWebhookWorker, type WebhookWorker } from '../../../src/workers/webhooks/webhooks.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import { reactionCheckpointCollection } from '../../../src/workers/reactions/reaction.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { createProjectFixture } from '../../commands/support/project-fixture.js';
import { listener } from '../rig.js';

/** A status, a whole response, or why none comes. */
export type Reply = number | Partial<OutboundResponse> | OutboundFailure;
/** `delivered` is filled in with the reply. */
export type ArrivedRequest = {
  delivered: boolean;
  readonly url: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly event: { readonly id: string; readonly type: string; readonly sequence: number; readonly appUserId: string };
};

/** A promise is a response that keeps the sender waiting. */
export type Receiver = {
  reply: (arrived: ArrivedRequest) => Reply | Promise<Reply>;
  readonly arrived: ArrivedRequest[];
};

export const settings: NewWebhook = {
  name: null,
  url: 'https://hooks.example.com/a',
  eventTypes: null,
  appId: null,
  environment: null,
  payloadFormat: 'camelCase',
  ordered: true,
  enabled: true,
  authorizationHeader: null,
};

export type Hooks = Awaited<ReturnType<typeof createHooks>>;

export async function createHooks(o: { readonly scheduleSeconds?: readonly number[] } = {}) {
  const fixture = await createProjectFixture();
  const { deps, clock } = fixture;
  const collections = [
    ...senderCollections,
    endpointHealthCollection,
    reactionCheckpointCollection,
    parkedEventCollection,
  ];
  await deps.docs.ensure(collections);
  const receiver: Receiver = { reply: () => 200, arrived: [] };
  const { logger, lines } = listener();
  const outbound = outboundTo(receiver, () => deps.runtime.now());
  const open = (through: Deps = deps): WebhookWorker =>
    createWebhookWorker({
      deps: through,
      outbound,
      logger,
      scheduleSeconds: o.scheduleSeconds ?? null,
      userAgent: 'Subledger/test',
      senderId: through.runtime.newId('sender'),
      isSingleProcess: true,
    });
  let worker = open();
  let handled = 0;

  const make = (more: Partial<NewWebhook> = {}) =>
    createWebhook(deps, fixture.by(), fixture.projectId, { ...settings, ...more });
  const fan = async () => {
    const events = await eventsOf(deps.log);
    for (const event of events.slice(handled))
      if (worker.fanout.serialKeyOf(event) !== null) await worker.fanout.handle(event);
    handled = events.length;
  };
  const all = (scan: Partial<Scan> = {}) => deliveriesIn(deps.docs, scan);
  /** Sends what is due, moves the clock to what is due next, and again, until nothing waits or the time is up. */
  const play = async (hours = Infinity) => {
    const end = msFromIso(clock.iso()) + hours * 3_600_000;
    for (;;) {
      await fan();
      const before = receiver.arrived.length;
      await worker.sender.round();
      await worker.sender.idle();
      if (receiver.arrived.length > before) continue;
      const next = await nextAfter(deps, clock.iso());
      if (next === null || msFromIso(next) > end) break;
      clock.set(next);
    }
    if (end !== Infinity) clock.set(isoFromMs(end));
  };
  return {
    ...fixture,
    receiver,
    lines,
    make,
    fan,
    play,
    all,
    worker: () => worker,
    /** Starts another process with the same stores, as after a crash. */
    restart: (through: Deps = deps) => {
      worker = open(through);
      handled = 0;
    },
    events: () => eventsOf(deps.log),
    arrivedTypes: () => receiver.arrived.map((a) => a.event.type),
  };
}

export async function deliveriesIn(
  docs: DocStore,
  scan: Partial<Scan> = {},
): Promise<readonly (Delivery & { id: string })[]> {
  const { rows } = await docs.scan(deliveryCollection.name, { index: 'id', eq: [], limit: 100_000, ...scan });
  return rows.map((row) => ({ ...(row.doc as unknown as Delivery), id: row.id }));
}

function outboundTo(receiver: Receiver, now: () => number): Outbound {
  return {
    send: async ({ url, headers, body = '' }: OutboundRequest) => {
      const bytes = Buffer.from(body);
      const arrived: ArrivedRequest = {
        delivered: false,
        url,
        atMs: now(),
        headers,
        body: bytes,
        event: eventOf(bytes),
      };
      receiver.arrived.push(arrived);
      const reply = await receiver.reply(arrived);
      const { status } =
        typeof reply === 'number'
          ? { status: reply }
          : { status: reply instanceof OutboundFailure ? 0 : (reply.status ?? 200) };
      arrived.delivered = status >= 200 && status < 300;
      await new Promise((resolve) => setImmediate(resolve));
      if (reply instanceof OutboundFailure) throw reply;
      const response = { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false };
      return typeof reply === 'number' ? { ...response, status: reply } : { ...response, ...reply };
    },
  };
}

function eventOf(body: Buffer): ArrivedRequest['event'] {
  const { event = {} } = JSON.parse(body.toString()) as { event?: Record<string, unknown> };
  const get = (camel: string, snake: string) => event[camel] ?? event[snake];
  return {
    id: String(event['id']),
    type: String(event['type']),
    sequence: Number(get('sequence', 'sequence')),
    appUserId: String(get('appUserId', 'app_user_id')),
  };
}

/** The next instant at which a delivery or a breaker lets something go. */
async function nextAfter(deps: Deps, now: string): Promise<string | null> {
  const pending = (await deliveriesIn(deps.docs)).filter((d) => d.gate !== 'done');
  const health = await readHealth(deps, [...new Set(pending.map((d) => d.endpointId))]);
  const breakers = [...health.values()].flatMap((h) => (h.openUntil === null ? [] : [h.openUntil]));
  return [...pending.map((d) => d.dueAt), ...breakers].filter((at) => at > now).sort()[0] ?? null;
}

/** The stores of a process that is cut at some write: nothing is written from then on. */
export function cutAfter(deps: Deps, writes: number): { deps: Deps; isCut: () => boolean } {
  let left = writes;
  const docs: DocStore = {
    ...deps.docs,
    write: async (stages) => {
      if (left <= 0) throw new Error('cut');
      left--;
      return deps.docs.write(stages);
    },
  };
  return { deps: { ...deps, docs }, isCut: () => left <= 0 };
}

const HEAD_MS = 35 * 60_000;

/**
 * What breaks the promise of order: a first attempt of an event while an earlier one of the same subscriber at the same address was
 * neither delivered nor had failed four times or for 35 minutes.
 */
export function brokenOrder(arrived: readonly ArrivedRequest[]): readonly string[] {
  const broken: string[] = [];
  const known = new Map<
    string,
    { sequence: number; failures: number; firstAt: number; isDelivered: boolean; serialKey: string }
  >();
  for (const one of arrived) {
    const { id, sequence, appUserId } = one.event;
    const serialKey = `${one.url} ${appUserId}`;
    const before = known.get(`${serialKey} ${id}`);
    if (!before) {
      const waiting = [...known.values()].filter(
        (k) => k.serialKey === serialKey && k.sequence < sequence && !k.isDelivered,
      );
      for (const k of waiting.filter((w) => w.failures < 4 && one.atMs - w.firstAt < HEAD_MS))
        broken.push(`${serialKey}: ${sequence} before ${k.sequence}`);
      if ([...known.values()].some((k) => k.serialKey === serialKey && k.sequence > sequence))
        broken.push(`${serialKey}: ${sequence} after a later one`);
    }
    const next = before ?? { sequence, failures: 0, firstAt: one.atMs, isDelivered: false, serialKey };
    if (one.delivered) next.isDelivered = true;
    else next.failures++;
    known.set(`${serialKey} ${id}`, next);
  }
  return broken;
}

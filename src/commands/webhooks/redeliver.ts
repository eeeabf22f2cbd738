// Requested deliveries: redelivery of one, replay of a range, and a test.
import { lockKeys } from '../handling/keyed-mutex.js';
import { scanPages, updateRecord, scanRecords } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { PayloadFormat } from '../../domain/webhook/events.js';
import { exampleOf } from '../../domain/webhook/examples.js';
import { kindsOfFormat, type Kind } from '../../domain/webhook/kinds.js';
import { bodyOf } from '../../domain/webhook/payload.js';
import type { Deps } from '../handling/deps.js';
import {
  deliveryCollection,
  deliveryIdOf,
  findDelivery,
  insertDeliveries,
  purgeAtOf,
  replaceDelivery,
  webhookEventIdOf,
  type Delivery,
  type StoredDelivery,
} from './deliveries.js';
import type { WebhookRef } from './secrets.js';
import { findWebhookInLog } from './webhooks.js';

const DAY_MS = 24 * 3600 * 1000;
const MAX_REPLAY_DAYS = 30;
const MAX_REPLAYED = 100_000;
const BATCH = 500;

/**
 * Sends a delivery again at once, outside its queue, with its previous attempts and the same event ID. Throws {@link Rejection} when it is
 * not found.
 */
export async function redeliver(deps: Deps, ref: WebhookRef, deliveryId: string): Promise<StoredDelivery> {
  await requireEnabled(deps, ref);
  const { guard, doc } = await updateRecord(deps.docs, deliveryCollection.name, deliveryId, (delivery) => {
    if (delivery?.endpointId !== ref.webhookId) throw unknownDeliveryError();
    // A delivery in progress is not sent twice.
    if (delivery.claimedBy !== null) return undefined;
    return { ...reschedule(delivery, isoFromMs(deps.runtime.now())), gate: 'late' as const };
  });
  if (guard === null || doc === null) throw unknownDeliveryError();
  return { id: deliveryId, guard, doc };
}

function unknownDeliveryError(): Rejection {
  return new Rejection(
    'missing',
    'delivery-unknown',
    'delivery not found for this webhook; deliveries are stored for 30 days',
  );
}

export type ReplayRequest = {
  /** Range of fan-out times, end exclusive: ISO instants. */
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  /** Excludes delivered ones. */
  readonly onlyFailed: boolean;
};

export type Replay = { readonly replayId: string; readonly queued: readonly StoredDelivery[] };

/**
 * Sends the finished deliveries of that time again, in order, in a serial queue of their own, with the same event ids. Pending deliveries
 * are not affected. Throws {@link Rejection} while another replay of the webhook runs.
 */
export function replayDeliveries(deps: Deps, ref: WebhookRef, o: ReplayRequest): Promise<Replay> {
  const lane = lockKeys.replay(ref.webhookId);
  return deps.mutex.run(lane, async () => {
    checkRange(o);
    await requireEnabled(deps, ref);
    const { docs, runtime } = deps;
    const running = await docs.scan(deliveryCollection.name, { index: 'lane', eq: [lane, 'lane'], limit: 1 });
    if (running.rows.length > 0) {
      throw new Rejection('conflict', 'replay-running', 'a replay of this webhook is running; wait until it is done');
    }
    const found = await selectDeliveries(deps, ref, o);
    const now = isoFromMs(runtime.now());
    const queued: StoredDelivery[] = [];
    for (let i = 0; i < found.length; i += BATCH) {
      const batch = found.slice(i, i + BATCH);
      const created = await Promise.all(
        batch.map((stored) => replaceDelivery(docs, stored, { ...reschedule(stored.doc, now), gate: 'lane', lane })),
      );
      queued.push(...created.filter((one) => one !== null));
    }
    return { replayId: runtime.newId('replay'), queued };
  });
}

/**
 * Sends the example of a kind, even one that the webhook does not subscribe to; `TEST` has no data and needs no example. Throws {@link
 * Rejection} for a disabled webhook and for a kind that its format does not have.
 */
export async function sendTest(
  deps: Deps,
  ref: WebhookRef,
  requestId: string,
  kind: Kind = 'TEST',
): Promise<StoredDelivery> {
  const { payloadFormat } = await requireEnabled(deps, ref);
  if (!kindsOfFormat(payloadFormat).includes(kind)) {
    const message = `${kind} is not sent in the payload format ${payloadFormat}; choose another kind`;
    throw new Rejection('invalid', 'kind-not-in-format', message);
  }
  const { projectId, webhookId: endpointId } = ref;
  const createdAt = isoFromMs(deps.runtime.now());
  const eventId = webhookEventIdOf(deps.hash, `${requestId}|${endpointId}`, kind);
  const bodyId = `${eventId}|${payloadFormat}`;
  const id = deliveryIdOf(deps.hash, endpointId, eventId);
  const none = { claimedBy: null, failures: 0, firstFailedAt: null, attempts: [] };
  const about = { projectId, endpointId, eventId, bodyId, type: kind, causeId: requestId };
  const noCustomer = { appUserId: '', customerId: '' };
  const order = { lane: id, place: '', gate: 'lane' as const, dueAt: createdAt, createdAt };
  const doc: Delivery = { ...about, ...noCustomer, ...none, ...order, state: 'pending' };
  const text = exampleBody({ kind, id: eventId, projectId, at: createdAt, payloadFormat });
  const body = { id: bodyId, text, causeId: requestId, purgeAt: purgeAtOf(createdAt) };
  await insertDeliveries(deps.docs, [body], [{ id, doc }]);
  return (await findDelivery(deps, id)) ?? { id, guard: '1', doc };
}

type Example = {
  readonly kind: Kind;
  readonly id: string;
  readonly projectId: string;
  /** ISO time of the example. */
  readonly at: string;
  readonly payloadFormat: PayloadFormat;
};

/** Returns the example body of a kind. RevenueCat's TEST has the fields of a purchase, which its receivers may require. */
export function exampleBody({ kind, id, projectId, at, payloadFormat }: Example): string {
  const source = kind === 'TEST' && payloadFormat === 'revenuecat' ? 'INITIAL_PURCHASE' : kind;
  return bodyOf({ id, type: kind, projectId, ...exampleOf(source, at, payloadFormat) }, payloadFormat);
}

function reschedule(d: Delivery, now: string): Delivery {
  return { ...d, state: 'pending', dueAt: now, claimedBy: null, failures: 0, firstFailedAt: null };
}

/** Deliveries of a disabled webhook would be held back again at once. */
async function requireEnabled(deps: Deps, ref: WebhookRef) {
  const webhook = await findWebhookInLog(deps, ref);
  if (webhook.enabled) return webhook;
  throw new Rejection('conflict', 'webhook-disabled', 'the webhook is disabled; enable it first (PATCH enabled: true)');
}

function checkRange({ from, to }: ReplayRequest): void {
  const length = msFromIso(to) - msFromIso(from);
  if (length > 0 && length <= MAX_REPLAY_DAYS * DAY_MS) return;
  throw new Rejection('invalid', 'replay-range', `from must be before to, by at most ${MAX_REPLAY_DAYS} days`);
}

/** Selects deliveries, oldest first. */
async function selectDeliveries({ docs }: Deps, ref: WebhookRef, o: ReplayRequest): Promise<readonly StoredDelivery[]> {
  const found: StoredDelivery[] = [];
  const ofThatTime = { index: 'recent', eq: [ref.webhookId], from: o.from, to: o.to, limit: BATCH };
  for await (const rows of scanPages(ofThatTime, (scan) => scanRecords(docs, deliveryCollection.name, scan))) {
    const finished = rows.filter(({ doc }) => doc.gate === 'done' && !(o.onlyFailed && doc.state === 'delivered'));
    found.push(...finished.filter(({ doc }) => o.types === null || o.types.includes(doc.type)));
    if (found.length > MAX_REPLAYED) {
      const message = `more than ${MAX_REPLAYED} deliveries match; select a shorter time range`;
      throw new Rejection('invalid', 'replay-too-large', message);
    }
  }
  return found;
}

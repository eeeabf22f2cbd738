// Deliveries: one record per event and endpoint, from the fan-out until 30 days after its end. They are separate from all read models, so
// that no rebuild sends anything.
import type { DocStore, Write } from '../../adapters/documents/port.js';
import type { PersonalFields } from '../../adapters/documents/sealed-fields.js';
import {
  buildInsertion,
  readRecord,
  replaceRecord,
  recordsNamed,
  scanRecords,
} from '../../adapters/documents/records.js';
import type { KeyedHash } from '../../domain/ids.js';
import { currentTraceparent } from '../../adapters/tracing/spans.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

/**
 * Indexes: `due` for deliveries to send, `lane` for the head of a queue, `endpoint` for the oldest of an endpoint, `recent` for lists,
 * `cause` for the deliveries of an event, `customer` for the deliveries about a customer.
 */
export const deliveryCollection = {
  name: recordsNamed<Delivery>('deliveries'),
  indexes: [
    { name: 'due', fields: ['gate', 'dueAt'] },
    { name: 'lane', fields: ['lane', 'gate', 'place'] },
    { name: 'endpoint', fields: ['endpointId', 'gate', 'place'] },
    { name: 'recent', fields: ['endpointId', 'createdAt'] },
    { name: 'cause', fields: ['causeId'] },
    { name: 'customer', fields: ['customerId', 'place'] },
  ],
};
export const RECENT_INDEX = ['endpointId', 'createdAt'];

/** Request body, byte for byte; shared by all endpoints that get the event in the same form. */
export const deliveryBodyCollection = {
  name: 'delivery_bodies',
  indexes: [{ name: 'due', fields: ['purgeAt'] }],
};

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'held';

export type Attempt = {
  readonly at: string;
  readonly ms: number;
  readonly status: number | null;
  readonly errorCode: string | null;
  /** Beginning of the response body, at most 4 KiB. */
  readonly responseSnippet: string | null;
};

export type Delivery = {
  readonly projectId: string;
  /** Id of the webhook, or of the app whose notifications are forwarded. */
  readonly endpointId: string;
  /** `whe_…`: the same in all attempts, so that receivers can detect repeats. */
  readonly eventId: string;
  readonly bodyId: string;
  readonly type: string;
  readonly appUserId: string;
  /** Empty for raw notifications and bodies without a customer. */
  readonly customerId: string;
  /** Id of the domain event. */
  readonly causeId: string;
  readonly state: DeliveryState;
  /** `lane`: waits for earlier deliveries of its queue. `late`: has left the queue and waits for none. `done`: nothing to send. */
  readonly gate: 'lane' | 'late' | 'done';
  /** Key of its serial queue. */
  readonly lane: string;
  /** Order within the serial queue. */
  readonly place: string;
  /** Time of the next try; while a sender has claimed it, the end of the claim; when `done`, the time of deletion. */
  readonly dueAt: string;
  readonly claimedBy: string | null;
  /** Failed attempts since it was last scheduled. */
  readonly failures: number;
  readonly firstFailedAt: string | null;
  /** The newest twenty attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly createdAt: string;
  /** The trace that attempts continue, as a `traceparent`; only where the cause was traced. */
  readonly traceparent?: string;
};

export type StoredDelivery = { readonly id: string; readonly guard: string; readonly doc: Delivery };

const RETENTION_MS = 30 * 24 * 3600 * 1000;
const MAX_RETAINED_ATTEMPTS = 20;

export function deliveryIdOf(hash: KeyedHash, endpointId: string, eventId: string): string {
  return `del_${hash('delivery', endpointId, eventId)}`;
}

export function webhookEventIdOf(hash: KeyedHash, causeId: string, kind: string): string {
  return `whe_${hash('webhook-event', causeId, kind)}`;
}

/** Returns the time at which the record of a delivery, or a body, is deleted. */
export function purgeAtOf(createdAt: string): string {
  return isoFromMs(msFromIso(createdAt) + RETENTION_MS);
}

export function endDelivery(d: Delivery, state: DeliveryState): Delivery {
  return { ...d, state, gate: 'done', dueAt: purgeAtOf(d.createdAt), claimedBy: null };
}

export function withAttempt(d: Delivery, attempt: Attempt): Delivery {
  return { ...d, attempts: [...d.attempts, attempt].slice(-MAX_RETAINED_ATTEMPTS) };
}

/** Returns null if another writer was first. */
export async function replaceDelivery(
  docs: DocStore,
  { id, guard }: StoredDelivery,
  next: Delivery | null,
): Promise<StoredDelivery | null> {
  const outcome = await replaceRecord(docs, deliveryCollection.name, { id, guard }, next);
  return outcome === null || next === null ? null : { id, guard: outcome, doc: next };
}

export async function findDelivery({ docs }: Pick<Deps, 'docs'>, id: string): Promise<StoredDelivery | null> {
  const { guard, doc } = await readRecord(docs, deliveryCollection.name, id);
  return doc && guard !== null ? { id, guard, doc } : null;
}

/** Personal fields of bodies: a body about a customer is sealed with the customer's key. */
export const personalInBody: PersonalFields = (doc, replace) => {
  const { customerId, text } = doc;
  if (typeof customerId !== 'string' || text === undefined) return doc;
  return { ...doc, text: replace(customerId, 'text', text) ?? null };
};

export type SentBody = { readonly text: string; readonly contentType: string };

/** Returns the sent body; null when it is deleted. */
export async function findSentBody({ docs }: Pick<Deps, 'docs'>, { bodyId }: Delivery): Promise<SentBody | null> {
  const { doc } = await readRecord(docs, deliveryBodyCollection.name, bodyId);
  // Null: the key of the customer was erased.
  if (typeof doc?.['text'] !== 'string') return null;
  return { text: doc['text'], contentType: String(doc['contentType'] ?? 'application/json') };
}

/** Maximum of deliveries per event: a few messages to each webhook of its project. */
const MAX_PER_CAUSE = 200;

/** Returns the deliveries of a domain event while they are retained. */
export async function deliveriesOf({ docs }: Pick<Deps, 'docs'>, causeId: string): Promise<readonly StoredDelivery[]> {
  const scan = { index: 'cause', eq: [causeId], limit: MAX_PER_CAUSE };
  return (await scanRecords(docs, deliveryCollection.name, scan)).rows;
}

export type NewDelivery = { readonly id: string; readonly doc: Delivery };
/** `contentType`: default `application/json`. */
export type NewBody = {
  readonly id: string;
  readonly text: string;
  readonly contentType?: string;
  /** Omitted for raw notifications and bodies without a customer. */
  readonly customerId?: string;
  /** Index by which its deliveries are found. */
  readonly causeId: string;
  readonly purgeAt: string;
};

/**
 * Inserts bodies first, so that a delivery always finds its own; then deliveries place by place, so that a sender never finds one
 * of a serial queue without the earlier ones, even if writes become visible one by one. Existing records do not change; they are returned
 * as stored, because an earlier attempt without a response may have inserted them. New ones continue the trace in progress.
 */
export async function insertDeliveries(
  docs: DocStore,
  bodies: readonly NewBody[],
  deliveries: readonly NewDelivery[],
): Promise<readonly StoredDelivery[]> {
  const bodyWrites = bodies.map(({ id, ...doc }) => buildInsertion(deliveryBodyCollection.name, id, doc));
  const traceparent = currentTraceparent();
  const inOrder = deliveries
    .map(({ id, doc }) => ({ id, doc: traceparent === undefined ? doc : { ...doc, traceparent } }))
    .toSorted((a, b) => (a.doc.place < b.doc.place ? -1 : a.doc.place > b.doc.place ? 1 : 0));
  const stages = new Map<string, Write[]>();
  for (const { id, doc } of inOrder) {
    const stage = stages.get(doc.place) ?? [];
    stages.set(doc.place, [...stage, buildInsertion(deliveryCollection.name, id, doc)]);
  }
  if ((await docs.write([bodyWrites, ...stages.values()])) === 'ok') return inOrder.map((d) => ({ ...d, guard: '1' }));
  const stored: StoredDelivery[] = [];
  for (const write of bodyWrites) await docs.write([[write]]);
  for (const delivery of inOrder) {
    const write = buildInsertion(deliveryCollection.name, delivery.id, delivery.doc);
    const isNew = (await docs.write([[write]])) === 'ok';
    const found = isNew ? { ...delivery, guard: '1' } : await findDelivery({ docs }, delivery.id);
    if (found) stored.push(found);
  }
  return stored;
}

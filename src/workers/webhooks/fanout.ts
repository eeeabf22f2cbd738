// Fan-out: creates deliveries from the feed, of each subscriber event, each finding of the books and each raw notification to each endpoint
// that receives it.
// Deliveries are inserted before the checkpoint moves, under derived ids, so that a repeat creates no duplicates. Bodies are created here,
// once. Deliveries about an erased customer are erased here too, after all earlier deliveries were created.
import { readRawBody } from '../../adapters/event-log/raw-body.js';
import type { Deps } from '../../commands/handling/deps.js';
import {
  deliveryIdOf,
  insertDeliveries,
  purgeAtOf,
  webhookEventIdOf,
  type NewBody,
  type NewDelivery,
  type StoredDelivery,
} from '../../commands/webhooks/deliveries.js';
import { eraseSentDeliveries, isErased } from '../../commands/subscribers/erasure.js';
import { load } from '../../commands/handling/run-command.js';
import { isReceived } from '../../commands/stores/inbox/inbox.js';
import type { StoredNotification } from '../../commands/stores/store-integration.js';
import { rulesOf } from '../../domain/catalog/catalog.js';
import { findOffering } from '../../domain/catalog/offerings.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf, familyOf, streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { type SubscriberEvent, isImported } from '../../domain/subscriber/events/events.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { messageContextOf } from '../../domain/webhook/event-steps.js';
import { messagesOf, type Message } from '../../domain/webhook/messages.js';
import { bodyOf } from '../../domain/webhook/payload.js';
import { projectMessageOf } from '../../domain/webhook/project-messages.js';
import { revenueCatMessage } from '../../domain/webhook/revenuecat.js';
import type { Reaction } from '../reactions/reaction.js';
import { changeEndpoint, endpointAt, endpointIdOf, endpointsOf, type EndpointDoc } from './endpoints.js';
import { newDelivery, NO_CUSTOMER, receives, type DeliveryBatch, type Target } from './new-deliveries.js';
import { createProjectDeliveries } from './project-deliveries.js';
import { createSubscriberSteps } from './subscriber-steps.js';

/** Called with stored deliveries that are due, so that the sender need not scan for them. */
export type OnNewDeliveries = (deliveries: readonly StoredDelivery[]) => void;
/** Called with the id of an endpoint that has changed. */
export type OnEndpointChange = (endpointId: string) => void;

/** Older events have no deliveries. */
const MAX_STORED_AGE_MS = 30 * 24 * 3600 * 1000;

export function fanoutReaction(deps: Deps, onNew: OnNewDeliveries, onChange: OnEndpointChange): Reaction {
  const steps = createSubscriberSteps(deps.log);
  /** Endpoints by project, cleared by every change, which is a barrier. Changes handled by another process are not noticed here. */
  const cached = new Map<string, readonly EndpointDoc[]>();
  const targets = async (event: RecordedEvent): Promise<readonly Target[]> => {
    const projectId = event.meta.projectId ?? '';
    const docs = cached.get(projectId) ?? (await endpointsOf(deps.docs, projectId));
    cached.set(projectId, docs);
    return docs.flatMap((doc) => {
      const endpoint = endpointAt(doc, event.position);
      return endpoint ? [{ endpointId: doc.endpointId, endpoint }] : [];
    });
  };
  const insert = async (batch: DeliveryBatch) => {
    const stored = await insertDeliveries(deps.docs, batch.bodies, batch.deliveries);
    const now = isoFromMs(deps.runtime.now());
    onNew(stored.filter(({ doc }) => doc.state === 'pending' && doc.claimedBy === null && doc.dueAt <= now));
  };
  return {
    name: 'fanout',
    families: ['subscriber', 'inbox', 'webhook', 'project', 'books'],
    serialKeyOf: (event) =>
      isConfiguration(event) || isOfSubscriber(event) || isReceived(event) || projectMessageOf(event)
        ? event.stream
        : null,
    isBarrier: (event) => isConfiguration(event) || isErased(event),
    startAt: (head) => loadEndpoints(deps, head),
    resetCache: () => cached.clear(),
    handle: async (event) => {
      if (isConfiguration(event)) {
        await changeEndpoint(deps.docs, event);
        cached.clear();
        onChange(endpointIdOf(event) ?? '');
        return;
      }
      if (isErased(event)) await eraseSentDeliveries(deps, event);
      const age = deps.runtime.now() - msFromIso(event.meta.recordedAt);
      if (age > MAX_STORED_AGE_MS) return;
      const message = projectMessageOf(event);
      const all = await targets(event);
      if (isReceived(event)) {
        const raw = all.filter((t) => t.endpoint.kind === 'raw' && t.endpoint.appId === event.data.appId);
        if (raw.length > 0) await insert(await createRawDeliveries(deps, event, raw, age));
      } else if (isOfSubscriber(event) && !isImported(event)) {
        const hooks = all.filter((t) => t.endpoint.kind === 'webhook');
        if (hooks.length > 0) await insert(await createDeliveries(deps, steps, event, hooks, age));
      } else if (message) {
        const hooks = all.filter((t) => t.endpoint.kind === 'webhook');
        if (hooks.length > 0) await insert(createProjectDeliveries(deps, event, message, hooks, age));
      }
    },
  };
}

/** Reads the endpoints as of the head, for a fan-out without a checkpoint. */
async function loadEndpoints({ log, docs }: Deps, head: LogPosition): Promise<void> {
  const { signal } = new AbortController();
  for await (const feed of log.follow({ after: 'start', families: ['webhook', 'project'], max: 1000, signal })) {
    for (const event of feed.events) if (event.position <= head) await changeEndpoint(docs, event);
    if (feed.caughtUp || feed.upTo >= head) return;
  }
}

async function createDeliveries(
  deps: Deps,
  steps: ReturnType<typeof createSubscriberSteps>,
  event: RecordedEvent<SubscriberEvent>,
  targets: readonly Target[],
  age: number,
): Promise<DeliveryBatch> {
  const projectId = event.meta.projectId ?? '';
  const { messages, toRevenueCat } = await createMessages(deps, steps, event, projectId);
  const bodies = new Map<string, NewBody>();
  const deliveries: NewDelivery[] = [];
  const createdAt = isoFromMs(deps.runtime.now());
  for (const [i, original] of messages.entries()) {
    for (const { endpointId, endpoint } of targets) {
      const format = endpoint.payloadFormat;
      const message = format === 'revenuecat' ? toRevenueCat(original) : original;
      if (!message || !receives(endpoint, message)) continue;
      const eventId = webhookEventIdOf(deps.hash, event.id, message.kind);
      const bodyId = `${eventId}|${format}`;
      const payload = { id: eventId, type: message.kind, projectId, ...message.fields };
      const customerId = customerIdOf(event.stream);
      if (!bodies.has(bodyId)) {
        const text = bodyOf(payload, format);
        bodies.set(bodyId, { id: bodyId, text, customerId, causeId: event.id, purgeAt: purgeAtOf(createdAt) });
      }
      const id = deliveryIdOf(deps.hash, endpointId, eventId);
      const lane = endpoint.ordered ? `${endpointId}|${customerId}` : id;
      const about = { projectId, endpointId, eventId, bodyId, type: message.kind, causeId: event.id };
      const appUserId = String(message.fields['appUserId'] ?? '');
      const place = `${event.position}|${String(i).padStart(2, '0')}`;
      deliveries.push({
        id,
        doc: newDelivery({ ...about, appUserId, customerId, lane, place, createdAt }, endpoint, age),
      });
    }
  }
  return { bodies: [...bodies.values()], deliveries };
}

/** Creates raw deliveries: byte for byte, in the app's order of arrival, in one serial queue. */
async function createRawDeliveries(
  deps: Deps,
  event: StoredNotification,
  targets: readonly Target[],
  age: number,
): Promise<DeliveryBatch> {
  const createdAt = isoFromMs(deps.runtime.now());
  const eventId = webhookEventIdOf(deps.hash, event.id, 'RAW');
  const bodyId = `${eventId}|raw`;
  const deliveries = targets.map(({ endpointId, endpoint }) => {
    const id = deliveryIdOf(deps.hash, endpointId, eventId);
    const about = { projectId: event.meta.projectId ?? '', endpointId, eventId, bodyId, type: 'RAW' };
    const order = { lane: endpointId, place: `${event.position}|00`, causeId: event.id, createdAt };
    return { id, doc: newDelivery({ ...about, ...NO_CUSTOMER, ...order }, endpoint, age) };
  });
  const { rawBody, contentType } = event.data;
  const text = await readRawBody(deps.log, rawBody);
  const form = contentType === undefined ? {} : { contentType };
  const body = { id: bodyId, text, ...form, causeId: event.id, purgeAt: purgeAtOf(createdAt) };
  return { bodies: [body], deliveries };
}

/** `toRevenueCat` returns null for a message that RevenueCat would not send. */
type Messages = {
  readonly messages: readonly Message[];
  readonly toRevenueCat: (message: Message) => Message | null;
};

async function createMessages(
  deps: Deps,
  steps: ReturnType<typeof createSubscriberSteps>,
  event: RecordedEvent<SubscriberEvent>,
  projectId: string,
): Promise<Messages> {
  const step = await steps.stepOf(event);
  const { after, charges } = step;
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const project = await deps.projects.get(streams.project(projectId));
  const rules = rulesOf(catalog, project?.sandboxAccess !== 'nobody');
  const giver = event.type === 'PurchaseTransferred' ? event.data.fromCustomerId : null;
  const name = giver === null ? '' : await appUserIdOf(deps, projectId, giver);
  const offeringKeyOf = (id: string) => findOffering(catalog, id)?.lookupKey ?? id;
  return {
    messages: messagesOf(messageContextOf(event, step, rules, () => name)),
    toRevenueCat: (message) => revenueCatMessage(message, { event, after, charges, offeringKeyOf }),
  };
}

async function appUserIdOf({ log }: Deps, projectId: string, customerId: string): Promise<string> {
  const { state } = await load(log, streams.subscriber(projectId, customerId), subscriberDecider);
  return state.profile.appUserId;
}

function isConfiguration(event: RecordedEvent): boolean {
  return endpointIdOf(event) !== null;
}

function isOfSubscriber(event: RecordedEvent): event is RecordedEvent<SubscriberEvent> {
  return familyOf(event.stream) === 'subscriber';
}

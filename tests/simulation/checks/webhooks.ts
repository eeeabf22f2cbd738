// Checks webhooks: each due message was delivered, nothing else was sent, the order holds, and each tenant got only its own messages.
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { createStateCache } from '../../../src/commands/handling/state-cache.js';
import type { Deps } from '../../../src/commands/handling/deps.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import { projectDecider } from '../../../src/domain/project/decide.js';
import { customerIdOf } from '../../../src/domain/streams.js';
import { msFromIso } from '../../../src/domain/time.js';
import { fanoutReaction } from '../../../src/workers/webhooks/fanout.js';
import { senderCollections } from '../../../src/workers/webhooks/sender.js';
import type { Simulation } from '../scenario/simulation.js';
import { readRows } from './read-models.js';
import type { StoredData } from './stored-data.js';

type DueMessage = {
  readonly id: string;
  readonly projectId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly state: string;
  readonly causeId: string;
  readonly customerId: string;
};

export async function checkWebhooks(simulation: Simulation, reader: StoredData): Promise<string[]> {
  const findings: string[] = [];
  const { receivers, tenants, docs } = simulation;
  const urls = new Map(Object.values(tenants).flatMap(({ hooks }) => hooks.map(({ id, url }) => [id, url] as const)));
  const { received } = receivers;
  const at = new Map<string, { count: number; delivered: number }>();
  for (const { url, event, delivered } of received) {
    const key = `${url} ${event.id}`;
    const one = at.get(key) ?? { count: 0, delivered: 0 };
    at.set(key, { count: one.count + 1, delivered: one.delivered + (delivered ? 1 : 0) });
  }
  const due = await listDueMessages(reader);
  const positions = new Map(reader.events.map((e) => [e.id, e.position]));
  const disabled = reader.events.flatMap((e) =>
    e.type === 'WebhookDisabled'
      ? [{ webhookId: (e.data as { webhookId: string }).webhookId, position: e.position }]
      : [],
  );
  const erased = new Set(
    reader.events.flatMap((e) => {
      if (e.type !== 'CustomerErased') return [];
      const { mergedCustomerIds = [] } = e.data as { mergedCustomerIds?: string[] };
      return [customerIdOf(e.stream), ...mergedCustomerIds];
    }),
  );
  for (const { id, endpointId, eventId, causeId, customerId, state } of due) {
    if (state === 'held') continue;
    const key = `${urls.get(endpointId) ?? ''} ${eventId}`;
    if ((at.get(key)?.delivered ?? 0) > 0) continue;
    const record = simulation.deliveries.get(id);
    // Unsent messages are dropped by an erasure.
    if (erased.has(customerId)) continue;
    // All retries failed, or the delivery was held because the endpoint was disabled: it waits for a replay.
    const isDisabled = disabled.some((d) => d.webhookId === endpointId && d.position > (positions.get(causeId) ?? ''));
    if (record && ((record.state === 'held' && isDisabled) || (record.state === 'failed' && record.failures >= 5)))
      continue;
    findings.push(
      `${eventId} of ${causeId} was not delivered to ${urls.get(endpointId)}: ${record ? `${record.state} after ${record.failures} failures` : 'no record'}`,
    );
  }
  const dueByKey = new Map(due.map((d) => [`${urls.get(d.endpointId) ?? ''} ${d.eventId}`, d]));
  for (const { url, event } of received) {
    if (event.type !== 'TEST' && !dueByKey.has(`${url} ${event.id}`))
      findings.push(`${url} got ${event.type} ${event.id}, which was not due`);
  }
  for (const { name, projectId } of Object.values(tenants))
    for (const { url, body, event } of received)
      if (url.includes(`/${name}/`) && !body.includes(projectId))
        findings.push(`${url} got ${event.id} of another project`);
  const isReplayed = simulation.script.steps.some((s) => s.by !== 'faults' && s.act.kind === 'replay-webhook');
  if (!isReplayed) findings.push(...findOrderViolations(simulation));
  if (!isReplayed)
    for (const id of simulation.revertedDeliveries) findings.push(`${id} was delivered and then pending again`);
  for (const { id, doc } of await readRows(docs, deliveryCollection.name))
    if (doc['gate'] !== 'done') findings.push(`${id} is still pending: ${JSON.stringify(doc).slice(0, 300)}`);
  return findings;
}

/** Returns all due messages, from one fan-out over the whole log. */
async function listDueMessages({ log, events, hash }: StoredData): Promise<readonly DueMessage[]> {
  const docs = createMemoryDocuments();
  await docs.ensure(senderCollections);
  let nowMs = 0;
  const deps = {
    log,
    docs,
    hash,
    runtime: { now: () => nowMs },
    catalogs: createStateCache(log, catalogDecider),
    projects: createStateCache(log, projectDecider),
  } as unknown as Deps;
  const fanout = fanoutReaction(
    deps,
    () => undefined,
    () => undefined,
  );
  const due = new Map<string, DueMessage>();
  const collect = async () => {
    for (const { id, doc } of await readRows(docs, deliveryCollection.name))
      due.set(id, { ...(doc as unknown as DueMessage), id });
  };
  for (const event of events) {
    nowMs = msFromIso(event.meta.recordedAt);
    // Collects what the erasure is about to remove.
    if (event.type === 'CustomerErased') await collect();
    if (fanout.serialKeyOf(event) !== null) await fanout.handle(event);
  }
  await collect();
  return [...due.values()];
}

/** Limits of failures, or of time since the first failure, after which a delivery no longer blocks later ones. */
const BLOCKING_LIMITS = { failures: 4, ms: 35 * 60_000 };

/** Returns deliveries that overtook an older one of their queue that was still within its limits. */
function findOrderViolations({ deliveries, receivers, tenants }: Simulation): readonly string[] {
  const violations: string[] = [];
  const first = new Map<string, { readonly n: number; readonly atMs: number }>();
  for (const [n, { url, event, delivered, atMs }] of receivers.received.entries())
    if (delivered && !first.has(`${url} ${event.id}`)) first.set(`${url} ${event.id}`, { n, atMs });
  for (const { hooks } of Object.values(tenants))
    for (const { id: endpointId, url } of hooks.filter((hook) => hook.ordered)) {
      const all = [...deliveries.values()].filter((d) => d.endpointId === endpointId && d.type !== 'TEST');
      for (const lane of new Set(all.map((d) => d.lane))) {
        const inOrder = all.filter((d) => d.lane === lane).sort((a, b) => (a.place < b.place ? -1 : 1));
        for (const [i, earlier] of inOrder.entries()) {
          const mine = first.get(`${url} ${earlier.eventId}`);
          if (!mine || earlier.failures >= BLOCKING_LIMITS.failures) continue;
          const since = earlier.firstFailedAt === null ? mine.atMs : Date.parse(earlier.firstFailedAt);
          for (const later of inOrder.slice(i + 1)) {
            const other = first.get(`${url} ${later.eventId}`);
            if (other && other.n < mine.n && other.atMs - since < BLOCKING_LIMITS.ms)
              violations.push(`${url} got ${later.place} before ${earlier.place} of one customer`);
          }
        }
      }
    }
  return violations;
}

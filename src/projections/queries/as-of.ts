// A customer as it was known at an instant: the documents that the read models had then, folded anew from what was recorded by
// then. What was erased since is not there.
import type { EventLog } from '../../adapters/event-log/port.js';
import { catalogDecider, rulesOf, type Catalog, type CatalogEvent } from '../../domain/catalog/catalog.js';
import type { RecordedEvent, StreamName } from '../../domain/envelope.js';
import { projectDecider } from '../../domain/project/decide.js';
import type { ProjectEvent } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { monthsBetween, utcMonth } from '../../domain/time.js';
import { isKnown } from '../../domain/vocabulary.js';
import { customers, type CustomerDoc } from '../models/customers.js';
import { transactions, type TransactionDoc } from '../models/transactions.js';

/** `transactions` are oldest first. */
export type CustomerAsOf = { readonly doc: CustomerDoc; readonly transactions: readonly TransactionDoc[] };

/** `asOf`: an instant, compared with when things were recorded. Undefined when the customer was not known then, or is erased. */
export async function readCustomerAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerAsOf | undefined> {
  const { events, isErased } = await recordedBy(log, streams.subscriber(projectId, customerId), asOf);
  if (isErased) return undefined;
  const fold = (doc: CustomerDoc | undefined, event: RecordedEvent) =>
    customers.fold(doc, event, customerId, noPeer) ?? undefined;
  const doc = events.reduce<CustomerDoc | undefined>(fold, undefined);
  const merged = doc?.profile.mergedInto;
  if (merged) return readCustomerAsOf(log, projectId, merged.customerId, asOf);
  if (doc?.profile.status !== 'known') return undefined;
  const transactions = await transactionsAsOf(log, projectId, customerId, events);
  return { doc: await sighted(log, doc, asOf), transactions };
}

/** What the catalogue and, by the project's settings, the rules of access were then. */
export async function readRulesAsOf(
  log: EventLog,
  projectId: string,
  asOf: string,
): Promise<{ readonly catalog: Catalog; readonly rules: EntitlementRules }> {
  const catalog = await readCatalogAsOf(log, projectId, asOf);
  const projectEvents = await recordedBy(log, streams.project(projectId), asOf);
  const project = projectEvents.events.reduce(
    (state, event) => projectDecider.evolve(state, event as unknown as ProjectEvent),
    projectDecider.initial(),
  );
  return { catalog, rules: rulesOf(catalog, project?.sandboxAccess !== 'nobody') };
}

export async function readCatalogAsOf(log: EventLog, projectId: string, asOf: string): Promise<Catalog> {
  const { events } = await recordedBy(log, streams.catalog(projectId), asOf);
  return events.reduce(
    (state, event) => catalogDecider.evolve(state, event as unknown as CatalogEvent),
    catalogDecider.initial(),
  );
}

/** These folds look at their own document only. */
const noPeer = (): undefined => undefined;

type Recorded = { readonly events: readonly RecordedEvent[]; readonly isErased: boolean };

/** Recorded times never go back within a stream. `isErased`: the customer was erased later. */
async function recordedBy(log: EventLog, stream: StreamName, asOf: string): Promise<Recorded> {
  const events: RecordedEvent[] = [];
  let isErased = false;
  for await (const event of log.read(stream)) {
    if (event.meta.recordedAt > asOf) isErased ||= event.type === 'CustomerErased';
    else if (isKnown(event)) events.push(event);
  }
  return { events, isErased };
}

/** Lines that came from others were bought in their streams: read those up to the hand-over. */
async function transactionsAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  events: readonly RecordedEvent[],
): Promise<readonly TransactionDoc[]> {
  const history = [...(await withGivers(log, projectId, events, new Set([customerId])))];
  history.sort((a, b) => (a.position < b.position ? -1 : 1));
  const docs = new Map<string, TransactionDoc>();
  for (const event of history) {
    for (const id of transactions.keys(event)) {
      const doc = transactions.fold(docs.get(id), event, id, noPeer);
      if (doc) docs.set(id, doc);
    }
  }
  const own = [...docs.values()].filter((t) => t.customerId === customerId);
  const keyOf = (t: TransactionDoc) => `${t.purchasedAt} ${t.transactionId}`;
  return own.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

async function withGivers(
  log: EventLog,
  projectId: string,
  events: readonly RecordedEvent[],
  visited: Set<string>,
): Promise<readonly RecordedEvent[]> {
  const all = [...events];
  for (const stored of events) {
    const event = stored as unknown as RecordedEvent<SubscriberEvent>;
    if (event.type !== 'PurchaseTransferred' || event.data.direction === 'out') continue;
    const { fromCustomerId } = event.data;
    if (visited.has(fromCustomerId)) continue;
    visited.add(fromCustomerId);
    const given = await recordedBy(log, streams.subscriber(projectId, fromCustomerId), event.meta.recordedAt);
    all.push(...(await withGivers(log, projectId, given.events, visited)));
  }
  return all;
}

/** When the customer was seen last by then, and what the app had sent about its device. */
async function sighted(log: EventLog, doc: CustomerDoc, asOf: string): Promise<CustomerDoc> {
  const { projectId, customerId } = doc;
  let after = doc;
  for (const month of monthsBetween(utcMonth(doc.lastSeenAt), utcMonth(asOf))) {
    const { events } = await recordedBy(log, streams.activity(projectId, month, customerId), asOf);
    const seen = events.filter((e) => e.type === 'CustomerSeen');
    after = seen.reduce((then, event) => customers.fold(then, event, customerId, noPeer) ?? then, after);
  }
  return after;
}

// A customer as known at an instant: the documents of the read models at that time, folded again from the events recorded by then.
// Data that was erased later is not included.
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import { catalogDecider, rulesOf, type Catalog } from '../../domain/catalog/catalog.js';
import type { RecordedEvent, StreamName } from '../../domain/envelope.js';
import { evolveExperiment, type ExperimentState } from '../../domain/experiment/experiment.js';
import { projectDecider } from '../../domain/project/decide.js';
import { streams, type Family } from '../../domain/streams.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import { monthsBetween, utcMonth } from '../../domain/time.js';
import { isKnown, type EventOfFamily } from '../../domain/vocabulary.js';
import { customers, type CustomerDoc } from '../models/customers.js';
import { emptyTargeting, targeting, type TargetingDoc } from '../models/targeting.js';
import { transactions, type TransactionDoc } from '../models/transactions.js';

/** `transactions`: oldest first. */
export type CustomerAsOf = { readonly doc: CustomerDoc; readonly transactions: readonly TransactionDoc[] };

/** `asOf`: instant, compared with recording times. Returns undefined if the customer was unknown then or was erased later. */
export async function readCustomerAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerAsOf | undefined> {
  const { events, isErased } = await readRecordedBy(log, streams.subscriber(projectId, customerId), asOf);
  if (isErased) return undefined;
  const fold = (doc: CustomerDoc | undefined, event: RecordedEvent) =>
    customers.fold(doc, event, customerId, noPeer) ?? undefined;
  const doc = events.reduce<CustomerDoc | undefined>(fold, undefined);
  const merged = doc?.profile.mergedInto;
  if (merged) return readCustomerAsOf(log, projectId, merged.customerId, asOf);
  if (doc?.profile.status !== 'known') return undefined;
  const transactions = await transactionsAsOf(log, projectId, customerId, events);
  return { doc: await withActivity(log, doc, asOf), transactions };
}

/** Returns the catalogue at `asOf` and the access rules that follow from it and the project's settings. */
export async function readRulesAsOf(
  log: EventLog,
  projectId: string,
  asOf: string,
): Promise<{ readonly catalog: Catalog; readonly rules: EntitlementRules }> {
  const catalog = await readCatalogAsOf(log, projectId, asOf);
  const projectEvents = await readRecordedBy(log, streams.project(projectId), asOf);
  const project = projectEvents.events.reduce(
    (state, event) => projectDecider.evolve(state, event),
    projectDecider.initial(),
  );
  return { catalog, rules: rulesOf(catalog, project?.sandboxAccess !== 'nobody') };
}

export async function readCatalogAsOf(log: EventLog, projectId: string, asOf: string): Promise<Catalog> {
  const { events } = await readRecordedBy(log, streams.catalog(projectId), asOf);
  return events.reduce((state, event) => catalogDecider.evolve(state, event), catalogDecider.initial());
}

export async function readTargetingAsOf(log: EventLog, projectId: string, asOf: string): Promise<TargetingDoc> {
  const { events } = await readRecordedBy(log, streams.catalog(projectId), asOf);
  const fold = (doc: TargetingDoc, event: RecordedEvent) => targeting.fold(doc, event, projectId, noPeer) ?? doc;
  return events.reduce(fold, emptyTargeting(projectId));
}

/** Returns true if the experiment gave its participants a variant at `asOf`; a paused one does. */
export async function readRunningExperimentAsOf(
  log: EventLog,
  projectId: string,
  experimentId: string,
  asOf: string,
): Promise<boolean> {
  const { events } = await readRecordedBy(log, streams.experiment(projectId, experimentId), asOf);
  const state = events.reduce<ExperimentState>((x, e) => evolveExperiment(x, e), null);
  return state?.status === 'running' || state?.status === 'paused';
}

/** Stub: the folds of customers and transactions never read another document. */
const noPeer = (): undefined => undefined;

type RecordedHistory<F extends Family> = { readonly events: readonly EventOfFamily<F>[]; readonly isErased: boolean };

/** Returns the events recorded by `asOf`. Recording times never decrease within a stream. `isErased`: the customer was erased later. */
async function readRecordedBy<F extends Family>(
  log: EventLog,
  stream: StreamName<F>,
  asOf: string,
): Promise<RecordedHistory<F>> {
  const events: EventOfFamily<F>[] = [];
  let isErased = false;
  for await (const event of readStream(log, stream)) {
    if (event.meta.recordedAt > asOf) isErased ||= event.type === 'CustomerErased';
    else if (isKnown(event)) events.push(event);
  }
  return { events, isErased };
}

/** Includes lines transferred from other customers: their streams are read up to the transfer. */
async function transactionsAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  events: readonly EventOfFamily<'subscriber'>[],
): Promise<readonly TransactionDoc[]> {
  const history = [...(await withPreviousOwners(log, projectId, events, new Set([customerId])))];
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

async function withPreviousOwners(
  log: EventLog,
  projectId: string,
  events: readonly EventOfFamily<'subscriber'>[],
  visited: Set<string>,
): Promise<readonly EventOfFamily<'subscriber'>[]> {
  const all = [...events];
  for (const event of events) {
    if (event.type !== 'PurchaseTransferred' || event.data.direction === 'out') continue;
    const { fromCustomerId } = event.data;
    if (visited.has(fromCustomerId)) continue;
    visited.add(fromCustomerId);
    const former = await readRecordedBy(log, streams.subscriber(projectId, fromCustomerId), event.meta.recordedAt);
    all.push(...(await withPreviousOwners(log, projectId, former.events, visited)));
  }
  return all;
}

/** Adds the last-seen time and the reported device as of `asOf`. */
async function withActivity(log: EventLog, doc: CustomerDoc, asOf: string): Promise<CustomerDoc> {
  const { projectId, customerId } = doc;
  let after = doc;
  for (const month of monthsBetween(utcMonth(doc.lastSeenAt), utcMonth(asOf))) {
    const { events } = await readRecordedBy(log, streams.activity(projectId, month, customerId), asOf);
    const visits = events.filter((e) => e.type === 'CustomerSeen');
    after = visits.reduce((then, event) => customers.fold(then, event, customerId, noPeer) ?? then, after);
  }
  return after;
}

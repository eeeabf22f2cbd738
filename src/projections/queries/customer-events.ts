// A customer's events as they are in the log: its own stream, and those of the customers merged into it.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile } from '../../domain/subscriber/state/state.js';
import { isKnown } from '../../domain/vocabulary.js';

/** The events of one stream, oldest first. */
export type EventHistory = readonly RecordedEvent<SubscriberEvent>[];

/** The customer's own, then those of the customers merged into it. */
export type CustomerEvents = readonly [EventHistory, ...EventHistory[]];

/** `asOf`: only what was recorded by then (ISO 8601 UTC); undefined: all. */
export async function readCustomerEvents(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf?: string,
): Promise<CustomerEvents> {
  const { own } = await readOwn(log, projectId, customerId, asOf);
  return withMerged(log, projectId, own, asOf);
}

/** The same of the customer that it had become by then. Undefined when it was not known then, or was erased since. */
export async function readCustomerEventsAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerEvents | undefined> {
  const { own, isErased } = await readOwn(log, projectId, customerId, asOf);
  if (isErased) return undefined;
  const { status, mergedInto } = own.filter(isKnown).reduce(evolveProfile, noProfile);
  if (mergedInto) return readCustomerEventsAsOf(log, projectId, mergedInto.customerId, asOf);
  return status === 'known' ? withMerged(log, projectId, own, asOf) : undefined;
}

/** `isErased`: after `asOf`. Recorded times never go back within a stream. */
async function readOwn(log: EventLog, projectId: string, customerId: string, asOf: string | undefined) {
  const own: RecordedEvent<SubscriberEvent>[] = [];
  let isErased = false;
  for await (const event of log.read(streams.subscriber(projectId, customerId))) {
    if (asOf !== undefined && event.meta.recordedAt > asOf) isErased ||= event.type === 'CustomerErased';
    else own.push(event as unknown as RecordedEvent<SubscriberEvent>);
  }
  return { own, isErased };
}

async function withMerged(
  log: EventLog,
  projectId: string,
  own: EventHistory,
  asOf: string | undefined,
): Promise<CustomerEvents> {
  const merged = own.flatMap((e) => (e.type === 'CustomerMerged' ? [e.data.mergedCustomerId] : []));
  const others = await Promise.all(merged.map((id) => readCustomerEvents(log, projectId, id, asOf)));
  return [own, ...others.flat()];
}

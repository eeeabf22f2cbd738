// Effect of a notification on the customer's timeline: its events, or else the earlier events that it confirms.
import { z } from 'zod';
import type { NotificationDetails } from '../../commands/stores/inbox/notifications.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { isBookkeeping } from '../../projections/queries/timeline-revisions.js';
import { timelineOf } from '../../projections/queries/timeline.js';
import { readCustomerHistory } from '../customers/as-of.js';
import { findCustomer } from '../customers/find-customer.js';
import type { ActorViewer } from '../bodies/actors.js';
import { presentEntries } from '../customers/present.js';
import type { Services } from '../dispatch/services.js';

type CustomerEvent = RecordedEvent<SubscriberEvent>;

/**
 * Reads the effect. `eventIds` excludes bookkeeping events of the order of arrival, which no timeline shows. `confirms` is empty if there
 * are `events`.
 */
export async function readResultingEvents(
  services: Services,
  { projectId, caller }: ActorViewer,
  { customerId, received, eventIds }: NotificationDetails,
) {
  const owner = customerId === null ? undefined : await findCustomer(services, projectId, customerId);
  if (!owner) return { eventIds, events: [], confirms: [] };
  const { histories, rules } = await readCustomerHistory(services, projectId, owner.customerId);
  const all: readonly CustomerEvent[] = histories.flat();
  const hidden = all.filter((e) => isBookkeeping(e) && e.meta.correlationId === received.stream);
  const hiddenIds = new Set(hidden.map((e) => e.id));
  const ofNotification = (e: RecordedEvent) => e.meta.correlationId === received.stream;
  const events = timelineOf(histories, rules, [], (shown) => shown.filter(ofNotification));
  const named = new Set(hidden.flatMap(transactionsOf));
  const isConfirmed = (e: RecordedEvent) => !ofNotification(e) && named.has(transactionOf(e) ?? '');
  const confirms = events.length > 0 ? [] : timelineOf(histories, rules, [], (shown) => shown.filter(isConfirmed));
  return {
    eventIds: eventIds.filter((id) => !hiddenIds.has(id)),
    events: await presentEntries(services, { projectId, caller }, events),
    confirms: await presentEntries(services, { projectId, caller }, confirms),
  };
}

const purchase = z.looseObject({ purchase: z.looseObject({ transactionId: z.string() }).optional() });
const updateCommands = z.array(purchase);

/** Returns the transaction IDs of the retained update. */
function transactionsOf({ meta }: CustomerEvent): readonly string[] {
  const commands = updateCommands.safeParse(meta.update ? JSON.parse(meta.update.commands) : []);
  return commands.success ? commands.data.flatMap((c) => c.purchase?.transactionId ?? []) : [];
}

function transactionOf({ data }: RecordedEvent): string | undefined {
  const found = purchase.safeParse(data);
  return found.success ? found.data.purchase?.transactionId : undefined;
}

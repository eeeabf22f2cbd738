// Erases a customer's data: rotates the data keys, so that later data is sealed with new ones; appends the event, which contains the former
// keys; then deletes those keys, which makes everything sealed with them unreadable, and the deliveries to webhooks. Reactions finish an
// interrupted erasure.
import { replaceRecord, updateRecord, scanRecords } from '../../adapters/documents/records.js';
import type { LogPosition, RecordedEvent, StreamName } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { customerIdOf, streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { load, runCommand } from '../handling/run-command.js';
import { deliveryBodyCollection, deliveryCollection } from '../webhooks/deliveries.js';
import { resolveCustomer } from './line-ownership.js';
import { readStream } from '../../adapters/event-log/port.js';

type ErasedEvent = Extract<RecordedEvent<SubscriberEvent>, { type: 'CustomerErased' }>;

type ErasureDeps = Pick<Deps, 'log' | 'docs' | 'runtime' | 'hash' | 'dataKeys' | 'mutex'>;

export type Erasure = { readonly customerId: string; readonly position: LogPosition | null };

/** Erases the customer and all that were merged into it. Throws {@link Rejection} for a customer that is unknown or erased already. */
export async function eraseSubscriber(
  deps: ErasureDeps,
  by: Requester,
  projectId: string,
  appUserId: string,
): Promise<Erasure> {
  const { customerId } = await resolveCustomer(deps, projectId, appUserId);
  const stream = streams.subscriber(projectId, customerId);
  const { state } = await load(deps.log, stream, subscriberDecider);
  if (state.profile.status !== 'known') throw new Rejection('missing', 'subscriber-unknown', 'subscriber not found');
  let subjects: readonly string[] = [];
  let keys: readonly KeysToErase[] = [];
  // The order matters: earlier content of the stream was sealed with the keys that end, and nothing after the event is.
  const read = async (name: StreamName) => {
    const loaded = await load(deps.log, name, subscriberDecider);
    subjects = await subjectsOf(deps, projectId, customerId);
    keys = await replaceKeys(deps, subjects);
    return loaded;
  };
  const erase = () => [{ kind: 'erase' as const, keys, mergedCustomerIds: subjects.slice(1) }];
  const ctx = contextOf(by, projectId);
  const { position } = await deps.mutex.run(stream, () =>
    runCommand(deps, stream, subscriberDecider, erase, ctx, read),
  );
  for (const { subject, guard } of keys) await deps.dataKeys.erase(subject, guard);
  if (position !== null) await eraseDeliveries(deps, projectId, subjects, position);
  return { customerId, position };
}

/** `guard`: identifies the keys. */
type KeysToErase = { readonly subject: string; readonly guard: string };

async function replaceKeys({ dataKeys }: ErasureDeps, subjects: readonly string[]): Promise<readonly KeysToErase[]> {
  const turned = subjects.map(async (subject) => {
    const guard = await dataKeys.rotate(subject);
    return guard === null ? [] : [{ subject, guard }];
  });
  return (await Promise.all(turned)).flat();
}

/** Safe to repeat, also after the customer has been created again. */
export async function eraseKeys({ dataKeys }: Pick<Deps, 'dataKeys'>, event: ErasedEvent): Promise<void> {
  for (const { subject, guard } of event.data.keys) await dataKeys.erase(subject, guard);
}

/** Erases the deliveries sent until then. Safe to repeat, also after the customer has been created again. */
export async function eraseSentDeliveries(deps: Pick<Deps, 'log' | 'docs'>, event: ErasedEvent): Promise<void> {
  const projectId = event.meta.projectId ?? '';
  const subjects = await subjectsOf(deps, projectId, customerIdOf(event.stream), event.position);
  await eraseDeliveries(deps, projectId, subjects, event.position);
}

/**
 * Returns the customer, then all who were merged into it, directly or through others. Only merges before `until`, if given: customers
 * merged into a recreated customer were never erased.
 */
async function subjectsOf(
  deps: Pick<Deps, 'log'>,
  projectId: string,
  customerId: string,
  until?: LogPosition,
): Promise<readonly string[]> {
  const all = [customerId];
  for await (const event of readStream(deps.log, streams.subscriber(projectId, customerId))) {
    if (until !== undefined && event.position >= until) break;
    if (event.type === 'CustomerMerged')
      all.push(...(await subjectsOf(deps, projectId, event.data.mergedCustomerId, until)));
  }
  return all;
}

export function isErased(event: RecordedEvent): event is ErasedEvent {
  return event.type === 'CustomerErased';
}

const BATCH = 200;

/** `subjects`: customer IDs. Erases only deliveries of events before `until`: a recreated customer keeps the rest. Safe to repeat. */
async function eraseDeliveries(
  { log, docs }: Pick<Deps, 'log' | 'docs'>,
  projectId: string,
  subjects: readonly string[],
  until: LogPosition,
): Promise<void> {
  for (const subject of subjects) {
    await eraseAll({ docs }, { index: 'customer', eq: [subject], to: until });
    const causes = new Set<string>();
    for await (const event of log.read(streams.subscriber(projectId, subject))) {
      if (event.position < until && isOfStore(event)) causes.add(event.meta.causationId);
    }
    for (const cause of causes) await eraseAll({ docs }, { index: 'cause', eq: [cause] });
  }
}

function isOfStore({ meta }: RecordedEvent): boolean {
  return meta.actor.kind === 'store';
}

async function eraseAll(
  { docs }: Pick<Deps, 'docs'>,
  scan: { readonly index: string; readonly eq: readonly string[]; readonly to?: string },
): Promise<void> {
  for (;;) {
    const { rows } = await scanRecords(docs, deliveryCollection.name, { ...scan, limit: BATCH });
    if (rows.length === 0) return;
    // Erases the body first: without the record it could not be found.
    await eraseBodies({ docs }, [...new Set(rows.map(({ doc }) => doc.bodyId))]);
    // A sender may be recording an attempt at the same time.
    await Promise.all(rows.map(({ id }) => updateRecord(docs, deliveryCollection.name, id, () => null)));
  }
}

async function eraseBodies({ docs }: Pick<Deps, 'docs'>, ids: readonly string[]): Promise<void> {
  const c = deliveryBodyCollection.name;
  for (const [id, { guard, doc }] of await docs.get(c, ids)) {
    if (doc !== null) await replaceRecord(docs, c, { id, guard }, null);
  }
}

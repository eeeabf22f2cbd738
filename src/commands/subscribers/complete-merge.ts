// Transfer of a merged customer's data other than purchases, once, to the customer it was merged into. The target is found by following the
// pointers to the first customer that is not merged, unless one on the way has taken the data over already.
import { commandIds } from '../handling/command-ids.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Owner } from '../../domain/purchase/purchase.js';
import { customerIdOf, streams } from '../../domain/streams.js';
import type { CarriedData } from '../../domain/subscriber/decide/commands.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { MergedElsewhere } from '../../domain/errors.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import type { Deps } from '../handling/deps.js';
import type { CommandContext } from '../handling/run-command.js';
import { loadSubscriber, runOnStream } from './subscriber-states.js';
import { runOnCustomer } from './subscribers.js';
import { readStream } from '../../adapters/event-log/port.js';

export type MergedIntoEvent = Extract<RecordedEvent<SubscriberEvent>, { type: 'CustomerMergedInto' }>;

type Merge = { readonly event: MergedIntoEvent; readonly mergedAppUserId: string; readonly carried: CarriedData };

/** Safe to repeat. Has no effect for a customer who was not merged. */
export async function completeMerge(deps: Deps, projectId: string, mergedCustomerId: string): Promise<void> {
  const merge = await findMerge(deps, projectId, mergedCustomerId);
  if (!merge) return;
  const { event, mergedAppUserId, carried } = merge;
  const { customerId, appUserId } = event.data;
  const command = { kind: 'mergeIn' as const, mergedCustomerId, mergedAppUserId, ...carried };
  for (let target: { customerId: string; appUserId: string } | null = { customerId, appUserId }; target !== null;) {
    const stream = streams.subscriber(projectId, target.customerId);
    const { profile } = (await loadSubscriber(deps, stream)).state;
    if (profile.aliases.includes(mergedAppUserId)) return;
    if (profile.mergedInto === null) {
      const introduce = { kind: 'registerCustomer' as const, appUserId: target.appUserId, source: 'sdk' as const };
      try {
        await runOnCustomer(deps, projectId, target.appUserId, [introduce, command], mergeContext(event));
        return;
      } catch (err) {
        // Merged between the read and the append: the next read finds the pointer.
        if (!(err instanceof MergedElsewhere)) throw err;
        continue;
      }
    }
    target = profile.mergedInto;
  }
}

/**
 * Completes the merges of several customers into this one, as one append: each is the command that {@link completeMerge} runs. Throws
 * {@link MergedElsewhere} if it was merged itself.
 */
export async function completeMergesInto(
  deps: Deps,
  projectId: string,
  target: Owner,
  mergedCustomerIds: readonly string[],
): Promise<void> {
  const merges = await Promise.all(mergedCustomerIds.map((id) => findMerge(deps, projectId, id)));
  const parts = merges.flatMap((merge) => {
    if (merge?.event.data.customerId !== target.customerId) return [];
    const { event, mergedAppUserId, carried } = merge;
    const mergedCustomerId = customerIdOf(event.stream);
    const commands = [
      { kind: 'registerCustomer' as const, appUserId: target.appUserId, source: 'sdk' as const },
      { kind: 'mergeIn' as const, mergedCustomerId, mergedAppUserId, ...carried },
    ];
    return [{ ...mergeContext(event), commands }];
  });
  const last = parts.at(-1);
  if (!last) return;
  const { commands, ...ctx } = last;
  await runOnStream(deps, streams.subscriber(projectId, target.customerId), commands, ctx, parts.slice(0, -1));
}

/** Returns the command context of the consequences of a merge. */
export function mergeContext({ id, meta }: MergedIntoEvent): CommandContext {
  const { actor, correlationId, projectId = '' } = meta;
  return { commandId: commandIds.mergeCompleted(id), actor, correlationId, causationId: id, projectId };
}

/** Returns the event that made the customer a pointer, with its previous state. */
export async function findMerge(deps: Deps, projectId: string, mergedCustomerId: string): Promise<Merge | undefined> {
  let profile: Profile = noProfile;
  for await (const event of readStream(deps.log, streams.subscriber(projectId, mergedCustomerId))) {
    if (event.type === 'CustomerMergedInto') {
      const {
        appUserId: mergedAppUserId,
        first,
        aliases,
        attributes,
        trust,
        grants,
        experiments,
        downloads,
        spentMicros,
      } = profile;
      const more = downloads && { downloads };
      const carried = { first, aliases, attributes, trust, grants, experiments, ...more, spentMicros };
      return { event, mergedAppUserId, carried };
    }
    profile = evolveProfile(profile, event);
  }
  return undefined;
}

// Merges an anonymous customer into an identified one. Its stream becomes a pointer first, so that nothing new lands there; what it had
// follows: its purchase lines one by one, the rest at once. What a crash cuts off is finished by a reaction.
import { commandIds } from '../handling/command-ids.js';
import { MergedElsewhere, Rejection } from '../../domain/errors.js';
import { isAnonymous } from '../../domain/ids.js';
import { inMergeOrder, type Owner } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { chainsOf } from '../../domain/subscriber/state/line.js';
import { completeMerge, mergeContext, mergeOf } from './complete-merge.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { followMerge, inTurn, resolveOwner, streamOf, whoIs } from './line-ownership.js';
import { load, runCommand, type CommandContext } from '../handling/run-command.js';

/**
 * Merges `previous`, the customer before logging in, with `appUserId`. Nothing when `previous` is unknown, or identified by now.
 * Refuses an identified name. An anonymous name is its own proof: drawn by the app, or derived under the log's key, nobody else can work
 * it out.
 */
export async function mergeAnonymous(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly appUserId: string; readonly previous: string },
): Promise<void> {
  if (!isAnonymous(o.previous)) {
    const text = 'previousAppUserId must be anonymous ($anon:…); purchases of an identified user move with a receipt';
    throw new Rejection('invalid', 'not-anonymous', text);
  }
  const previous = await whoIs(deps, projectId, o.previous);
  if (!isAnonymous(previous.appUserId)) return;
  const { state } = await load(deps.log, streams.subscriber(projectId, previous.customerId), subscriberDecider);
  if (state.profile.status !== 'known') return;
  const next = await whoIs(deps, projectId, o.appUserId);
  if (next.customerId === previous.customerId) return;
  const merged = inMergeOrder(previous, next);
  await pointTo(deps, projectId, merged, { ...contextOf(by, projectId), commandId: commandIds.merge(by.requestId) });
  await finishMerge(deps, projectId, merged.goes.customerId);
}

/** The customer that goes becomes a pointer to the one that stays; nothing when it is one already. */
export async function pointTo(
  deps: Deps,
  projectId: string,
  { goes, stays }: { readonly goes: Owner; readonly stays: Owner },
  ctx: CommandContext,
): Promise<void> {
  const stream = streams.subscriber(projectId, goes.customerId);
  const introduce = { kind: 'registerCustomer' as const, appUserId: goes.appUserId, source: 'sdk' as const };
  const point = { kind: 'mergeInto' as const, ...stays };
  try {
    await deps.mutex.run(stream, () => runCommand(deps, stream, subscriberDecider, [introduce, point], ctx));
  } catch (err) {
    if (!(err instanceof MergedElsewhere)) throw err;
  }
}

/** What is left to do of a merge; safe to repeat. */
export async function finishMerge(deps: Deps, projectId: string, mergedCustomerId: string): Promise<void> {
  const merge = await mergeOf(deps, projectId, mergedCustomerId);
  if (!merge) return;
  const { event } = merge;
  const stream = streams.subscriber(projectId, mergedCustomerId);
  const { state } = await load(deps.log, stream, subscriberDecider);
  for (const chain of chainsOf(state)) {
    const line = { projectId, ...chain };
    await inTurn(deps, streamOf(deps, line), async () => {
      const lineOwner = await resolveOwner(deps, line, event.data.appUserId, { source: 'store' }, mergeContext(event));
      await followMerge(deps, line, lineOwner, mergeContext(event));
    });
  }
  await completeMerge(deps, projectId, mergedCustomerId);
}

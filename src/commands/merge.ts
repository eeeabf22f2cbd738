// An anonymous customer turns out to be somebody. Its stream becomes a pointer first, so that nothing new lands there; what it held
// follows: its purchase lines one by one, the rest at once. What a crash cuts off is finished by a reaction.
import { Rejection } from '../domain/decider.js';
import { customerId, isAnonymous } from '../domain/ids.js';
import { streams } from '../domain/streams.js';
import { subscriberDecider } from '../domain/subscriber/decide.js';
import { chainsOf } from '../domain/subscriber/state.js';
import { completeMerge, mergeContext, mergeOf } from './complete-merge.js';
import { contextOf, type Deps, type Requester } from './deps.js';
import { followMerge, inLane, settledOwner, streamOf, whoIs } from './line-ownership.js';
import { load, runCommand } from './run-command.js';

/**
 * Whoever was `previous` before logging in is `appUserId`. Nothing when there was nobody, or when that one was merged before. Refuses an
 * identified customer. An anonymous name is its own proof: drawn by the app, or derived under the log's key, nobody else can work it out.
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
  const from = customerId(deps.hash, projectId, o.previous);
  const stream = streams.subscriber(projectId, from);
  const { state } = await load(deps.log, stream, subscriberDecider);
  if (state.profile.status !== 'known') return;
  const into = await whoIs(deps, projectId, o.appUserId);
  if (into.customerId === from) return;
  const ctx = { ...contextOf(by, projectId), commandId: `merge|${by.requestId}` };
  const command = { kind: 'mergeInto' as const, ...into };
  await deps.lanes.run(stream, () => runCommand(deps, stream, subscriberDecider, [command], ctx));
  await finishMerge(deps, projectId, from);
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
    await inLane(deps, streamOf(deps, line), async () => {
      const held = await settledOwner(deps, line, event.data.appUserId, 'receipt', mergeContext(event));
      await followMerge(deps, line, held, mergeContext(event));
    });
  }
  await completeMerge(deps, projectId, mergedCustomerId);
}

// Ownership of a purchase line: the `purchase-` stream decides. A change of owner is recorded there first and finished in both subscriber
// streams afterwards, with IDs that make a repeat harmless. Code that reads the owner and then writes to its stream holds the mutex of the
// line: a change of owner in between would leave the events with the former one.
import { commandIds } from '../handling/command-ids.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import type { Revision, StreamName } from '../../domain/envelope.js';
import { customerId } from '../../domain/ids.js';
import type { SentAccountToken } from '../../domain/purchase/account-token.js';
import { orderForMerge, purchaseDecider, type Owner, type OwnershipSource } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import type { AppStore } from '../../domain/store-kinds.js';
import type { PurchaseLine } from '../../domain/subscriber/state/state.js';
import { completeMerge } from './complete-merge.js';
import type { Deps } from '../handling/deps.js';
import { runCommand, type CommandContext } from '../handling/run-command.js';
import { loadSubscriber, runOnStream } from './subscriber-states.js';
import { runOnSubscriber } from './subscribers.js';
import type { EventOfFamily } from '../../domain/vocabulary.js';
import { readStream } from '../../adapters/event-log/port.js';

export type Line = { readonly projectId: string; readonly store: AppStore; readonly storeChainId: string };
export type OwnerChangedEvent = Extract<EventOfFamily<'purchase'>, { type: 'PurchaseOwnerChanged' }>;

/** `statedAt`: time of the newest row of an import that names the owner; empty for none. `since`: event that determined or last confirmed the owner. */
export type LineOwner = {
  readonly owner: Owner;
  readonly source: OwnershipSource;
  readonly statedAt: string;
  readonly since: string;
};

/** Basis of a claim to a line: a receipt or a store message, and the account token that came with it; or a row of an import, and its time. */
export type Claim = {
  readonly source: OwnershipSource;
  readonly accountToken?: SentAccountToken | null;
  readonly statedAt?: string;
};

/** Returns the line's owner, claimed for `appUserId` when there is none; finishes an unfinished change of owner first. */
export async function resolveOwner(
  deps: Deps,
  line: Line,
  appUserId: string,
  claim: Claim,
  ctx: CommandContext,
): Promise<LineOwner> {
  const stream = streamOf(deps, line);
  const { owner, changed, ...known } = await ownershipOf(deps, stream);
  // Only the request that names the new owner is trusted for that name.
  const isTrusted = ctx.isTrusted === true && changed?.meta.correlationId === ctx.correlationId;
  if (changed) await completeTransfer(deps, line.projectId, changed, isTrusted);
  if (owner) return { owner, ...known };
  const { storeChainId, store } = line;
  const to = { customerId: customerId(deps.hash, line.projectId, appUserId), appUserId };
  const command = { kind: 'claim' as const, storeChainId, store, ...to, ...claim };
  const ran = await deps.mutex.run(stream, () => runCommand(deps, stream, purchaseDecider, [command], ctx));
  const [claimId] = ran.eventIds;
  if (ran.state !== ran.before && ran.state.owner && claimId)
    return { owner: ran.state.owner, source: ran.state.source, statedAt: ran.state.statedAt, since: claimId };
  const { owner: claimant, changed: _, ...claimed } = await ownershipOf(deps, stream);
  if (!claimant) throw new Error(`${stream} has no owner after its claim`);
  return { owner: claimant, ...claimed };
}

/** Records a receipt of the owner, or an account token, if it is new for the line. Returns the resulting ownership. */
export async function confirmOwner(
  deps: Deps,
  line: Line,
  current: LineOwner,
  claim: Claim,
  ctx: CommandContext,
): Promise<LineOwner> {
  const stream = streamOf(deps, line);
  const { storeChainId, store } = line;
  const command = { kind: 'claim' as const, storeChainId, store, ...current.owner, ...claim };
  const commandId = commandIds.lineOwner(ctx.commandId, current.since);
  const confirm = () => runCommand(deps, stream, purchaseDecider, [command], { ...ctx, commandId });
  const { state, eventIds } = await deps.mutex.run(stream, confirm);
  const [since = current.since] = eventIds;
  return { ...current, source: state.source, statedAt: state.statedAt, since };
}

/** The command ID contains the change that it reverses: the same receipt may take the line back again after another change. */
export async function changeOwner(
  deps: Deps,
  line: Line,
  { owner: from, since }: LineOwner,
  to: Owner,
  change: Claim & { readonly reason: OwnerChangedEvent['data']['reason']; readonly note?: string },
  ctx: CommandContext,
): Promise<LineOwner> {
  const stream = streamOf(deps, line);
  const about = { storeChainId: line.storeChainId, from, to, ...change };
  const command = { kind: 'changeOwner' as const, ...about };
  const commandId = commandIds.lineOwner(ctx.commandId, since);
  await deps.mutex.run(stream, () => runCommand(deps, stream, purchaseDecider, [command], { ...ctx, commandId }));
  return resolveOwner(deps, line, to.appUserId, change, ctx);
}

/** Transfers the line to the merge target if the owner was merged into another customer. */
export async function followMerge(deps: Deps, line: Line, current: LineOwner, ctx: CommandContext): Promise<LineOwner> {
  const survivor = await resolveCustomer(deps, line.projectId, current.owner.appUserId);
  if (survivor.customerId === current.owner.customerId) return current;
  return changeOwner(deps, line, current, survivor, { reason: 'merge', source: current.source }, ctx);
}

/** Returns the current customer of an app user id, following merges; it need not exist yet. Writes nothing. */
export async function resolveCustomer(
  deps: Pick<Deps, 'log' | 'hash' | 'keptStates'>,
  projectId: string,
  appUserId: string,
): Promise<Owner> {
  const id = customerId(deps.hash, projectId, appUserId);
  const { state } = await loadSubscriber(deps, streams.subscriber(projectId, id));
  const { mergedInto } = state.profile;
  return mergedInto ? resolveCustomer(deps, projectId, mergedInto.appUserId) : { customerId: id, appUserId };
}

/** Finishes a change of owner after a crash. An older change was finished before a newer one was recorded: it is not repeated. */
export function finishTransfer(deps: Deps, event: OwnerChangedEvent): Promise<void> {
  return withLineLock(deps, event.stream, async () => {
    const { changed } = await ownershipOf(deps, event.stream);
    if (changed?.id === event.id) await completeTransfer(deps, event.meta.projectId ?? '', event);
  });
}

/**
 * Releases the line in the former owner's stream and takes it in the new owner's: two command ids, since both may be one stream after
 * merges. Safe to repeat while it is the line's latest change of owner.
 */
async function completeTransfer(
  deps: Deps,
  projectId: string,
  event: OwnerChangedEvent,
  isTrusted = false,
): Promise<void> {
  const { storeChainId, fromCustomerId, fromAppUserId, toCustomerId, toAppUserId, reason } = event.data;
  const { actor, correlationId } = event.meta;
  const shared = { actor, correlationId, causationId: event.id, projectId };
  const [release, take] = [
    { ...shared, commandId: commandIds.lineReleased(event.id) },
    { ...shared, commandId: commandIds.lineTaken(event.id) },
  ];
  const transfer = { fromCustomerId, toCustomerId, storeChainId, reason };
  const giver = streams.subscriber(projectId, fromCustomerId);
  const releaseCommand = { kind: 'releaseLine' as const, ...transfer };
  const [from, to] = [
    { customerId: fromCustomerId, appUserId: fromAppUserId },
    { customerId: toCustomerId, appUserId: toAppUserId },
  ];
  const isPointer = reason === 'merge' && orderForMerge(from, to).absorbed === from;
  const commands = isPointer ? [releaseCommand, { kind: 'mergeInto' as const, ...to }] : [releaseCommand];
  const { revision, appended } = await runOnStream(deps, giver, commands, release);
  const before = (revision ?? -1) - appended.length;
  const line = await findReleasedLine(deps, giver, release.commandId, appended.length > 0 ? before : undefined);
  const takeCommands = line ? [{ kind: 'takeLine' as const, ...transfer, line }] : [];
  const introduce = { kind: 'registerCustomer' as const, appUserId: toAppUserId, source: 'sdk' as const, isTrusted };
  await runOnSubscriber(deps, projectId, toAppUserId, [introduce, ...takeCommands], take);
  if (reason === 'merge') await completeMerge(deps, projectId, fromCustomerId);
}

/** `changed`: the latest change of owner. */
type Ownership = Omit<LineOwner, 'owner'> & {
  readonly owner: Owner | null;
  readonly changed: OwnerChangedEvent | undefined;
};

export async function ownershipOf(deps: Pick<Deps, 'log'>, stream: StreamName<'purchase'>): Promise<Ownership> {
  let state = purchaseDecider.initial();
  let since = '';
  let changed: OwnerChangedEvent | undefined;
  let isImported = false;
  for await (const event of readStream(deps.log, stream)) {
    state = purchaseDecider.evolve(state, event);
    since = event.id;
    if (event.type === 'PurchaseOwnerChanged') changed = event;
    isImported = event.meta.actor.kind === 'import';
  }
  const { owner, statedAt } = state;
  // Imports of earlier versions claimed lines like receipts.
  const source = isImported && state.source === 'receipt' ? 'import' : state.source;
  return { owner, source, statedAt, since, changed };
}

/** `after`: revision after which the command was appended, if that is known. */
async function findReleasedLine(
  deps: Deps,
  giver: StreamName<'subscriber'>,
  commandId: string,
  after: Revision | undefined,
): Promise<PurchaseLine | null> {
  for await (const released of readStream(deps.log, giver, after)) {
    if (released.type === 'PurchaseTransferred' && released.meta.commandId === commandId) return released.data.snapshot;
  }
  return null;
}

export function withLineLock<T>(deps: Deps, purchaseStream: StreamName, work: () => Promise<T>): Promise<T> {
  return deps.mutex.run(lockKeys.purchaseLine(purchaseStream), work);
}

export function streamOf(deps: Deps, line: Line): StreamName<'purchase'> {
  return streams.purchase(
    line.projectId,
    line.store,
    deps.hash('chain', line.projectId, line.store, line.storeChainId),
  );
}

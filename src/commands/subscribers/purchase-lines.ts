// Updates of a purchase line go to whoever owns it: the customer who showed a receipt, whom the store names, or an anonymous one.
import { commandIds } from '../handling/command-ids.js';
import { MergedElsewhere, Rejection, Unavailable } from '../../domain/errors.js';
import { anonymousAppUserId, isAnonymous } from '../../domain/ids.js';
import type { TransferBehavior } from '../../domain/project/events.js';
import { inMergeOrder, type Owner } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import { givesAccess, lasts, ownedUntil } from '../../domain/subscriber/access.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isAllowed } from '../../domain/subscriber/entitlements.js';
import { lineOf } from '../../domain/subscriber/state/line.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import {
  changeOwner,
  followMerge,
  inTurn,
  ownershipOf,
  resolveOwner,
  streamOf,
  whoIs,
  type Line,
  type LineOwner,
} from './line-ownership.js';
import { finishMerge, pointTo } from './merge.js';
import type { StoreUpdate } from '../../domain/subscriber/decide/commands.js';
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';
import type { LineUpdate } from '../stores/line-update.js';
import { priced } from '../catalog/exchange-rates.js';
import { load, runCommand, type CommandContext } from '../handling/run-command.js';
import type { Introduction, OnSubscriber } from './subscribers.js';

/** Store updates: for the owner, for whom the store names, else for an anonymous customer derived from the line. */
export async function recordFromStore(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & { readonly update: LineUpdate; readonly named: string | null },
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const line = { projectId: o.projectId, store: o.store, storeChainId: o.update.storeChainId };
  const fallback =
    (await ownerOfOther(deps, line, o.update)) ??
    o.named ??
    anonymousAppUserId(deps.hash, o.projectId, line.storeChainId);
  return inTurn(deps, streamOf(deps, line), async () => {
    const lineOwner = await resolveOwner(deps, line, fallback, 'store', ctx);
    const introduction = { source: 'store' as const, at: o.update.firstAt };
    return recordFor(deps, line, lineOwner, introduction, o.update, ctx);
  });
}

/** Of a chain that the store gave another name, or that was added to another. */
async function ownerOfOther(deps: Deps, line: Line, { ownedWith }: LineUpdate): Promise<string | null> {
  if (ownedWith === undefined) return null;
  const { owner } = await ownershipOf(deps, streamOf(deps, { ...line, storeChainId: ownedWith }));
  return owner?.appUserId ?? null;
}

/** A receipt that `appUserId` presents: claims the line, or takes it over as the project's rules allow. */
export async function recordFromReceipt(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & {
    readonly update: LineUpdate;
    readonly appUserId: string;
    readonly isRestore: boolean;
    readonly transferBehavior: TransferBehavior;
  },
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const line = { projectId: o.projectId, store: o.store, storeChainId: o.update.storeChainId };
  const me = await whoIs(deps, o.projectId, o.appUserId);
  const { recorded, merged } = await inTurn(deps, streamOf(deps, line), async () => {
    const claimed = await resolveOwner(deps, line, me.appUserId, 'receipt', ctx);
    const isMine = claimed.owner.customerId === me.customerId;
    const former = isMine ? claimed : await followMerge(deps, line, claimed, ctx);
    const { lineOwner, goes } = await takeOver(deps, line, former, me, o, ctx);
    return { recorded: await recordFor(deps, line, lineOwner, { source: 'sdk' }, o.update, ctx), merged: goes };
  });
  // Outside the mutex of this line: the other lines of the merged customer have keys of their own.
  if (merged) await finishMerge(deps, o.projectId, merged.customerId);
  return recorded;
}

/** `goes`: who became a pointer to the holder by this. */
type TakenOver = { readonly lineOwner: LineOwner; readonly goes: Owner | null };

/**
 * An anonymous owner is merged into this customer; from an identified one the line goes as the project allows. What an erased customer
 * had is free to whoever has the receipt, and nobody becomes an erased customer.
 */
async function takeOver(
  deps: Deps,
  line: Line,
  former: LineOwner,
  to: Owner,
  o: { readonly isRestore: boolean; readonly transferBehavior: TransferBehavior },
  ctx: CommandContext,
): Promise<TakenOver> {
  if (former.owner.customerId === to.customerId) return { lineOwner: former, goes: null };
  const { profile } = await stateOf(deps, line.projectId, former.owner);
  const isErased = profile.status === 'erased';
  const isMerge = isAnonymous(former.owner.appUserId) && !isErased;
  if (!isMerge && !isErased) await allowTransfer(deps, line, former.owner, o.transferBehavior);
  const merged = inMergeOrder(former.owner, to);
  if (isMerge && merged.goes === to && profile.status === 'known') {
    await pointTo(deps, line.projectId, merged, { ...ctx, commandId: commandIds.merge(ctx.commandId) });
    return { lineOwner: former, goes: to };
  }
  const reason = isMerge ? ('merge' as const) : o.isRestore ? ('restore' as const) : ('purchase' as const);
  const lineOwner = await changeOwner(deps, line, former, to, reason, ctx);
  if (lineOwner.owner.customerId !== to.customerId) {
    throw new Unavailable('the purchase is changing hands; try again', 1);
  }
  return { lineOwner, goes: isMerge ? former.owner : null };
}

async function stateOf(deps: Deps, projectId: string, { customerId }: Owner): Promise<Subscriber> {
  return (await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider)).state;
}

async function allowTransfer(deps: Deps, line: Line, from: Owner, behaviour: TransferBehavior): Promise<void> {
  if (behaviour === 'transfer') return;
  const refused = new Rejection(
    'conflict',
    'receipt-owned',
    'this purchase belongs to another customer of the project',
  );
  if (behaviour === 'keep') throw refused;
  const project = await deps.projects.get(streams.project(line.projectId));
  const rules = { allowsSandbox: project?.sandboxAccess !== 'nobody' };
  const now = isoFromMs(deps.runtime.now());
  const { subscriptions, owned } = lineOf(await stateOf(deps, line.projectId, from), line.storeChainId);
  const isUsed =
    subscriptions.some((s) => givesAccess(s, now) && isAllowed(s.purchase, rules)) ||
    owned.some((p) => lasts(ownedUntil(p), now) && isAllowed(p.purchase, rules));
  if (isUsed) throw refused;
}

/** An owner who was merged meanwhile hands the line over first: the survivor must not get events about a line it does not own. */
async function recordFor(
  deps: Deps,
  line: Line,
  lineOwner: LineOwner,
  introduction: Introduction,
  update: LineUpdate,
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const { appUserId, customerId } = lineOwner.owner;
  const introduce = { kind: 'registerCustomer' as const, appUserId, ...introduction };
  const updates = updatesOf(await priced(deps, update.commands), update.saidAt);
  const record = { kind: 'recordStoreUpdates' as const, storeChainId: line.storeChainId, updates };
  try {
    const stream = streams.subscriber(line.projectId, customerId);
    const run = () => runCommand(deps, stream, subscriberDecider, [introduce, record], ctx);
    return { ...(await deps.mutex.run(stream, run)), customerId, appUserId };
  } catch (err) {
    if (!(err instanceof MergedElsewhere)) throw err;
    const handedOver = await followMerge(deps, line, lineOwner, ctx);
    return recordFor(deps, line, handedOver, introduction, update, ctx);
  }
}

/**
 * A message is one update. A receipt comes without the store's time: each transaction in it has its place by its own time.
 * `saidAt`: when the store was asked (ISO 8601 UTC), for a response that is the truth of that instant whatever led to the question.
 */
export function updatesOf(storeCommands: readonly StoreCommand[], saidAt?: string): readonly StoreUpdate[] {
  if (saidAt !== undefined) {
    const commands = storeCommands.map((command) => ({ ...command, readAt: saidAt }));
    return commands.length === 0 ? [] : [{ saidAt, commands, isStoreRead: true }];
  }
  const updates = new Map<string, StoreCommand[]>();
  for (const command of storeCommands) {
    const at = command.storeTime ?? happenedAt(command);
    updates.set(at, [...(updates.get(at) ?? []), command]);
  }
  return [...updates].map(([at, commands]) => ({ saidAt: at, commands }));
}

function happenedAt(command: StoreCommand): string {
  if ('purchasedAt' in command) return command.purchasedAt;
  if ('refundedAt' in command) return command.refundedAt;
  return 'revokedAt' in command ? command.revokedAt : '';
}

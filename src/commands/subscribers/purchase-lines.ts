// Records updates of a purchase line for its owner: who presented a receipt, the customer of an account token, or an anonymous customer.
import { MergedElsewhere } from '../../domain/errors.js';
import { anonymousAppUserId, isAnonymous } from '../../domain/ids.js';
import type { TransferBehavior } from '../../domain/project/events.js';
import type { Owner } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import type { Deps } from '../handling/deps.js';
import { sentTokenOf, soleClaimant } from './account-tokens.js';
import {
  confirmOwner,
  followMerge,
  withLineLock,
  ownershipOf,
  resolveOwner,
  streamOf,
  resolveCustomer,
  type Claim,
  type Line,
  type LineOwner,
} from './line-ownership.js';
import { finishMerge } from './merge.js';
import { isTransferAllowed, receiptOwnedError } from './transfer-rule.js';
import {
  assignLine,
  transferOrRetry,
  isAnonymousLine,
  mergeOwner,
  statusOf,
  type NewOwner,
} from './anonymous-lines.js';
import type { StoreUpdate, SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';
import type { LineUpdate } from '../stores/line-update.js';
import { addUsdValues } from '../catalog/exchange-rates.js';
import type { CommandContext, CommandPart } from '../handling/run-command.js';
import { runOnStream } from './subscriber-states.js';
import type { Introduction, SubscriberResult } from './subscribers.js';

/** Records store updates for the owner, for the customer of the account token, else for an anonymous customer derived from the line. */
export async function recordFromStore(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & { readonly update: LineUpdate },
  ctx: CommandContext,
): Promise<SubscriberResult> {
  const { projectId, store, update } = o;
  const line = { projectId, store, storeChainId: update.storeChainId };
  const { recorded, merged } = await withLineLock(deps, streamOf(deps, line), async () => {
    const { lineOwner, absorbed } = await resolveOwnerFromStore(deps, line, update, ctx);
    const introduction = { source: 'store' as const, at: update.firstAt };
    const updates = await pricedUpdates(deps, update);
    return { recorded: await recordFor(deps, line, lineOwner, introduction, updates, ctx), merged: absorbed };
  });
  if (merged) await finishMerge(deps, projectId, merged.customerId);
  return recorded;
}

/**
 * Records imported updates for `appUserId`, who owned the purchase where it was imported from, as of `statedAt`; for the owner that is known
 * here if that is another customer who has presented the receipt since, or whom a newer row names.
 */
export async function recordFromImport(
  deps: Deps,
  o: Line & {
    readonly appUserId: string;
    readonly statedAt: string;
    readonly introduction: Introduction;
    readonly updates: readonly StoreUpdate[];
    /** Time of the import, ISO 8601 UTC: what ended before has ended. */
    readonly now: string;
    /** Commands about `appUserId` to append before; another owner does not get them. */
    readonly before?: CommandPart<SubscriberCommand>;
  },
  ctx: CommandContext,
): Promise<SubscriberResult> {
  const { projectId, store, storeChainId, statedAt } = o;
  const line = { projectId, store, storeChainId };
  const claim = { source: 'import' as const, accountToken: null, statedAt };
  return recordForClaimant(deps, line, { ...o, claim }, ctx, {
    takeOver: async (former, claimant) => {
      if (former.owner.customerId === claimant.customerId)
        return { lineOwner: await confirmOwner(deps, line, former, claim, ctx), absorbed: null };
      const isIdentified = !isAnonymous(former.owner.appUserId);
      if (former.source === 'receipt' && isIdentified) return { lineOwner: former, absorbed: null };
      const restored = { isRestore: true, transferBehavior: 'transfer' as const, claim };
      if (former.source !== 'import') return takeOverLine(deps, line, former, claimant, restored, ctx);
      if (statedAt < former.statedAt) return { lineOwner: former, absorbed: null };
      const change = { ...claim, reason: 'restore' as const };
      return { lineOwner: await transferOrRetry(deps, line, former, claimant, change, ctx), absorbed: null };
    },
    record: (lineOwner) => {
      const before = o.before && lineOwner.owner.appUserId === o.appUserId ? [o.before] : [];
      return recordFor(deps, line, lineOwner, o.introduction, o.updates, ctx, { passedBefore: o.now, before });
    },
  });
}

/** Resolves the owner of the line: its recorded owner, the one of `ownedWith`, the claimant of the token, else an anonymous one. */
async function resolveOwnerFromStore(
  deps: Deps,
  line: Line,
  update: LineUpdate,
  ctx: CommandContext,
): Promise<NewOwner> {
  const { ownedWith = line.storeChainId } = update;
  const lines = [line, { ...line, storeChainId: ownedWith }];
  const [own, other] = await Promise.all(lines.map((one) => ownershipOf(deps, streamOf(deps, one))));
  const known = own?.owner ? own : other;
  const isWaiting = (lineOwner: Parameters<typeof isAnonymousLine>[2]) =>
    lines.some((one) => isAnonymousLine(deps, one, lineOwner));
  const accountToken = sentTokenOf(deps, line.projectId, update);
  const mayClaimByToken = accountToken !== null && (!known?.owner || isWaiting(known));
  const claimant = mayClaimByToken ? await soleClaimant(deps, line.projectId, accountToken) : null;
  const anonymous = anonymousAppUserId(deps.hash, line.projectId, line.storeChainId);
  const first = known?.owner?.appUserId ?? claimant?.appUserId ?? anonymous;
  const claim = { source: known?.source ?? 'store', accountToken };
  const resolvedOwner = await resolveOwner(deps, line, first, claim, ctx);
  if (!mayClaimByToken || !isWaiting(resolvedOwner)) return { lineOwner: resolvedOwner, absorbed: null };
  if (claimant) return assignLine(deps, line, resolvedOwner, claimant, ctx);
  return {
    lineOwner: await confirmOwner(deps, line, resolvedOwner, { source: 'store', accountToken }, ctx),
    absorbed: null,
  };
}

/** Records a receipt that `appUserId` presents, as the project's rules allow. */
export async function recordFromReceipt(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & {
    readonly update: LineUpdate;
    readonly appUserId: string;
    readonly isRestore: boolean;
    readonly transferBehavior: TransferBehavior;
  },
  ctx: CommandContext,
): Promise<SubscriberResult> {
  const line = { projectId: o.projectId, store: o.store, storeChainId: o.update.storeChainId };
  const claim = { source: 'receipt' as const, accountToken: sentTokenOf(deps, o.projectId, o.update) };
  return recordForClaimant(deps, line, { ...o, claim }, ctx, {
    takeOver: (former, claimant) => takeOverLine(deps, line, former, claimant, { ...o, claim }, ctx),
    record: async (lineOwner) => {
      const isNamed = lineOwner.owner.appUserId === o.appUserId;
      const introduction = { source: 'sdk' as const, isTrusted: isNamed && ctx.isTrusted === true };
      return recordFor(deps, line, lineOwner, introduction, await pricedUpdates(deps, o.update), ctx);
    },
  });
}

/** Claims the line for a customer, lets `takeOver` decide about one that is owned already, and records for the resulting owner. */
async function recordForClaimant(
  deps: Deps,
  line: Line,
  { appUserId, claim }: { readonly appUserId: string; readonly claim: Claim },
  ctx: CommandContext,
  o: {
    readonly takeOver: (former: LineOwner, claimant: Owner) => Promise<NewOwner>;
    readonly record: (lineOwner: LineOwner) => Promise<SubscriberResult>;
  },
): Promise<SubscriberResult> {
  const claimant = await resolveCustomer(deps, line.projectId, appUserId);
  const { recorded, merged } = await withLineLock(deps, streamOf(deps, line), async () => {
    const claimed = await resolveOwner(deps, line, claimant.appUserId, claim, ctx);
    const isOwnedByClaimant = claimed.owner.customerId === claimant.customerId;
    const former = isOwnedByClaimant ? claimed : await followMerge(deps, line, claimed, ctx);
    const { lineOwner, absorbed } = await o.takeOver(former, claimant);
    return { recorded: await o.record(lineOwner), merged: absorbed };
  });
  // Outside the mutex of this line: the other lines of the merged customer have keys of their own.
  if (merged) await finishMerge(deps, line.projectId, merged.customerId);
  return recorded;
}

/**
 * Merges an anonymous owner into this customer; from an identified one the line moves if the project allows it. A line without a receipt,
 * or of an erased customer, is free to the presenter of the receipt; nobody becomes an erased customer.
 */
async function takeOverLine(
  deps: Deps,
  line: Line,
  former: LineOwner,
  to: Owner,
  o: { readonly isRestore: boolean; readonly transferBehavior: TransferBehavior; readonly claim: Claim },
  ctx: CommandContext,
): Promise<NewOwner> {
  const { claim } = o;
  if (former.owner.customerId === to.customerId) {
    const changesClaim = former.source !== claim.source || claim.accountToken;
    return { lineOwner: changesClaim ? await confirmOwner(deps, line, former, claim, ctx) : former, absorbed: null };
  }
  const status = await statusOf(deps, line.projectId, former.owner);
  if (isAnonymous(former.owner.appUserId) && status !== 'erased')
    return mergeOwner(deps, line, { held: former, status }, to, claim, ctx);
  if (!(await isTransferAllowed(deps, line, { ...former, status }, o.transferBehavior))) throw receiptOwnedError();
  const change = { ...claim, reason: o.isRestore ? ('restore' as const) : ('purchase' as const) };
  return { lineOwner: await transferOrRetry(deps, line, former, to, change, ctx), absorbed: null };
}

/** `passedBefore`: what ended before has ended. `before`: commands that are appended before the updates, only to the present owner. */
type Surroundings = { readonly passedBefore?: string; readonly before?: readonly CommandPart<SubscriberCommand>[] };

/** Transfers the line first if its owner was merged since, because a customer must not get events about a line of another. */
async function recordFor(
  deps: Deps,
  line: Line,
  lineOwner: LineOwner,
  introduction: Introduction,
  updates: readonly StoreUpdate[],
  ctx: CommandContext,
  { passedBefore, before = [] }: Surroundings = {},
): Promise<SubscriberResult> {
  const { appUserId, customerId } = lineOwner.owner;
  const introduce = { kind: 'registerCustomer' as const, appUserId, ...introduction };
  const passed = passedBefore === undefined ? {} : { passedBefore };
  const record = { kind: 'recordStoreUpdates' as const, storeChainId: line.storeChainId, updates, ...passed };
  try {
    const stream = streams.subscriber(line.projectId, customerId);
    return { ...(await runOnStream(deps, stream, [introduce, record], ctx, before)), customerId, appUserId };
  } catch (err) {
    if (!(err instanceof MergedElsewhere)) throw err;
    const handedOver = await followMerge(deps, line, lineOwner, ctx);
    return recordFor(deps, line, handedOver, { ...introduction, isTrusted: false }, updates, ctx, passed);
  }
}

async function pricedUpdates(deps: Deps, { commands, orderedAt }: LineUpdate): Promise<readonly StoreUpdate[]> {
  return updatesOf(await addUsdValues(deps, commands), orderedAt);
}

/**
 * Returns the updates of a message or receipt. A message is one update. A receipt has no store time: each of its transactions is ordered by
 * its own time. `orderedAt`: time of the request to the store (ISO 8601 UTC), for a response that is the truth of that instant whatever caused
 * it.
 */
export function updatesOf(storeCommands: readonly StoreCommand[], orderedAt?: string): readonly StoreUpdate[] {
  if (orderedAt !== undefined) {
    const commands = storeCommands.map((command) => ({ ...command, readAt: orderedAt }));
    return commands.length === 0 ? [] : [{ orderedAt, commands }];
  }
  const updates = new Map<string, StoreCommand[]>();
  for (const command of storeCommands) {
    const at = command.storeTime ?? timeOfUpdate(command);
    updates.set(at, [...(updates.get(at) ?? []), command]);
  }
  return [...updates].map(([at, commands]) => ({ orderedAt: at, commands }));
}

function timeOfUpdate(command: StoreCommand): string {
  if ('purchasedAt' in command) return command.purchasedAt;
  if ('refundedAt' in command) return command.refundedAt;
  return 'revokedAt' in command ? command.revokedAt : '';
}

// Purchase lines without a receipt or an account token: an anonymous customer owns each of them until one arrives.
import { commandIds } from '../handling/command-ids.js';
import { RetryLater } from '../../domain/errors.js';
import { anonymousAppUserId } from '../../domain/ids.js';
import type { AccountToken } from '../../domain/purchase/account-token.js';
import { orderForMerge, type Owner } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import type { Deps } from '../handling/deps.js';
import type { CommandContext } from '../handling/run-command.js';
import { loadSubscriber } from './subscriber-states.js';
import { soleClaimant } from './account-tokens.js';
import {
  changeOwner,
  confirmOwner,
  withLineLock,
  ownershipOf,
  resolveOwner,
  streamOf,
  type Claim,
  type Line,
  type LineOwner,
} from './line-ownership.js';
import { finishMerge, makePointer } from './merge.js';

/** `absorbed`: customer who became a pointer to the owner; null if none. */
export type NewOwner = { readonly lineOwner: LineOwner; readonly absorbed: Owner | null };

/** Returns true if the line still belongs to its own anonymous customer, by store messages alone. */
export function isAnonymousLine(
  { hash }: Pick<Deps, 'hash'>,
  { projectId, storeChainId }: Line,
  { owner, source }: Pick<LineOwner, 'source'> & { readonly owner: Owner | null },
): boolean {
  return source === 'store' && owner?.appUserId === anonymousAppUserId(hash, projectId, storeChainId);
}

/** Assigns waiting lines with the token to its only trusted claimant. Safe to repeat. */
export async function assignAnonymousLines(
  deps: Deps,
  projectId: string,
  token: AccountToken,
  ctx: CommandContext,
): Promise<void> {
  const { lines } = await deps.findByAccountToken(projectId, token.key);
  for (const environment of new Set(lines.map((line) => line.environment))) {
    const to = await soleClaimant(deps, projectId, { ...token, environment });
    if (!to) continue;
    for (const { storeChainId, store } of lines.filter((line) => line.environment === environment)) {
      const line = { projectId, storeChainId, store };
      const absorbed = await withLineLock(deps, streamOf(deps, line), async () => {
        const { owner } = await ownershipOf(deps, streamOf(deps, line));
        if (!owner) return null;
        const current = await resolveOwner(deps, line, owner.appUserId, { source: 'store' }, ctx);
        return isAnonymousLine(deps, line, current) ? (await assignLine(deps, line, current, to, ctx)).absorbed : null;
      });
      if (absorbed) await finishMerge(deps, projectId, absorbed.customerId);
    }
  }
}

/** Merges the anonymous owner with the customer that the store names. The line of an erased customer stays. */
export async function assignLine(
  deps: Deps,
  line: Line,
  current: LineOwner,
  to: Owner,
  ctx: CommandContext,
): Promise<NewOwner> {
  const status = await statusOf(deps, line.projectId, current.owner);
  if (status === 'erased' || current.owner.customerId === to.customerId) return { lineOwner: current, absorbed: null };
  return mergeOwner(deps, line, { held: current, status }, to, { source: 'store' }, ctx);
}

/** Merges the owner and the customer. The order of merges decides which one becomes a pointer to the other. */
export async function mergeOwner(
  deps: Deps,
  line: Line,
  { held: current, status }: { readonly held: LineOwner; readonly status: Profile['status'] },
  to: Owner,
  claim: Claim,
  ctx: CommandContext,
): Promise<NewOwner> {
  const merged = orderForMerge(current.owner, to);
  if (merged.absorbed === to && status === 'known') {
    await makePointer(deps, line.projectId, merged, { ...ctx, commandId: commandIds.merge(ctx.commandId) });
    return { lineOwner: await confirmOwner(deps, line, current, claim, ctx), absorbed: to };
  }
  return {
    lineOwner: await transferOrRetry(deps, line, current, to, { ...claim, reason: 'merge' }, ctx),
    absorbed: current.owner,
  };
}

/** Throws {@link RetryLater} when another request was faster. */
export async function transferOrRetry(...args: Parameters<typeof changeOwner>): Promise<LineOwner> {
  const [, , , to] = args;
  const lineOwner = await changeOwner(...args);
  if (lineOwner.owner.customerId === to.customerId) return lineOwner;
  throw new RetryLater('the purchase is moving to another customer; retry in 1 second', 1);
}

export async function statusOf(deps: Deps, projectId: string, { customerId }: Owner): Promise<Profile['status']> {
  return (await loadSubscriber(deps, streams.subscriber(projectId, customerId))).state.profile.status;
}

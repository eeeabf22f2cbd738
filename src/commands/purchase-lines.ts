// Facts about a purchase line go to whoever owns it. The `purchase-` stream says who; a change of owner is told there first and
// finished in both subscriber streams afterwards, with ids that make a repeat harmless. What reads the owner and then writes to its
// stream holds the line's lane: a change of owner in between would leave the facts with the former one.
import { Unavailable } from '../adapters/event-log/port.js';
import { Rejection } from '../domain/decider.js';
import type { RecordedEvent, StreamName } from '../domain/envelope.js';
import { anonymousAppUserId, customerId, isAnonymous } from '../domain/ids.js';
import { purchaseDecider, type Owner, type PurchaseEvent } from '../domain/purchase/purchase.js';
import type { TransferBehavior } from '../domain/project/events.js';
import { streams } from '../domain/streams.js';
import { givesAccess, ownedUntil } from '../domain/subscriber/access.js';
import type { StoreKind } from '../domain/subscriber/blocks.js';
import { subscriberDecider } from '../domain/subscriber/decide.js';
import type { SubscriberEvent } from '../domain/subscriber/events.js';
import { lineOf, type PurchaseLine } from '../domain/subscriber/state.js';
import { isoFromMs } from '../domain/time.js';
import type { Deps } from './deps.js';
import type { StoreFacts } from './notifications/ios-store.js';
import { load, runCommand, type CommandContext } from './run-command.js';
import { runOnSubscriber, type Introduction, type OnSubscriber } from './subscribers.js';

type Line = { readonly projectId: string; readonly store: StoreKind; readonly storeChainId: string };
export type OwnerChanged = Extract<RecordedEvent<PurchaseEvent>, { type: 'PurchaseOwnerChanged' }>;

/** Facts from the store: for the owner, for whom the store names, else for an anonymous customer derived from the line. */
export async function recordFromStore(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & { readonly told: StoreFacts; readonly named: string | null },
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const line = { projectId: o.projectId, store: o.store, storeChainId: o.told.storeChainId };
  const fallback = o.named ?? anonymousAppUserId(o.projectId, line.storeChainId);
  return inLane(deps, streamOf(deps, line), async () => {
    const { owner } = await settledOwner(deps, line, fallback, 'store', ctx);
    const introduction = { source: 'store' as const, at: o.told.firstAt };
    return recordFor(deps, line, owner, introduction, o.told, ctx);
  });
}

/** A receipt that `appUserId` presents: claims the line, or takes it over as the project's rules allow. */
export async function recordFromReceipt(
  deps: Deps,
  o: Omit<Line, 'storeChainId'> & {
    readonly told: StoreFacts;
    readonly appUserId: string;
    readonly isRestore: boolean;
    readonly transferBehavior: TransferBehavior;
  },
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const line = { projectId: o.projectId, store: o.store, storeChainId: o.told.storeChainId };
  const me = await whoIs(deps, o.projectId, o.appUserId);
  return inLane(deps, streamOf(deps, line), async () => {
    const held = await settledOwner(deps, line, me.appUserId, 'receipt', ctx);
    if (held.owner.customerId !== me.customerId) {
      await takeOver(deps, line, held, me, o, ctx);
      const { owner } = await settledOwner(deps, line, me.appUserId, 'receipt', ctx);
      if (owner.customerId !== me.customerId) throw new Unavailable('the purchase is changing hands; try again', 1);
    }
    return recordFor(deps, line, me, { source: 'sdk' }, o.told, ctx);
  });
}

/** The customer that an app user id stands for, after merges; it need not exist yet. Nothing is written: the receipt may be refused. */
async function whoIs(deps: Deps, projectId: string, appUserId: string): Promise<Owner> {
  const id = customerId(deps.hash, projectId, appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, id), subscriberDecider);
  const { mergedInto } = state.profile;
  return mergedInto ? whoIs(deps, projectId, mergedInto.appUserId) : { customerId: id, appUserId };
}

/** What a crash left undone of a change of owner. An older change was finished before a newer one could be told: not done again. */
export function finishTransfer(deps: Deps, event: OwnerChanged): Promise<void> {
  return inLane(deps, event.stream, async () => {
    const { changed } = await ownershipOf(deps, event.stream);
    if (changed?.id === event.id) await completeTransfer(deps, event.meta.projectId ?? '', event);
  });
}

/** The giver's stream lets go, the taker's takes over. Safe to repeat while it is the line's latest change of owner. */
async function completeTransfer(deps: Deps, projectId: string, event: OwnerChanged): Promise<void> {
  const { storeChainId, fromCustomerId, fromAppUserId, toCustomerId, toAppUserId, reason } = event.data;
  const { actor, correlationId } = event.meta;
  const ctx = { commandId: `t|${event.id}`, actor, correlationId, causationId: event.id, projectId };
  const transfer = { fromCustomerId, toCustomerId, storeChainId, reason };
  const giver = streams.subscriber(projectId, fromCustomerId);
  const release = [{ kind: 'releaseLine' as const, ...transfer }];
  const merge = { kind: 'mergeInto' as const, customerId: toCustomerId, appUserId: toAppUserId };
  const commands = reason === 'merge' ? [...release, merge] : release;
  const released = await deps.lanes.run(giver, () => runCommand(deps, giver, subscriberDecider, commands, ctx));
  const line = await releasedLine(deps, giver, ctx.commandId);
  const taken = line ? [{ kind: 'takeLine' as const, ...transfer, line }] : [];
  const isMerged = released.state.profile.mergedInto?.customerId === toCustomerId;
  const mergeIn = { kind: 'mergeIn' as const, mergedCustomerId: fromCustomerId, mergedAppUserId: fromAppUserId };
  const introduce = { kind: 'registerCustomer' as const, appUserId: toAppUserId, source: 'sdk' as const };
  await runOnSubscriber(deps, projectId, toAppUserId, [introduce, ...taken, ...(isMerged ? [mergeIn] : [])], ctx);
}

/** `since`: the event that made the owner the owner. `changed`: the latest change of owner. */
type Ownership = { readonly owner: Owner | null; readonly since: string; readonly changed: OwnerChanged | undefined };

async function ownershipOf(deps: Pick<Deps, 'log'>, stream: StreamName): Promise<Ownership> {
  let { owner } = purchaseDecider.initial();
  let since = '';
  let changed: OwnerChanged | undefined;
  for await (const stored of deps.log.read(stream)) {
    const event = stored as unknown as RecordedEvent<PurchaseEvent>;
    ({ owner } = purchaseDecider.evolve({ owner }, event));
    since = event.id;
    if (event.type === 'PurchaseOwnerChanged') changed = event;
  }
  return { owner, since, changed };
}

type Settled = { readonly owner: Owner; readonly since: string };

/** The line's owner, claimed for `appUserId` when there is none; an unfinished change of owner is finished first. */
async function settledOwner(
  deps: Deps,
  line: Line,
  appUserId: string,
  source: 'receipt' | 'store',
  ctx: CommandContext,
): Promise<Settled> {
  const stream = streamOf(deps, line);
  const { owner, since, changed } = await ownershipOf(deps, stream);
  if (changed) await completeTransfer(deps, line.projectId, changed);
  if (owner) return { owner, since };
  const { storeChainId, store } = line;
  const me = { customerId: customerId(deps.hash, line.projectId, appUserId), appUserId };
  const command = { kind: 'claim' as const, storeChainId, store, ...me, source };
  await deps.lanes.run(stream, () => runCommand(deps, stream, purchaseDecider, [command], ctx));
  const claimed = await ownershipOf(deps, stream);
  if (!claimed.owner) throw new Error(`${stream} has no owner after its claim`);
  return { owner: claimed.owner, since: claimed.since };
}

/** The command is named by what it undoes too: the same receipt may take the line back again after somebody else did. */
async function takeOver(
  deps: Deps,
  line: Line,
  { owner: from, since }: Settled,
  to: Owner,
  o: { readonly isRestore: boolean; readonly transferBehavior: TransferBehavior },
  ctx: CommandContext,
): Promise<void> {
  const isMerge = isAnonymous(from.appUserId);
  if (!isMerge) await allowTransfer(deps, line, from, o.transferBehavior);
  const stream = streamOf(deps, line);
  const reason = isMerge ? ('merge' as const) : o.isRestore ? ('restore' as const) : ('purchase' as const);
  const command = { kind: 'changeOwner' as const, storeChainId: line.storeChainId, from, to, reason };
  const commandId = `o|${ctx.commandId}|${since}`;
  await deps.lanes.run(stream, () => runCommand(deps, stream, purchaseDecider, [command], { ...ctx, commandId }));
}

async function allowTransfer(deps: Deps, line: Line, from: Owner, behaviour: TransferBehavior): Promise<void> {
  if (behaviour === 'transfer') return;
  const refused = new Rejection(
    'conflict',
    'receipt-owned',
    'this purchase belongs to another customer of the project',
  );
  if (behaviour === 'keep') throw refused;
  const held = await load(deps.log, streams.subscriber(line.projectId, from.customerId), subscriberDecider);
  const now = isoFromMs(deps.runtime.now());
  const { subscriptions, owned } = lineOf(held.state, line.storeChainId);
  const lasts = (until: string | null) => until === null || now < until;
  if (subscriptions.some((s) => givesAccess(s, now)) || owned.some((p) => lasts(ownedUntil(p)))) throw refused;
}

async function recordFor(
  deps: Deps,
  line: Line,
  owner: Owner,
  introduction: Introduction,
  told: StoreFacts,
  ctx: CommandContext,
): Promise<OnSubscriber> {
  const { appUserId } = owner;
  const introduce = { kind: 'registerCustomer' as const, appUserId, ...introduction };
  return runOnSubscriber(deps, line.projectId, appUserId, [introduce, ...told.facts], ctx);
}

async function releasedLine(deps: Deps, giver: StreamName, commandId: string): Promise<PurchaseLine | null> {
  for await (const event of deps.log.read(giver)) {
    const released = event as unknown as RecordedEvent<SubscriberEvent>;
    if (released.type === 'PurchaseTransferred' && released.meta.commandId === commandId) return released.data.snapshot;
  }
  return null;
}

function inLane<T>(deps: Deps, purchaseStream: StreamName, work: () => Promise<T>): Promise<T> {
  return deps.lanes.run(`line|${purchaseStream}`, work);
}

function streamOf(deps: Deps, line: Line): StreamName {
  return streams.purchase(
    line.projectId,
    line.store,
    deps.hash('chain', line.projectId, line.store, line.storeChainId),
  );
}

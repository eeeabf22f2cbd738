// Applies the plan of one customer: the customer with attributes and grants, the other names, then each purchase line in an append of its
// own. Every part is idempotent: applied again, in part or after newer facts, it adds only what is new.
import { chainUpdates } from '../../domain/imports/chain-updates.js';
import { periodsIn, type KnownPeriod } from '../../domain/imports/known-periods.js';
import type { CustomerPlan } from '../../domain/imports/plan-customer.js';
import type { ImportProblem } from '../../domain/imports/problems.js';
import type { PlannedLine } from '../../domain/imports/plan-lines.js';
import { customerId, type KeyedHash } from '../../domain/ids.js';
import { orderForMerge } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import type { StoreUpdate, SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isSameInstant } from '../../domain/time.js';
import { addUsdValues } from '../catalog/exchange-rates.js';
import { commandIds } from '../handling/command-ids.js';
import { load, type CommandContext } from '../handling/run-command.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { ownershipOf, resolveCustomer, streamOf } from '../subscribers/line-ownership.js';
import { finishMerge, makePointer } from '../subscribers/merge.js';
import { recordFromImport } from '../subscribers/purchase-lines.js';
import { runOnSubscriber } from '../subscribers/subscribers.js';

/** `exportedAt`: time up to which the files know renewals; null if that is unknown. */
export type ImportRun = {
  readonly importId: string;
  readonly projectId: string;
  readonly now: string;
  readonly exportedAt: string | null;
};

/** `problems`: what was not recorded for this customer, because of what is known here. */
export type AppliedCustomer = { readonly problems: readonly ImportProblem[] };

/** Throws `Unavailable`, and the errors of commands; it is safe to repeat. */
export async function applyCustomer(deps: StoreDeps, run: ImportRun, plan: CustomerPlan): Promise<AppliedCustomer> {
  const erased = await checkErasure(deps, run, plan);
  if (erased.length > 0) return { problems: erased };
  await introduce(deps, run, plan);
  for (const alias of plan.aliases) {
    await deps.runtime.slice();
    await mergeAlias(deps, run, plan.appUserId, alias);
  }
  const problems: ImportProblem[] = [];
  for (const line of plan.lines) {
    await deps.runtime.slice();
    problems.push(...(await recordLine(deps, run, plan, line)));
  }
  return { problems };
}

/** Reports a customer who was erased here, for whom an import records nothing. */
async function checkErasure(
  deps: StoreDeps,
  { projectId }: ImportRun,
  plan: CustomerPlan,
): Promise<readonly ImportProblem[]> {
  const { customerId: detail } = await resolveCustomer(deps, projectId, plan.appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, detail), subscriberDecider);
  return state.profile.status === 'erased' ? [{ code: 'erased', from: plan.from, detail }] : [];
}

/** Reports of a customer who is recorded what {@link applyCustomer} reports. Writes nothing. */
export async function checkCustomer(deps: StoreDeps, run: ImportRun, plan: CustomerPlan): Promise<AppliedCustomer> {
  const erased = await checkErasure(deps, run, plan);
  if (erased.length > 0) return { problems: erased };
  const { projectId } = run;
  const problems: ImportProblem[] = [];
  for (const line of plan.lines) {
    const { owner } = await ownershipOf(deps, streamOf(deps, { projectId, ...line }));
    if (owner) problems.push(...(await checkOwner(deps, run, plan, line, owner.appUserId)));
    if (endsSinceExport(line, run)) problems.push(...lateEnd(line, run, await knownPeriods(deps, run, line)));
  }
  return { problems };
}

/** Reports a line that belongs to another customer here. */
async function checkOwner(
  deps: StoreDeps,
  { projectId }: ImportRun,
  { appUserId }: CustomerPlan,
  { from, newest: detail }: PlannedLine,
  ownerName: string,
): Promise<readonly ImportProblem[]> {
  const [owner, own] = [
    await resolveCustomer(deps, projectId, ownerName),
    await resolveCustomer(deps, projectId, appUserId),
  ];
  return owner.customerId === own.customerId ? [] : [{ code: 'owned-here', from, detail }];
}

async function introduce(deps: StoreDeps, run: ImportRun, plan: CustomerPlan): Promise<void> {
  const { appUserId, country, platform, attributes, grants, from: importedFrom } = plan;
  const purchases = plan.transactions.map(({ fact }) => fact.purchasedAt);
  const at = [plan.firstSeenAt, ...purchases].reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
  const register = { kind: 'registerCustomer' as const, appUserId, source: 'import' as const, country, platform };
  const commands: SubscriberCommand[] = [
    { ...register, isTrusted: true, importedFrom, ...(at !== null && { at }) },
    ...(attributes.length > 0
      ? [{ kind: 'setAttributes' as const, appUserId, changes: attributes, isTrusted: true, importedFrom }]
      : []),
    ...grants,
    ...grants.flatMap(({ grantId, expiresAt }) =>
      expiresAt === null || expiresAt > run.now
        ? []
        : [{ kind: 'passDeadline' as const, target: grantId, expectedAt: expiresAt, dueBefore: run.now }],
    ),
  ];
  const digest = digestOf(deps.hash, [
    appUserId,
    country,
    platform,
    at,
    attributes.map(withoutReceipt),
    grants.map(withoutRow),
  ]);
  await runOnSubscriber(deps, run.projectId, appUserId, commands, {
    ...contextOf(run),
    commandId: commandIds.importedCustomer(digest),
  });
}

/** Both names become one customer. Which of them stays follows the order of all merges. */
async function mergeAlias(deps: StoreDeps, run: ImportRun, appUserId: string, alias: string): Promise<void> {
  const { projectId } = run;
  const aliasId = customerId(deps.hash, projectId, alias);
  const [me, other] = [
    await resolveCustomer(deps, projectId, appUserId),
    await resolveCustomer(deps, projectId, alias),
  ];
  // A run that was cut off between the two steps of a merge left it unfinished.
  if (me.customerId === other.customerId) return finishMerge(deps, projectId, aliasId);
  const { state } = await load(deps.log, streams.subscriber(projectId, other.customerId), subscriberDecider);
  if (state.profile.status === 'erased') return;
  const merged = orderForMerge(other, me);
  const commandId = commandIds.importedAlias(me.customerId, aliasId);
  await makePointer(deps, projectId, merged, { ...contextOf(run), commandId }, 'import');
  await finishMerge(deps, projectId, merged.goes.customerId);
}

async function recordLine(
  deps: StoreDeps,
  run: ImportRun,
  plan: CustomerPlan,
  line: PlannedLine,
): Promise<readonly ImportProblem[]> {
  const { projectId, now } = run;
  const { store, storeChainId, appId, storeProductId, isSubscription, charges } = line;
  const known = await knownPeriods(deps, run, line);
  const planned = chainUpdates(line.transactions, { projectId, storeChainId, hash: deps.hash, now }, known);
  const updates: StoreUpdate[] = [];
  for (const update of planned) updates.push({ ...update, commands: await addUsdValues(deps, update.commands) });
  const digest = digestOf(deps.hash, [plan.appUserId, storeChainId, line.statedAt, planned.map(withoutRow)]);
  const introduction = { source: 'import' as const, at: planned[0]?.saidAt ?? now };
  const ctx = { ...contextOf(run), commandId: commandIds.importedLine(digest) };
  const { appUserId } = plan;
  const about = { projectId, store, storeChainId, appUserId, statedAt: line.statedAt, now };
  const { appUserId: ownerName } = await recordFromImport(deps, { ...about, introduction, updates }, ctx);
  await deps.stores.of(store).notePurchase(deps, { appId, storeChainId, storeProductId, isSubscription, charges });
  return [...lateEnd(line, run, known), ...(await checkOwner(deps, run, plan, line, ownerName))];
}

/** Returns true if the last period that the files know ended after they were written: it may have been renewed since. */
function endsSinceExport({ isSubscription, until }: PlannedLine, { exportedAt, now }: ImportRun): boolean {
  return isSubscription && exportedAt !== null && until !== null && until > exportedAt && until <= now;
}

/** Reports a line that ends since the export, unless a later period is known here. */
function lateEnd(line: PlannedLine, run: ImportRun, known: readonly KnownPeriod[]): readonly ImportProblem[] {
  const { from, newest: detail, until } = line;
  const isLater = (end: string | null) => end !== null && until !== null && end > until && !isSameInstant(end, until);
  const isRenewed = known.some(({ expiresAt }) => isLater(expiresAt));
  return endsSinceExport(line, run) && !isRenewed ? [{ code: 'ended-since-export', from, detail }] : [];
}

/** Returns the periods of the line that are recorded here. */
async function knownPeriods(
  deps: StoreDeps,
  { projectId }: ImportRun,
  { store, storeChainId }: PlannedLine,
): Promise<readonly KnownPeriod[]> {
  const { owner } = await ownershipOf(deps, streamOf(deps, { projectId, store, storeChainId }));
  if (!owner) return [];
  const { customerId: id } = await resolveCustomer(deps, projectId, owner.appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, id), subscriberDecider);
  return periodsIn(state.histories.get(storeChainId)?.updates ?? []);
}

function contextOf({ importId, projectId }: ImportRun): Omit<CommandContext, 'commandId'> {
  const actor = { kind: 'import' as const, id: importId };
  return { actor, correlationId: importId, projectId, isTrusted: true };
}

/** The row of a fact differs between exports; the fact does not. */
function withoutRow(fact: object): object {
  return { ...fact, importedFrom: null };
}

function withoutReceipt(change: object): object {
  return { ...change, receivedAt: null };
}

/** The digest stays in the log after an erasure: without the key nobody can test it for a name. */
function digestOf(hash: KeyedHash, facts: unknown): string {
  return hash('imported facts', JSON.stringify(facts));
}

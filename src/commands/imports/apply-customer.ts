// Applies the plan of one customer: the customer with attributes and grants, the other names, then each purchase line. A customer who is new
// here and has one name is appended with the first purchase line; each further line is an append of its own, under the lock of its owner.
// Every part is idempotent: applied again, in part or after newer facts, it adds only what is new.
import { chainUpdates } from '../../domain/imports/chain-updates.js';
import { periodsIn, type KnownPeriod } from '../../domain/imports/known-periods.js';
import type { CustomerPlan } from '../../domain/imports/plan-customer.js';
import type { ImportProblem } from '../../domain/imports/problems.js';
import type { PlannedLine } from '../../domain/imports/plan-lines.js';
import type { KeyedHash } from '../../domain/ids.js';
import { streams } from '../../domain/streams.js';
import type { StoreUpdate, SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import { isSameInstant } from '../../domain/time.js';
import { addUsdValues } from '../catalog/exchange-rates.js';
import { commandIds } from '../handling/command-ids.js';
import type { CommandContext } from '../handling/run-command.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { ownershipOf, resolveCustomer, streamOf } from '../subscribers/line-ownership.js';
import { mergeNames } from './merge-names.js';
import { recordFromImport } from '../subscribers/purchase-lines.js';
import { loadSubscriber } from '../subscribers/subscriber-states.js';
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
export async function applyCustomer(
  withoutStates: StoreDeps,
  run: ImportRun,
  plan: CustomerPlan,
): Promise<AppliedCustomer> {
  // Each part is decided on the state after the others, which is loaded once.
  const deps = { ...withoutStates, keptStates: new Map() };
  const { erased, isNew } = await lookUp(deps, run, plan);
  if (erased.length > 0) return { problems: erased };
  const introduction = introductionOf(deps, run, plan);
  const isApart = !isNew || plan.aliases.length > 0 || plan.lines.length === 0;
  if (isApart) await introduce(deps, run, plan, introduction);
  await mergeNames(deps, { ...plan, projectId: run.projectId }, contextOf(run));
  const problems: ImportProblem[] = [];
  for (const [index, planned] of plan.lines.entries()) {
    await deps.runtime.slice();
    const line = await asRecorded(deps, run, planned);
    const before = index === 0 && !isApart ? introduction : undefined;
    problems.push(...(await recordLine(deps, run, plan, { line, before })));
  }
  return { problems };
}

/** `erased`: reports a customer who was erased here, for whom an import records nothing. `isNew`: true for one who is not known here. */
async function lookUp(
  deps: StoreDeps,
  { projectId }: ImportRun,
  plan: CustomerPlan,
): Promise<{ readonly erased: readonly ImportProblem[]; readonly isNew: boolean }> {
  const { customerId: detail } = await resolveCustomer(deps, projectId, plan.appUserId);
  const { status } = (await loadSubscriber(deps, streams.subscriber(projectId, detail))).state.profile;
  const erased = status === 'erased' ? [{ code: 'erased' as const, from: plan.from, detail }] : [];
  return { erased, isNew: status === 'unknown' };
}

/** Reports of a customer who is recorded what {@link applyCustomer} reports. Writes nothing. */
export async function checkCustomer(
  withoutStates: StoreDeps,
  run: ImportRun,
  plan: CustomerPlan,
): Promise<AppliedCustomer> {
  const deps = { ...withoutStates, keptStates: new Map() };
  const { erased } = await lookUp(deps, run, plan);
  if (erased.length > 0) return { problems: erased };
  const { projectId } = run;
  const problems: ImportProblem[] = [];
  for (const planned of plan.lines) {
    const line = await asRecorded(deps, run, planned);
    const { owner } = await ownershipOf(deps, streamOf(deps, { projectId, ...line }));
    if (owner) problems.push(...(await checkOwner(deps, run, plan, line, owner.appUserId)));
    if (endsSinceExport(line, run)) problems.push(...lateEnd(line, run, await knownPeriods(deps, run, line)));
  }
  return { problems };
}

/** A message of the store, or a receipt, may have named the line before: by its token, where the file knows an order alone. */
async function asRecorded(deps: StoreDeps, { projectId }: ImportRun, line: PlannedLine): Promise<PlannedLine> {
  const storeChainId = await deps.stores.of(line.store).nameImportedLine(deps, { ...line, projectId });
  if (storeChainId === line.storeChainId) return line;
  const transactions = line.transactions.map((one) => ({
    ...one,
    purchase: { ...one.purchase, storeChainId, originalTransactionId: storeChainId },
  }));
  return { ...line, storeChainId, transactions };
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

type Introduction = { readonly commandId: string; readonly commands: readonly SubscriberCommand[] };

/** Returns the commands that register the customer with attributes and grants. */
function introductionOf(deps: StoreDeps, run: ImportRun, plan: CustomerPlan): Introduction {
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
  return { commandId: commandIds.importedCustomer(digest), commands };
}

async function introduce(
  deps: StoreDeps,
  run: ImportRun,
  { appUserId }: CustomerPlan,
  { commandId, commands }: Introduction,
): Promise<void> {
  await runOnSubscriber(deps, run.projectId, appUserId, commands, { ...contextOf(run), commandId });
}

/** `before`: introduction of the customer, if it is to be appended with the line. */
async function recordLine(
  deps: StoreDeps,
  run: ImportRun,
  plan: CustomerPlan,
  { line, before }: { readonly line: PlannedLine; readonly before: Introduction | undefined },
): Promise<readonly ImportProblem[]> {
  const { projectId, now } = run;
  const { store, storeChainId, appId, storeProductId, isSubscription, charges } = line;
  const known = await knownPeriods(deps, run, line);
  const planned = chainUpdates(line.transactions, { projectId, storeChainId, hash: deps.hash, now }, known);
  const updates: StoreUpdate[] = [];
  for (const update of planned) updates.push({ ...update, commands: await addUsdValues(deps, update.commands) });
  const digest = digestOf(deps.hash, [plan.appUserId, storeChainId, line.statedAt, planned.map(withoutRow)]);
  const introduction = { source: 'import' as const, at: planned[0]?.orderedAt ?? now };
  const ctx = { ...contextOf(run), commandId: commandIds.importedLine(digest) };
  const { appUserId } = plan;
  const about = { projectId, store, storeChainId, appUserId, statedAt: line.statedAt, now };
  const together = { ...about, introduction, updates, ...(before && { before }) };
  const { appUserId: ownerName } = await recordFromImport(deps, together, ctx);
  if (before && ownerName !== appUserId) await introduce(deps, run, plan, before);
  await deps.stores
    .of(store)
    .recordImportedPurchase(deps, { appId, storeChainId, storeProductId, isSubscription, charges });
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
  const { state } = await loadSubscriber(deps, streams.subscriber(projectId, id));
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

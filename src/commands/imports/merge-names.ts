// Gives an imported customer its other names.
import { MergedElsewhere } from '../../domain/errors.js';
import { customerId } from '../../domain/ids.js';
import { orderForMerge } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { commandIds } from '../handling/command-ids.js';
import type { CommandContext } from '../handling/run-command.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { completeMergesInto } from '../subscribers/complete-merge.js';
import { resolveCustomer } from '../subscribers/line-ownership.js';
import { finishMerge, makePointer } from '../subscribers/merge.js';
import { loadSubscriber } from '../subscribers/subscriber-states.js';

type Names = { readonly projectId: string; readonly appUserId: string; readonly aliases: readonly string[] };
type Context = Omit<CommandContext, 'commandId'>;

/** Names that are added as one append: far below the size that a server accepts, and few, because requests wait while it is encoded. */
const NAMES_TOGETHER = 50;

/** Merges all names, those that are new here many at a time. */
export async function mergeNames(deps: StoreDeps, names: Names, ctx: Context): Promise<void> {
  const { projectId, appUserId, aliases } = names;
  for (let from = 0; from < aliases.length; from += NAMES_TOGETHER) {
    const others: string[] = [];
    const added: string[] = [];
    for (const alias of aliases.slice(from, from + NAMES_TOGETHER)) {
      await deps.runtime.slice();
      const isNew = (await statusOfName(deps, projectId, alias)) === 'unknown';
      (isNew ? added : others).push(alias);
    }
    others.push(...(await addNames(deps, { projectId, appUserId, aliases: added }, ctx)));
    for (const alias of others) {
      await deps.runtime.slice();
      await mergeName(deps, { projectId, appUserId, alias }, ctx);
    }
  }
}

/** Adds names that are new here as one append. Returns those whose customer stays in the order of merges. */
async function addNames(
  deps: StoreDeps,
  { projectId, appUserId, aliases }: Names,
  ctx: Context,
): Promise<readonly string[]> {
  const claimant = await resolveCustomer(deps, projectId, appUserId);
  const owners = aliases.map((name) => ({ customerId: customerId(deps.hash, projectId, name), appUserId: name }));
  const going = owners.filter((owner) => orderForMerge(owner, claimant).absorbed === owner);
  await Promise.all(
    going.map((absorbed) => {
      const commandId = commandIds.importedAlias(claimant.customerId, absorbed.customerId);
      return makePointer(deps, projectId, { absorbed, survivor: claimant }, { ...ctx, commandId }, 'import');
    }),
  );
  const ids = going.map((owner) => owner.customerId);
  try {
    await completeMergesInto(deps, projectId, claimant, ids);
  } catch (err) {
    // This customer was merged meanwhile: each name follows on its own.
    if (!(err instanceof MergedElsewhere)) throw err;
    for (const id of ids) await finishMerge(deps, projectId, id);
  }
  return owners.filter((owner) => !going.includes(owner)).map((owner) => owner.appUserId);
}

async function statusOfName(deps: StoreDeps, projectId: string, appUserId: string): Promise<Profile['status']> {
  const stream = streams.subscriber(projectId, customerId(deps.hash, projectId, appUserId));
  return (await loadSubscriber(deps, stream)).state.profile.status;
}

/** Both names become one customer. Which of them stays follows the order of all merges. */
async function mergeName(
  deps: StoreDeps,
  { projectId, appUserId, alias }: { readonly projectId: string; readonly appUserId: string; readonly alias: string },
  ctx: Context,
): Promise<void> {
  const aliasId = customerId(deps.hash, projectId, alias);
  const [claimant, other] = [
    await resolveCustomer(deps, projectId, appUserId),
    await resolveCustomer(deps, projectId, alias),
  ];
  // A run that was cut off between the two steps of a merge left it unfinished.
  if (claimant.customerId === other.customerId) return finishMerge(deps, projectId, aliasId);
  const { state } = await loadSubscriber(deps, streams.subscriber(projectId, other.customerId));
  if (state.profile.status === 'erased') return;
  const merged = orderForMerge(other, claimant);
  const commandId = commandIds.importedAlias(claimant.customerId, aliasId);
  await makePointer(deps, projectId, merged, { ...ctx, commandId }, 'import');
  await finishMerge(deps, projectId, merged.absorbed.customerId);
}

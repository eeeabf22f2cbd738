// Reads the store, where credentials allow, before a deadline expires something without a notification, which may have been lost.
import { commandIds } from '../../commands/handling/command-ids.js';
import { NoCredentials, StoreRefusal, Unavailable, UnprovenData } from '../../domain/errors.js';
import { load, type CommandContext } from '../../commands/handling/run-command.js';
import { processBacklogOfLine } from '../../commands/stores/inbox/process-backlog.js';
import type { OwnedPurchase } from '../../commands/stores/store-integration.js';
import { isStoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { DeadlineDoc } from '../../projections/models/customers.js';
import type { StoreTaskDeps } from './store-tasks.js';

/** Returns `pass` when the store was read or cannot be, and `later` when it is unavailable or busy. */
export type CheckStore = (due: DeadlineDoc) => Promise<'pass' | 'later'>;

/** Maximum time after an expiry to wait for an unavailable store. A store that responds is read regardless of the age of the expiry. */
const MAX_WAIT_MS = 86_400_000;

export function createStoreCheck(o: StoreTaskDeps): CheckStore {
  const { deps, gates, logger } = o;
  return async (due) => {
    const now = deps.runtime.now();
    const whileAway = now - msFromIso(due.dueAt) > MAX_WAIT_MS ? 'pass' : 'later';
    const owned = await purchaseOf(o, due);
    if (!owned) return 'pass';
    const { appId } = owned.app;
    const { storeChainId, originalTransactionId } = owned.purchase;
    for (const line of new Set([storeChainId, originalTransactionId])) await processBacklogOfLine(deps, appId, line);
    if (gates.nextTryAt(appId) > now) return whileAway;
    if (gates.isBusy(appId)) return 'later';
    try {
      await gates.track(appId, () => readAndRecord(o, due, owned));
      gates.reset(appId);
      return 'pass';
    } catch (err) {
      if (isRetryable(err)) {
        gates.recordFailure(appId);
        return whileAway;
      }
      if (!isFinal(err)) throw err;
      if (err instanceof UnprovenData)
        logger.warn({ appId, target: due.target, reason: err.message }, 'store response failed verification');
      return 'pass';
    }
  };
}

/** Returns whether the store may respond to a retry. */
function isRetryable(err: unknown): boolean {
  return err instanceof Unavailable || (err instanceof StoreRefusal && err.reason === 'forbidden');
}

/** Returns whether a retry would not help: no credentials, or an invalid response that will stay so. */
function isFinal(err: unknown): boolean {
  return err instanceof StoreRefusal || err instanceof NoCredentials || err instanceof UnprovenData;
}

/** Returns the purchase of a deadline, or null for a grant, a purchase of a deleted app, and one of the test store, which has no server. */
async function purchaseOf({ deps }: StoreTaskDeps, due: DeadlineDoc): Promise<OwnedPurchase | null> {
  const { projectId, customerId, target } = due;
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const s = state.profile.subscriptions.find((one) => one.purchase.subscriptionId === target);
  if (!s) return null;
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((a) => a.appId === s.purchase.appId);
  if (!app || !isStoreApp(app)) return null;
  return { projectId, app, purchase: s.purchase, isSubscription: true, scope: 'state' };
}

async function readAndRecord(o: StoreTaskDeps, due: DeadlineDoc, owned: OwnedPurchase): Promise<void> {
  const { deps } = o;
  const { projectId, target, dueAt, kind } = due;
  const id = commandIds.storeRequest(target, dueAt, kind, isoFromMs(deps.runtime.now()));
  const ctx: CommandContext = {
    commandId: id,
    correlationId: id,
    actor: { kind: 'system', id: 'deadlines' },
    projectId,
  };
  await deps.stores.of(owned.app.store).refreshPurchase(deps, owned, ctx);
}

// Reads the store, where credentials allow, before a deadline expires something without a notification, which may have been lost.
import { commandIds } from '../../commands/handling/command-ids.js';
import { StoreFault, StoreRefusal, Unavailable, UnprovenData } from '../../domain/errors.js';
import { findStoreApp } from '../../commands/projects/apps.js';
import { load, type CommandContext } from '../../commands/handling/run-command.js';
import { processBacklogOfLine } from '../../commands/stores/inbox/inbox.js';
import type { OwnedPurchase } from '../../commands/stores/store-integration.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { DeadlineDoc } from '../../projections/models/customers.js';
import type { StoreTaskDeps } from './store-tasks.js';

/** Returns `pass` when the store was read or cannot be, and `later` when it is unavailable or busy. */
export type CheckStore = (due: DeadlineDoc) => Promise<'pass' | 'later'>;

/** Maximum time after an expiry to wait for an unavailable store. A store that responds is read regardless of the age of the expiry. */
const MAX_WAIT_MS = 86_400_000;
/** Minimum time for which this process has tried: after days of downtime its network may begin to work later than the process. */
const MIN_TRIED_MS = 900_000;

export function createStoreCheck(o: StoreTaskDeps): CheckStore {
  const { deps, circuitBreakers, logger } = o;
  return async (due) => {
    const now = deps.runtime.now();
    const whileAway = (appId: string) => {
      const triedMs = now - (circuitBreakers.failingSince(appId) ?? now);
      return now - msFromIso(due.dueAt) > MAX_WAIT_MS && triedMs >= MIN_TRIED_MS ? 'pass' : 'later';
    };
    const owned = await purchaseOf(o, due);
    if (!owned) return 'pass';
    const { appId } = owned.app;
    const { storeChainId, originalTransactionId } = owned.purchase;
    for (const line of new Set([storeChainId, originalTransactionId])) await processBacklogOfLine(deps, appId, line);
    if (circuitBreakers.nextTryAt(appId) > now) return whileAway(appId);
    if (circuitBreakers.isBusy(appId)) return 'later';
    try {
      await circuitBreakers.track(appId, () => readAndRecord(o, due, owned));
      circuitBreakers.reset(appId);
      return 'pass';
    } catch (err) {
      if (isRetryable(err)) {
        circuitBreakers.recordFailure(appId);
        return whileAway(appId);
      }
      // A retry would not help: no credentials, or a response that will stay as it is.
      if (!(err instanceof StoreFault)) throw err;
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

/** Returns the purchase of a deadline, or null for a grant, a purchase of a deleted app, and one of the test store, which has no server. */
async function purchaseOf({ deps }: StoreTaskDeps, due: DeadlineDoc): Promise<OwnedPurchase | null> {
  const { projectId, customerId, target } = due;
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const s = state.profile.subscriptions.find((one) => one.purchase.subscriptionId === target);
  if (!s) return null;
  const app = await findStoreApp(deps, projectId, s.purchase.appId);
  return app ? { projectId, app, purchase: s.purchase, isSubscription: true, scope: 'state' } : null;
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

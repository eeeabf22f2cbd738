// Before a deadline ends something without a notification, the store is read, where credentials allow: the notification may be lost.
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

/** `pass`: asked, or nobody to ask. `later`: the store is away or busy. */
export type AskStore = (due: DeadlineDoc) => Promise<'pass' | 'later'>;

/** A store that is away this long after an end is waited for no longer. One that responds is asked however long ago the end was. */
const WAITED_FOR_MS = 86_400_000;

export function createAskStore(o: StoreTaskDeps): AskStore {
  const { deps, gates, logger } = o;
  return async (due) => {
    const now = deps.runtime.now();
    const whileAway = now - msFromIso(due.dueAt) > WAITED_FOR_MS ? 'pass' : 'later';
    const asked = await purchaseOf(o, due);
    if (!asked) return 'pass';
    const { appId } = asked.app;
    const { storeChainId, originalTransactionId } = asked.purchase;
    for (const line of new Set([storeChainId, originalTransactionId]))
      await processBacklogOfLine(deps, o.find, appId, line);
    if (gates.triedAgainAt(appId) > now) return whileAway;
    if (gates.isBusy(appId)) return 'later';
    try {
      await gates.through(appId, () => readAndRecord(o, due, asked));
      gates.open(appId);
      return 'pass';
    } catch (err) {
      if (isAway(err)) {
        gates.close(appId);
        return whileAway;
      }
      if (!isFinal(err)) throw err;
      if (err instanceof UnprovenData)
        logger.warn({ appId, target: due.target, reason: err.message }, 'the response of the store is not believed');
      return 'pass';
    }
  };
}

/** Asked again, it may respond. */
function isAway(err: unknown): boolean {
  return err instanceof Unavailable || (err instanceof StoreRefusal && err.reason === 'forbidden');
}

/** Nobody to ask, or a response that is none and stays so. */
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
  return app && isStoreApp(app) ? { projectId, app, purchase: s.purchase } : null;
}

async function readAndRecord(o: StoreTaskDeps, due: DeadlineDoc, asked: OwnedPurchase): Promise<void> {
  const { deps, find } = o;
  const { projectId, target, dueAt, kind } = due;
  const id = commandIds.storeAsked(target, dueAt, kind, isoFromMs(deps.runtime.now()));
  const ctx: CommandContext = {
    commandId: id,
    correlationId: id,
    actor: { kind: 'system', id: 'deadlines' },
    projectId,
  };
  await deps.stores.of(asked.app.store).askAgain(deps, find, asked, ctx);
}

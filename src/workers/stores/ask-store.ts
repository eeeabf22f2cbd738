// Before time ends what a store has not spoken of, the store is asked, where credentials allow: its notification may have been lost.
import {
  AndroidStoreRefusal,
  InvalidSignedData,
  IosStoreRefusal,
  NoCredentials,
  Unavailable,
} from '../../domain/errors.js';
import { recordRead } from '../../commands/stores/android/record.js';
import { readWithRefunds } from '../../commands/stores/android/refunds.js';
import { recordIosStatus } from '../../commands/stores/ios/chains.js';
import { newestToken } from '../../commands/stores/android/purchase-tokens.js';
import { load, type CommandContext } from '../../commands/handling/run-command.js';
import { workOffLine } from '../../commands/stores/work-off.js';
import type { App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import type { SubscriptionPurchaseRef } from '../../domain/subscriber/events/blocks.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { DeadlineDoc } from '../../projections/models/customers.js';
import type { StoreTaskDeps } from './store-tasks.js';

/** `settle`: asked, or nobody to ask. `later`: the store is away or busy. */
export type AskStore = (due: DeadlineDoc) => Promise<'settle' | 'later'>;

/** A store that is away this long after an end is waited for no longer. One that answers is asked however long ago the end was. */
const WAITED_FOR_MS = 86_400_000;

export function createAskStore(o: StoreTaskDeps): AskStore {
  const { deps, gates, logger } = o;
  return async (due) => {
    const now = deps.runtime.now();
    const whileAway = now - msFromIso(due.dueAt) > WAITED_FOR_MS ? 'settle' : 'later';
    const asked = await purchaseOf(o, due);
    if (!asked) return 'settle';
    const { appId } = asked.app;
    const { storeChainId, originalTransactionId } = asked.purchase;
    for (const line of new Set([storeChainId, originalTransactionId])) await workOffLine(deps, o.find, appId, line);
    if (gates.triedAgainAt(appId) > now) return whileAway;
    if (gates.isBusy(appId)) return 'later';
    try {
      await gates.through(appId, () => readAndRecord(o, due, asked));
      gates.open(appId);
      return 'settle';
    } catch (err) {
      if (isAway(err)) {
        gates.close(appId);
        return whileAway;
      }
      if (!isAnswer(err)) throw err;
      if (err instanceof InvalidSignedData)
        logger.warn({ appId, target: due.target, reason: err.message }, 'the answer of the store is not believed');
      return 'settle';
    }
  };
}

/** Asked again, it may answer. */
function isAway(err: unknown): boolean {
  const isRefusal = err instanceof AndroidStoreRefusal || err instanceof IosStoreRefusal;
  return err instanceof Unavailable || (isRefusal && err.reason === 'forbidden');
}

/** Nobody to ask, or an answer that is none and stays so. */
function isAnswer(err: unknown): boolean {
  const isRefusal = err instanceof AndroidStoreRefusal || err instanceof IosStoreRefusal;
  return isRefusal || err instanceof NoCredentials || err instanceof InvalidSignedData;
}

type Asked = { readonly app: App; readonly purchase: SubscriptionPurchaseRef };

/** The purchase that stands behind a deadline, or null: a grant, or of an app that is gone. */
async function purchaseOf({ deps }: StoreTaskDeps, due: DeadlineDoc): Promise<Asked | null> {
  const { projectId, customerId, target } = due;
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const s = state.profile.subscriptions.find((one) => one.purchase.subscriptionId === target);
  if (!s) return null;
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((a) => a.appId === s.purchase.appId);
  return app ? { app, purchase: s.purchase } : null;
}

async function readAndRecord(o: StoreTaskDeps, due: DeadlineDoc, { app, purchase }: Asked): Promise<void> {
  const { deps, find } = o;
  const { projectId, target, dueAt, kind } = due;
  const storeTime = isoFromMs(deps.runtime.now());
  const id = `q|${target}|${dueAt}|${kind}|${storeTime}`;
  const ctx: CommandContext = {
    commandId: id,
    correlationId: id,
    actor: { kind: 'system', id: 'deadlines' },
    projectId,
  };
  if (purchase.store === 'ios-store') {
    const environment = purchase.environment === 'sandbox' ? ('Sandbox' as const) : ('Production' as const);
    const chain = { projectId, app, environment, originalTransactionId: purchase.storeChainId };
    await recordIosStatus(deps, find, chain, ctx);
    return;
  }
  const purchaseToken = await newestToken(deps, app.appId, purchase.originalTransactionId);
  const question = { projectId, app, type: null, storeTime, offeringId: null, claimed: null };
  const read = await readWithRefunds(deps, question, purchaseToken);
  await recordRead(deps, find, { question, read, purchaseToken }, ctx);
}

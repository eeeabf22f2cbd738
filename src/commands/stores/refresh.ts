// Refresh of all purchases of a customer from their stores, on request of support.
import { StoreFault, Unavailable } from '../../domain/errors.js';
import { isTestStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { commandIds } from '../handling/command-ids.js';
import { contextOf, type Requester } from '../handling/deps.js';
import { findStoreApp } from '../projects/apps.js';
import { load } from '../handling/run-command.js';
import type { StoreDeps } from './store-integration.js';
import { processBacklogOfLine } from './inbox/inbox.js';

/** `failed`: subscriptions that could not be read, with the reason. */
export type RefreshResult = {
  readonly requestedLines: number;
  readonly failed: readonly { readonly subscriptionId: string; readonly reason: string }[];
};

/** Sends one request for each purchase line with a subscription and records the response of its store. */
export async function refreshFromStores(
  deps: StoreDeps,
  by: Requester,
  projectId: string,
  customerId: string,
): Promise<RefreshResult> {
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  // The newest subscription of a line represents the line.
  const ofStores = state.profile.subscriptions.filter(({ purchase }) => !isTestStore(purchase.store));
  const byLine = new Map(ofStores.map(({ purchase }) => [purchase.storeChainId, purchase]));
  const failed: { subscriptionId: string; reason: string }[] = [];
  for (const purchase of byLine.values()) {
    const { subscriptionId, storeChainId, originalTransactionId } = purchase;
    const app = await findStoreApp(deps, projectId, purchase.appId);
    if (!app) {
      failed.push({ subscriptionId, reason: 'the app of the purchase was deleted' });
      continue;
    }
    const ctx = { ...contextOf(by, projectId), commandId: commandIds.refresh(by.requestId, subscriptionId) };
    const scope = { isSubscription: true, scope: 'state' as const };
    try {
      for (const line of new Set([storeChainId, originalTransactionId]))
        await processBacklogOfLine(deps, app.appId, line);
      await deps.stores.of(app.store).refreshPurchase(deps, { ...scope, projectId, app, purchase }, ctx);
    } catch (err) {
      if (!(err instanceof StoreFault || err instanceof Unavailable)) throw err;
      failed.push({ subscriptionId, reason: err.message });
    }
  }
  return { requestedLines: byLine.size, failed };
}

// A project with an iOS app and a monthly product that unlocks `pro`, and what stores, devices and users do to it.
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import type { IosNotification, IosTransaction } from '../../../src/adapters/ios-store/port.js';
import { changeAttachment, createEntitlement, createProduct } from '../../../src/commands/catalog/catalog.js';
import type { Requester } from '../../../src/commands/handling/deps.js';
import type { StoredNotification } from '../../../src/commands/stores/store-integration.js';
import { processNotification, receiveNotification } from '../../../src/commands/stores/inbox/inbox.js';
import { registerApp } from '../../../src/commands/projects/apps.js';
import { createProject } from '../../../src/commands/projects/projects.js';
import { readNotification } from '../../../src/commands/stores/ios/inbox.js';
import { recordIosReceipt } from '../../../src/commands/stores/ios/receipts.js';
import { load } from '../../../src/commands/handling/run-command.js';
import { customerIdOf, familyOf } from '../../../src/domain/streams.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { lineOf } from '../../../src/domain/subscriber/state/line.js';
import type { TransferBehavior } from '../../../src/domain/project/events.js';
import { BUNDLE_ID, MONTHLY } from './store-data.js';
import { findInLog, findTokensInLog } from './find-in-log.js';
import { eventsOf, memoryDeps } from './memory-deps.js';

export type ProjectFixture = Awaited<ReturnType<typeof createProjectFixture>>;
/** Transactions of a store chain by app user ID, without users who have none. */
export type TransactionHolders = Readonly<Record<string, readonly string[]>>;

type Options = { readonly transferBehavior?: TransferBehavior; readonly wrapLog?: (log: EventLog) => EventLog };

export async function createProjectFixture({ transferBehavior = 'transfer', wrapLog }: Options = {}) {
  const memory = await memoryDeps(wrapLog);
  const lookUps = { findByAccountToken: findInLog(memory.deps), findTokensOfOrder: findTokensInLog(memory.deps) };
  const deps = { ...memory.deps, ...lookUps };
  let requests = 0;
  const by = (isTrusted = true): Requester => {
    const actor = { kind: 'user' as const, id: 'user_1' };
    return { actor, requestId: `req_${++requests}`, isTrusted };
  };
  const settings = { transferBehavior, sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;
  const { projectId } = await createProject(deps, by(), { name: 'Example', ownerId: 'user_1', ...settings });
  const { app } = await registerApp(deps, by(), projectId, {
    name: 'Example',
    platform: 'ios',
    store: 'ios-store',
    storeIdentifier: BUNDLE_ID,
    storeAppId: null,
    notificationForwardingUrl: null,
    refundPolicy: 'revoke_immediately',
    iosStoreSmallBusiness: true,
  });
  const { appId } = app;
  const durations = { duration: 'P1M', trialDuration: null, gracePeriodDuration: null };
  const named = { appId, storeProductId: MONTHLY, displayName: 'Pro', type: 'subscription' } as const;
  const { product } = await createProduct(deps, by(), projectId, { ...named, ...durations });
  const pro = { lookupKey: 'pro', displayName: 'Pro', description: null };
  const { entitlementId } = await createEntitlement(deps, by(), projectId, pro);
  const attached = { kind: 'attachProducts', entitlement: 'pro', productIds: [product.productId] } as const;
  await changeAttachment(deps, by(), projectId, attached);

  const submit = (appUserId: string, transaction: IosTransaction, isRestore = false, isTrusted = true) =>
    recordIosReceipt(
      deps,
      by(isTrusted),
      { projectId, app, appUserId, isRestore, offeringId: null, claimed: null },
      transaction,
    );
  const receive = (decoded: IosNotification) =>
    receiveNotification(deps, { projectId, app, rawBody: JSON.stringify(decoded) }, readNotification(decoded));
  const received = async () => {
    const events = await eventsOf(deps.log);
    return events.filter((e): e is StoredNotification => e.type === 'StoreNotificationReceived');
  };
  const processAll = async () => {
    for (const event of await received()) await processNotification(deps, event);
  };
  const notify = async (decoded: IosNotification) => {
    await receive(decoded);
    await processAll();
  };
  const subscribers = async () => {
    const names = (await eventsOf(deps.log)).map((e) => e.stream).filter((s) => familyOf(s) === 'subscriber');
    const states = [...new Set(names)].map(async (stream) => ({
      customerId: customerIdOf(stream),
      stream,
      state: (await load(deps.log, stream, subscriberDecider)).state,
    }));
    return Promise.all(states);
  };
  const holders = async (storeChainId: string): Promise<TransactionHolders> => {
    const all = (await subscribers()).map(({ state }): [string, string[]] => {
      const { subscriptions, owned, transactions } = lineOf(state, storeChainId);
      const lines = subscriptions.length + owned.length;
      const ids = transactions.map((t) => t.transactionId).sort();
      return [state.profile.appUserId, lines > 1 ? [...ids, `${lines} lines`] : ids];
    });
    return Object.fromEntries(all.filter(([, ids]) => ids.length > 0));
  };
  return {
    ...memory,
    deps,
    by,
    projectId,
    app,
    product,
    entitlementId,
    submit,
    receive,
    notify,
    processAll,
    subscribers,
    holders,
  };
}

// Actions of the test store itself. It has no server that renews a subscription or refunds a charge, so a team does it per purchase, in order
// to try every state. Each action becomes the commands that a store's notification about the same fact becomes, and the same rules decide it.
import type { Catalog } from '../../../domain/catalog/catalog.js';
import { storeProductOf } from '../../../domain/catalog/products.js';
import { Rejection } from '../../../domain/errors.js';
import type { App } from '../../../domain/project/events.js';
import { isTestStore, TEST_STORE } from '../../../domain/store-kinds.js';
import { streams } from '../../../domain/streams.js';
import { stateAt, type SubscriptionState } from '../../../domain/subscriber/access.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import type { StoreCommand } from '../../../domain/subscriber/decide/store-commands.js';
import { chainOf, storeTimeOf } from '../../../domain/subscriber/state/line.js';
import type { Subscriber, Subscription, Transaction } from '../../../domain/subscriber/state/state.js';
import { addDuration, isoFromMs, latest, msFromIso } from '../../../domain/time.js';
import { contextOf, type Deps, type Requester } from '../../handling/deps.js';
import { load } from '../../handling/run-command.js';
import { recordFromStore } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import { testPeriodCommand } from './period.js';

/**
 * `renew`: the running period ends now and the next begins, as in a sandbox whose time runs faster; an ended subscription is signed up for
 * again. `expiresAt`: end of the new period. `billing_issue`: the renewal fails; `graceEndsAt` null: without a grace period. Times are ISO
 * 8601 UTC.
 */
type TestAction =
  | { readonly action: 'renew'; readonly expiresAt?: string | undefined }
  | { readonly action: 'billing_issue'; readonly graceEndsAt?: string | null | undefined }
  | { readonly action: 'cancel' | 'uncancel' | 'expire' | 'refund' };

/** `customerId`: the customer of the transaction. */
export type TestActionOnPurchase = TestAction & {
  readonly projectId: string;
  readonly customerId: string;
  readonly transactionId: string;
};

/**
 * Performs an action now. Throws {@link Rejection}: `missing` for an unknown transaction, `conflict` for a purchase of a real store and for
 * an action that the state of the purchase does not allow, `invalid` for an end that is not in the future.
 */
export async function performTestAction(deps: Deps, by: Requester, o: TestActionOnPurchase): Promise<SubscriberResult> {
  const { projectId, customerId, transactionId } = o;
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const charge = state.transactions.get(transactionId);
  if (!charge) throw new Rejection('missing', 'unknown-transaction', 'transaction not found in this project');
  const { store, storeChainId, appId } = charge.purchase;
  if (!isTestStore(store)) {
    const message = `the purchase is of the ${store}, which alone can change it; use a purchase of the test store`;
    throw new Rejection('conflict', 'test-store-only', message);
  }
  const project = await deps.projects.get(streams.project(projectId));
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const app = project?.apps.find((one) => one.appId === appId);
  const storeTime = timeOfAction(isoFromMs(deps.runtime.now()), state, storeChainId);
  const command = commandOf(deps, o, { projectId, app, catalog, charge, state, storeTime });
  const update = { storeChainId, commands: [command], accountToken: null, firstAt: storeTime };
  return recordFromStore(deps, { projectId, store: TEST_STORE, update }, contextOf(by, projectId));
}

/** Actions have an order, also within one millisecond: a fact that is older than the latest one would change nothing. */
function timeOfAction(now: string, { profile, transactions }: Subscriber, storeChainId: string): string {
  const charges = [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId);
  const last = charges.reduce((at, t) => latest(at, t.purchasedAt), storeTimeOf(profile, storeChainId) ?? '');
  return last < now ? now : isoFromMs(msFromIso(last) + 1);
}

type Situation = {
  readonly projectId: string;
  readonly app: App | undefined;
  readonly catalog: Catalog;
  readonly charge: Transaction;
  readonly state: Subscriber;
  readonly storeTime: string;
};

const ENDED: ReadonlySet<SubscriptionState> = new Set(['expired', 'refunded', 'revoked']);

function commandOf(deps: Deps, act: TestAction, on: Situation): StoreCommand {
  if (act.action === 'refund') return refund(on);
  const s = subscriptionOf(on);
  const shared = { storeChainId: s.purchase.storeChainId, storeTime: on.storeTime, shown: s.purchase.transactionId };
  const isEnded = ENDED.has(stateAt(s, on.storeTime));
  if (act.action === 'renew') return renew(deps, act.expiresAt, s, isEnded, on);
  if (isEnded) throw conflict('the subscription has ended; renew it first');
  switch (act.action) {
    case 'cancel':
    case 'uncancel': {
      const turnsOn = act.action === 'uncancel';
      if (s.autoRenew.on === turnsOn) throw conflict(`auto-renewal is ${turnsOn ? 'on' : 'off'} already`);
      return { kind: 'recordAutoRenew', ...shared, on: turnsOn, reason: 'unsubscribe', inferred: false };
    }
    case 'billing_issue':
      return failBilling(act.graceEndsAt, s, shared, on);
    case 'expire':
      return { kind: 'recordExpiry', ...shared, reason: s.billingIssueAt === null ? 'unknown' : 'billing_error' };
  }
}

function subscriptionOf({ charge, state }: Situation): Subscription {
  const s = chainOf(state.profile, charge.purchase.storeChainId).at(-1);
  if (s) return s;
  throw conflict('the purchase is not a subscription; it can only be refunded');
}

function renew(
  deps: Deps,
  expiresAt: string | undefined,
  { purchase: former, autoRenew }: Subscription,
  isEnded: boolean,
  { projectId, catalog, storeTime }: Situation,
): StoreCommand {
  if (!isEnded && !autoRenew.on) throw conflict('auto-renewal is off; send uncancel first');
  if (expiresAt !== undefined && expiresAt <= storeTime)
    throw new Rejection('invalid', 'end-not-in-future', 'expiresAt must be in the future');
  const { subscriptionId: _former, ...line } = former;
  const product = storeProductOf(catalog, former.appId, former.storeProductId);
  const productId = product?.productId ?? former.productId;
  const purchase = { ...line, productId, transactionId: deps.runtime.newId('test') };
  const reason = isEnded ? ('purchase' as const) : ('renewal' as const);
  const period = { projectId, purchase, storeTime, reason, isTrial: false, purchasedAt: storeTime, expiresAt };
  return testPeriodCommand(deps, catalog, period);
}

const DEFAULT_GRACE_PERIOD = 'P3D';

function failBilling(
  graceEndsAt: string | null | undefined,
  s: Subscription,
  shared: { readonly storeChainId: string; readonly storeTime: string; readonly shown: string },
  { catalog, storeTime }: Situation,
): StoreCommand {
  if (!s.autoRenew.on) throw conflict('auto-renewal is off, so that no renewal can fail; send uncancel first');
  if (s.retrySince !== null) throw conflict('the store retries the renewal already');
  const from = latest(s.contractEndsAt, storeTime);
  if (graceEndsAt != null && graceEndsAt <= from)
    throw new Rejection(
      'invalid',
      'end-not-in-future',
      `graceEndsAt must be after the paid period, which ends ${from}`,
    );
  const product = storeProductOf(catalog, s.purchase.appId, s.purchase.storeProductId);
  const usual = addDuration(from, product?.gracePeriodDuration ?? DEFAULT_GRACE_PERIOD);
  const end = graceEndsAt === undefined ? usual : graceEndsAt;
  return { kind: 'recordBillingFailure', ...shared, graceEndsAt: end, inferred: false };
}

function refund({ charge, app, storeTime }: Situation): StoreCommand {
  if (charge.refund !== null) throw conflict('the transaction is refunded already');
  const { transactionId, purchase } = charge;
  return {
    kind: 'recordRefund',
    storeChainId: purchase.storeChainId,
    storeTime,
    transactionId,
    refundedAt: storeTime,
    refund: { kind: 'full', share: 1 },
    policy: app?.refundPolicy ?? 'revoke_immediately',
  };
}

function conflict(message: string): Rejection {
  return new Rejection('conflict', 'test-action-not-possible', message);
}

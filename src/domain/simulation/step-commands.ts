// Commands of the steps of a simulated life: those that a store's notifications about the same facts become.
import { assumedCharge, type Product } from '../catalog/products.js';
import { findEntitlement } from '../catalog/entitlements.js';
import { Rejection } from '../errors.js';
import { storeCommission, toUnconvertedMoney, type Money } from '../money.js';
import { isTestStore } from '../store-kinds.js';
import { stateAt } from '../subscriber/access.js';
import type { SubscriberCommand } from '../subscriber/decide/commands.js';
import type { RecordPeriod, StoreCommand } from '../subscriber/decide/store-commands.js';
import type { Offer, OneTimePurchaseRef } from '../subscriber/events/blocks.js';
import type { Subscriber, Subscription } from '../subscriber/state/state.js';
import { addDuration } from '../time.js';
import { SIMULATED_CHAIN, SIMULATED_CUSTOMER, type LifeScript, type LifeStep } from './life-script.js';

const NO_OFFER: Offer = { offerType: null, offerId: null, discountType: null };
const TRIAL: Offer = { offerType: 'introductory', offerId: null, discountType: 'free_trial' };
const DEFAULT_DURATION = 'P1M';

/** `index`: number of the step, from 0, which names its transaction. */
type Situation = { readonly script: LifeScript; readonly state: Subscriber; readonly index: number };

/** Returns the command of a step. Throws {@link Rejection} `invalid` for a step that the state does not allow. */
export function commandOf(step: LifeStep, on: Situation): SubscriberCommand {
  const { at } = step;
  if (step.what === 'command') return step.command;
  if (step.what === 'grant') return grantCommand(step, on);
  if (step.what === 'transfer') {
    const transfer = { fromCustomerId: SIMULATED_CUSTOMER, toCustomerId: 'cus_other', storeChainId: SIMULATED_CHAIN };
    return { kind: 'releaseLine', ...transfer, reason: 'restore' };
  }
  const command = storeCommandOf(step, on);
  const { storeChainId } = command;
  return { kind: 'recordStoreUpdates', storeChainId, updates: [{ orderedAt: at, commands: [command] }] };
}

type StoreStep = Exclude<LifeStep, { readonly what: 'grant' | 'command' | 'transfer' }>;

function storeCommandOf(step: StoreStep, on: Situation): StoreCommand {
  const { at: storeTime } = step;
  if (step.what === 'buy' || step.what === 'trial') return purchaseCommand(step, on);
  const shared = { storeChainId: SIMULATED_CHAIN, storeTime };
  if (step.what === 'refund' || step.what === 'reverse_refund') return refundCommand(step, on);
  const s = subscriptionOf(on);
  switch (step.what) {
    case 'cancel':
    case 'uncancel':
      return {
        kind: 'recordAutoRenew',
        ...shared,
        on: step.what === 'uncancel',
        reason: 'unsubscribe',
        inferred: false,
      };
    case 'billing_fail': {
      const usual = productOf(on, s.purchase.storeProductId).gracePeriodDuration;
      const end = usual === null ? null : addDuration(s.contractEndsAt, usual);
      const graceEndsAt = step.graceEndsAt === undefined ? end : step.graceEndsAt;
      return { kind: 'recordBillingFailure', ...shared, graceEndsAt, inferred: false };
    }
    case 'renew':
      expectRunning(s, on, step);
      return renewalCommand(s, on, step, s.contractEndsAt);
    case 'recover':
      expectUnpaid(s, on, step);
      return renewalCommand(s, on, step, s.retrySince === null ? s.contractEndsAt : step.at);
    case 'resume':
      return renewalCommand(s, on, step, step.at);
    case 'expire':
      return { kind: 'recordExpiry', ...shared, reason: expiryReasonOf(s) };
    case 'pause': {
      const autoResumeAt = step.resumesAt ?? null;
      return { kind: 'recordPause', ...shared, pausedAt: step.at, autoResumeAt, inferred: false };
    }
    case 'extend':
      return { kind: 'recordExtension', ...shared, expiresAt: step.until, inferred: false };
    case 'change_product': {
      const product = requireProduct(on, step.product);
      if (step.atRenewal) {
        const { productId, storeProductId } = product;
        const next = { productId, storeProductId, effectiveAt: null };
        return { kind: 'recordNextProduct', ...shared, ...next, inferred: false };
      }
      return periodCommand(product, on, { storeTime, reason: 'purchase', isTrial: false, from: step.at });
    }
  }
}

function expiryReasonOf({ autoRenew, billingIssueAt }: Subscription) {
  if (billingIssueAt !== null) return 'billing_error' as const;
  return autoRenew.on ? ('unknown' as const) : ('unsubscribe' as const);
}

function purchaseCommand(
  step: { readonly at: string; readonly what: 'buy' | 'trial'; readonly product?: string | undefined },
  on: Situation,
): StoreCommand {
  const { script, index } = on;
  const { at: storeTime, what } = step;
  const product = step.product === undefined ? script.product : requireProduct(on, step.product);
  const isTrial = what === 'trial';
  if (isTrial && product.trialDuration === null)
    throw impossible(index, `${product.storeProductId} has no free trial: set trialDuration, or use buy`);
  if (product.type === 'subscription')
    return periodCommand(product, on, { storeTime, reason: 'purchase', isTrial, from: step.at });
  const storeChainId = `${SIMULATED_CHAIN}_${index + 1}`;
  const lasts = product.type === 'non_renewing_subscription' ? product.duration : null;
  const expiresAt = lasts === null ? null : addDuration(step.at, lasts);
  const goods = { productType: product.type, quantity: 1, purchasedAt: step.at, expiresAt, offer: NO_OFFER };
  const purchase = purchaseOf(product, on, storeChainId);
  const money = moneyOf(product, on, step.at, step.at);
  return { kind: 'recordOneTimePurchase', storeChainId, storeTime, purchase, ...goods, money };
}

function renewalCommand(s: Subscription, on: Situation, { at }: LifeStep, from: string): RecordPeriod {
  const { nextProduct, purchase } = s;
  const product = productOf(on, nextProduct?.storeProductId ?? purchase.storeProductId);
  return periodCommand(product, on, { storeTime: at, reason: 'renewal', isTrial: false, from });
}

type Period = {
  readonly storeTime: string;
  readonly reason: RecordPeriod['reason'];
  readonly isTrial: boolean;
  readonly from: string;
};

function periodCommand(product: Product, on: Situation, { storeTime, reason, isTrial, from }: Period): RecordPeriod {
  const productDuration = product.duration ?? DEFAULT_DURATION;
  const periodDuration = (isTrial ? product.trialDuration : null) ?? productDuration;
  const money = moneyOf(product, on, storeTime, from);
  const periodType = isTrial ? 'trial' : 'normal';
  return {
    kind: 'recordPeriod',
    storeChainId: SIMULATED_CHAIN,
    storeTime,
    inferred: false,
    purchase: purchaseOf(product, on, SIMULATED_CHAIN),
    newSubscriptionId: `sub_simulated_${on.index + 1}`,
    reason,
    periodType,
    ...{ periodDuration, productDuration },
    purchasedAt: from,
    expiresAt: addDuration(from, periodDuration),
    money: isTrial ? { ...money, amountMicros: 0, usdMicros: 0 } : money,
    offer: isTrial ? TRIAL : NO_OFFER,
  };
}

function purchaseOf(product: Product, { script, index }: Situation, storeChainId: string): OneTimePurchaseRef {
  const { productId, storeProductId, appId, store } = product;
  const transactionId = `simulated_${index + 1}`;
  return {
    ...{ transactionId, originalTransactionId: storeChainId, storeChainId, store, appId, productId, storeProductId },
    ...{ environment: script.environment, ownership: 'purchased', country: script.country },
    ...{ offeringId: null, placementId: null },
  };
}

/** The catalogue's price, with the commission of the store and without taxes, which depend on the customer. */
function moneyOf({ productId, store, type }: Product, { script, state }: Situation, at: string, from: string): Money {
  const { catalog, country, app } = script;
  const charge = assumedCharge(catalog, { productId, country, at }) ?? { currency: null, amountMicros: null };
  const isSubscription = type === 'subscription';
  const first = [...state.transactions.values()].find((t) => t.purchase.storeChainId === SIMULATED_CHAIN);
  const charged = {
    smallBusiness: app.iosStoreSmallBusiness,
    isSubscription,
    originallyPurchasedAt: first?.purchasedAt ?? from,
    purchasedAt: from,
  };
  const commissionRate = isTestStore(store) ? 0 : storeCommission({ ...charged, store });
  return { ...toUnconvertedMoney(charge), taxRate: 0, commissionRate };
}

function refundCommand(step: LifeStep, { script, state, index }: Situation): StoreCommand {
  const charge = [...state.transactions.values()].at(-1);
  if (!charge) throw impossible(index, 'there is no purchase to refund yet');
  const { transactionId, purchase } = charge;
  const shared = { storeChainId: purchase.storeChainId, storeTime: step.at, transactionId };
  if (step.what === 'reverse_refund') {
    if (charge.refund === null) throw impossible(index, 'the latest transaction is not refunded');
    return { kind: 'recordRefundReversal', ...shared, reversedAt: step.at };
  }
  const refund = { kind: 'full' as const, share: 1 };
  return { kind: 'recordRefund', ...shared, refundedAt: step.at, refund, policy: script.refundPolicy };
}

function grantCommand(step: Extract<LifeStep, { what: 'grant' }>, { script, index }: Situation): SubscriberCommand {
  const found = findEntitlement(script.catalog, step.entitlement);
  if (!found) throw impossible(index, `no entitlement ${step.entitlement} in this project`);
  const { entitlementId, lookupKey } = found;
  const terms = { entitlementId, lookupKey, duration: null, startsAt: step.at, expiresAt: step.until };
  return { kind: 'grantPromotional', grantId: `grant_simulated_${index + 1}`, ...terms };
}

function subscriptionOf({ state, index }: Situation): Subscription {
  const s = state.profile.subscriptions.filter((one) => one.purchase.storeChainId === SIMULATED_CHAIN).at(-1);
  if (s) return s;
  throw impossible(index, 'there is no subscription yet; begin with buy or trial');
}

function expectRunning(s: Subscription, { index }: Situation, { at }: LifeStep): void {
  if (s.ended !== null || s.refundedAt !== null || s.pause?.begun)
    throw impossible(index, 'the subscription has ended or is paused; use buy or resume');
  if (s.retrySince !== null || stateAt(s, at) === 'grace_period')
    throw impossible(index, 'the renewal has failed already; use recover');
}

function expectUnpaid(s: Subscription, { index }: Situation, { at }: LifeStep): void {
  if (s.retrySince !== null || stateAt(s, at) === 'grace_period' || s.billingIssueAt !== null) return;
  throw impossible(index, 'no payment has failed; use renew');
}

function requireProduct({ script: { catalog, app }, index }: Situation, name: string): Product {
  const found = catalog.products.find(
    (p) => p.appId === app.appId && (p.productId === name || p.storeProductId === name),
  );
  if (found) return found;
  throw impossible(index, `no product ${name} in the app ${app.appId}`);
}

function productOf({ script }: Situation, storeProductId: string): Product {
  const { catalog, app, product } = script;
  return catalog.products.find((p) => p.appId === app.appId && p.storeProductId === storeProductId) ?? product;
}

function impossible(index: number, reason: string): Rejection {
  return new Rejection('invalid', 'step-not-possible', `steps[${index}]: ${reason}`);
}

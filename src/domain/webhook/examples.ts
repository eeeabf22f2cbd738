// An example of each kind of webhook event: the message about the last step of a simulated life, by the same rules as real messages.
import { catalogDecider, rulesOf, type Catalog } from '../catalog/catalog.js';
import type { Product } from '../catalog/products.js';
import type { Money } from '../money.js';
import type { App } from '../project/events.js';
import { SIMULATED_CHAIN, SIMULATED_CUSTOMER, type LifeScript, type LifeStep } from '../simulation/life-script.js';
import { simulateLife } from '../simulation/simulate-life.js';
import { storeOfPlatform } from '../store-kinds.js';
import type { SubscriberCommand } from '../subscriber/decide/commands.js';
import { noProfile } from '../subscriber/state/state.js';
import { isoFromMs, msFromIso } from '../time.js';
import { messageContextOf, stepsOf } from './event-steps.js';
import type { PayloadFormat } from './events.js';
import { isProjectKind, type Kind, type ProjectKind } from './kinds.js';
import { messagesOf } from './messages.js';
import { projectExampleOf } from './project-messages.js';
import type { Fields } from './purchase-fields.js';
import { revenueCatMessage } from './revenuecat.js';

type CustomerKind = Exclude<Kind, ProjectKind>;

const [DAY_MS, MONTH_DAYS] = [86_400_000, 31];
const [APP, PRO] = ['app_example', 'pro'];

/** Returns the fields of the event except `id`, `type` and `projectId`. `at`: ISO time of the simulated customer's last step. */
export function exampleOf(kind: Kind, at: string, format: PayloadFormat): Fields {
  if (kind === 'TEST') return { eventTimestampMs: msFromIso(at) };
  if (isProjectKind(kind)) return { ...projectExampleOf(kind, at), isExample: true };
  const script = scriptOf(kind, msFromIso(at));
  const { events, steps } = simulateLife(script);
  const rules = rulesOf(script.catalog, true);
  const messages = stepsOf(events).flatMap(({ event, step }, i) => {
    if (steps[i] !== script.steps.length - 1) return [];
    const context = messageContextOf(asExampleOf(kind, event), step, rules, () => 'example-user-before');
    const { after, charges } = step;
    return messagesOf(context).map((message) =>
      format === 'revenuecat'
        ? revenueCatMessage(message, { event, after, charges, offeringKeyOf: (id) => id })
        : message,
    );
  });
  return { ...messages.find((message) => message?.kind === kind)?.fields, isExample: true };
}

/** Changes a grant into one of a store that could not be reached, which no command of a life makes. */
function asExampleOf(kind: Kind, event: Parameters<typeof messageContextOf>[0]): typeof event {
  if (kind !== 'TEMPORARY_ENTITLEMENT_GRANT' || event.type !== 'EntitlementGranted') return event;
  return { ...event, data: { ...event.data, source: 'temporary' } };
}

const app: App = {
  ...{ appId: APP, name: 'Example', platform: 'ios', store: storeOfPlatform('ios'), storeIdentifier: 'com.example' },
  ...{ storeAppId: null, notificationForwardingUrl: null },
  ...{ refundPolicy: 'keep_until_expiry', iosStoreSmallBusiness: false },
};

function product(name: string, type: Product['type'], duration: string | null): Product {
  const storeProductId = `com.example.${name}`;
  const terms = { type, duration, trialDuration: null, gracePeriodDuration: null };
  const names = { productId: `prod_${storeProductId}`, storeProductId, displayName: name };
  return { ...names, appId: APP, store: app.store, ...terms };
}

const month = product('pro.month', 'subscription', `P${MONTH_DAYS}D`);
const products = [month, product('pro.year', 'subscription', 'P1Y'), product('coins', 'consumable', null)];
const catalog: Catalog = {
  ...catalogDecider.initial(),
  products,
  prices: products.map(({ productId }) => ({
    ...{ productId, priceId: 'price_example', amountMicros: 9_990_000, currency: 'USD', country: null, startsAt: null },
  })),
  entitlements: [
    {
      ...{ entitlementId: 'ent_example', lookupKey: PRO, displayName: 'Pro', description: null },
      productIds: products.map(({ productId }) => productId),
    },
  ],
};

/** Returns the script of a life whose last step, at `now` (UTC ms), has a message of the kind. */
function scriptOf(kind: CustomerKind, now: number): LifeScript {
  const prices = kind === 'PRICE_CORRECTED' ? [] : catalog.prices;
  return {
    ...{ projectId: 'proj_example', appUserId: 'example-user', environment: 'sandbox', country: 'US' },
    ...{ app, catalog: { ...catalog, prices }, product: month, refundPolicy: app.refundPolicy },
    ...{ steps: livesUntil(now)[kind], slackMs: DAY_MS },
  };
}

function livesUntil(now: number): Readonly<Record<CustomerKind, readonly LifeStep[]>> {
  const day = (n: number) => isoFromMs(now + n * DAY_MS);
  const at = day(0);
  const does = (command: SubscriberCommand): LifeStep => ({ at, what: 'command', command });
  const bought: LifeStep = { at: day(-10), what: 'buy' };
  const boughtMonthAgo: LifeStep = { at: day(-MONTH_DAYS), what: 'buy' };
  const ofLine = { storeChainId: SIMULATED_CHAIN, storeTime: at, inferred: false };
  const effectiveAt = day(MONTH_DAYS - 10);
  const increase = {
    ...{ kind: 'recordPriceIncrease' as const, ...ofLine, effectiveAt },
    newPrice: { currency: 'USD', amountMicros: 12_990_000 },
  };
  const refund = {
    ...{ kind: 'recordRefund' as const, ...ofLine, refundedAt: at },
    ...{ refund: { kind: 'full' as const, share: 1 }, policy: app.refundPolicy },
  };
  const money: Money = {
    ...{ currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null },
    ...{ taxRate: 0, commissionRate: 0.3 },
  };
  const owners = { fromCustomerId: 'cus_before', toCustomerId: SIMULATED_CUSTOMER, storeChainId: SIMULATED_CHAIN };
  const line = {
    ...{ storeChainId: SIMULATED_CHAIN, storeTime: null },
    ...{ subscriptions: [], owned: [], transactions: [], noted: [] },
  };
  const mergedCustomer = { mergedCustomerId: 'cus_before', mergedAppUserId: '$anon:example' };
  const grant: LifeStep = { at, what: 'grant', entitlement: PRO, until: day(7) };
  return {
    TRANSFER: [does({ kind: 'takeLine', ...owners, reason: 'restore', line })],
    SUBSCRIBER_ALIAS: [
      does({ kind: 'mergeIn', ...noProfile, first: { appUserId: '$anon:example', at }, ...mergedCustomer }),
    ],
    INITIAL_PURCHASE: [{ at, what: 'buy' }],
    RENEWAL: [boughtMonthAgo, { at, what: 'renew' }],
    NON_RENEWING_PURCHASE: [{ at, what: 'buy', product: 'com.example.coins' }],
    TEMPORARY_ENTITLEMENT_GRANT: [grant],
    PRODUCT_CHANGE: [bought, { at, what: 'change_product', product: 'com.example.pro.year', atRenewal: true }],
    BILLING_ISSUE: [boughtMonthAgo, { at, what: 'billing_fail', graceEndsAt: day(6) }],
    CANCELLATION: [bought, { at, what: 'cancel' }],
    UNCANCELLATION: [bought, { at: day(-1), what: 'cancel' }, { at, what: 'uncancel' }],
    SUBSCRIPTION_PAUSED: [
      bought,
      does({ kind: 'recordPausePlan', ...ofLine, planned: true, pauseAt: effectiveAt, autoResumeAt: day(51) }),
    ],
    SUBSCRIPTION_EXTENDED: [bought, { at, what: 'extend', until: day(28) }],
    EXPIRATION: [boughtMonthAgo, { at: day(-1), what: 'cancel' }, { at, what: 'expire' }],
    // Of an earlier charge: the money of a refund of the latest one is on CANCELLATION.
    REFUND: [boughtMonthAgo, { at: day(-1), what: 'renew' }, does({ ...refund, transactionId: 'simulated_1' })],
    REFUND_REVERSED: [bought, { at: day(-1), what: 'refund' }, { at, what: 'reverse_refund' }],
    PRICE_CORRECTED: [{ at, what: 'buy' }, does({ kind: 'correctPrice', transactionId: 'simulated_1', money })],
    PRICE_INCREASE_CONSENT_REQUIRED: [bought, does({ ...increase, status: 'requested', respondBy: day(14) })],
    PRICE_INCREASE_CONSENT_APPROVED: [bought, does({ ...increase, status: 'accepted', respondBy: null })],
    EXPERIMENT_ENROLLMENT: [
      does({
        ...{ kind: 'enrol', experimentId: 'exp_example', variantId: 'var_example' },
        ...{ variantName: 'B', offeringId: 'ofr_example' },
      }),
    ],
    ENTITLEMENT_CHANGED: [{ at, what: 'buy' }],
  };
}

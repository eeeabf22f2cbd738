// Bodies of the dashboard's customer endpoints: list item, detail, timeline.
import type { Deps } from '../../commands/handling/deps.js';
import { deliveriesOf, type StoredDelivery } from '../../commands/webhooks/deliveries.js';
import {
  accessEndsAt,
  autoRenewStatusAt,
  givesAccess,
  isOver,
  ownedUntil,
  stateAt,
} from '../../domain/subscriber/access.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import {
  customerStatus,
  entitlementsAt,
  isAllowed,
  productOf,
  type EntitlementRules,
  type EntitlementHolding,
} from '../../domain/subscriber/entitlements.js';
import type { OwnedPurchase, Subscription } from '../../domain/subscriber/state/state.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { createCauseReader, type EntryCause } from '../../projections/queries/entry-causes.js';
import type { TimelineEntry } from '../../projections/queries/timeline.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { nameActors, type ActorViewer } from '../bodies/actors.js';
import { RedactableText, type BodyOf } from '../bodies/response-schemas.js';
import { presentAttributes } from '../subscribers/present-subscriber.js';
import { presentCause } from './entry-cause.js';
import type { customer, customerDetail, timelineEntry, transactionDetail } from './responses.js';
import { isPeriodType } from '../../domain/subscriber/events/blocks.js';

export function presentCustomer(doc: CustomerDoc, now: string, rules: EntitlementRules): BodyOf<typeof customer> {
  const { profile, customerId, firstSeenAt, lastSeenAt } = doc;
  const active = entitlementsAt(profile, now, rules).filter((h) => h.isActive);
  return {
    object: 'customer',
    id: customerId,
    appUserId: profile.appUserId,
    aliases: profile.aliases,
    firstSeenAt,
    lastSeenAt,
    country: countryOf(profile),
    platform: profile.platform,
    status: customerStatus(profile, now, rules),
    activeEntitlements: active.map((h) => h.lookupKey),
    totalSpentUsd: usd(doc.spentMicros),
  };
}

export function presentCustomerDetail(
  doc: CustomerDoc,
  transactions: readonly TransactionDoc[],
  now: string,
  rules: EntitlementRules,
): BodyOf<typeof customerDetail> {
  const { profile } = doc;
  return {
    ...presentCustomer(doc, now, rules),
    attributes: presentAttributes(profile),
    entitlements: entitlementsAt(profile, now, rules).map((h) => presentHolding(h, rules)),
    subscriptions: profile.subscriptions.map((s) => presentSubscription(s, transactions, now, rules)),
    purchases: transactions.filter((t) => t.subscriptionId === null).map((t) => presentPurchase(t, profile.owned)),
    promotionalGrants: profile.grants.map(({ grantId: id, ...grant }) => ({ object: 'grant', id, ...grant })),
    experiments: profile.experiments,
  };
}

type EntrySources = { readonly deps: Pick<Deps, 'log' | 'docs'>; readonly readModels: ReadModels };

/** Adds to entries the names of their actors, the notifications and requests that caused them, and the deliveries that they caused. */
export async function presentEntries(
  sources: EntrySources,
  viewer: ActorViewer,
  entries: readonly TimelineEntry[],
): Promise<readonly BodyOf<typeof timelineEntry>[]> {
  const { deps } = sources;
  const withName = await nameActors(
    sources,
    viewer,
    entries.map((entry) => entry.actor),
  );
  const causeOf = createCauseReader(deps.log);
  return Promise.all(
    entries.map(async (entry) => {
      const cause = await causeOf(entry.correlationId);
      const sent = await deliveriesOf(deps, entry.id);
      return presentTimelineEntry(entry, { cause, actor: withName(entry.actor), sent });
    }),
  );
}

type EntryContext<A> = {
  readonly cause: EntryCause | null;
  readonly actor: A;
  readonly sent: readonly StoredDelivery[];
};

/** `actor` with or without the name. */
export function presentTimelineEntry<A>(
  e: TimelineEntry,
  { cause: origin, actor, sent }: EntryContext<A>,
): Omit<BodyOf<typeof timelineEntry>, 'actor'> & { readonly actor: A } {
  const { id, at, recordedAt, type, access, data } = e;
  const cause = presentCause(e, origin);
  const summary = new RedactableText(e.summaryFor);
  const deliveries = sent.map(({ id: of, doc }) => {
    return { id: of, webhookId: doc.endpointId, eventId: doc.eventId, type: doc.type, state: doc.state };
  });
  const fields = { object: 'timelineEntry', id, at, recordedAt, type, summary, actor, cause } as const;
  return { ...fields, deliveries, access, superseded: e.isSuperseded, data };
}

function presentHolding(h: EntitlementHolding, rules: EntitlementRules) {
  const { entitlementId, lookupKey, isActive: active, expiresAt, source } = h;
  const fields = { entitlementId, lookupKey, active, expiresAt, source: source.kind };
  switch (source.kind) {
    case 'subscription': {
      const { purchase, autoRenew, graceEndsAt, contractEndsAt } = source.subscription;
      const { subscriptionId, store } = purchase;
      const productId = productOf(purchase, rules);
      const inGracePeriod = active && graceEndsAt !== null && expiresAt !== null && expiresAt > contractEndsAt;
      return { ...fields, productId, subscriptionId, store, willRenew: autoRenew.on && active, inGracePeriod };
    }
    case 'purchase': {
      const { store } = source.owned.purchase;
      const productId = productOf(source.owned.purchase, rules);
      return { ...fields, productId, subscriptionId: null, store, willRenew: false, inGracePeriod: false };
    }
    case 'promotional':
      return {
        ...fields,
        productId: null,
        subscriptionId: null,
        store: 'promotional' as const,
        willRenew: false,
        inGracePeriod: false,
      };
  }
}

function presentSubscription(s: Subscription, all: readonly TransactionDoc[], now: string, rules: EntitlementRules) {
  const { purchase, period, autoRenew, revenue, nextProduct } = s;
  const { subscriptionId: id, appId, storeProductId, store, environment, ownership } = purchase;
  return {
    object: 'subscription' as const,
    id,
    productId: productOf(purchase, rules),
    storeProductId,
    store,
    environment,
    state: stateAt(s, now),
    givesAccess: givesAccess(s, now) && isAllowed(purchase, rules),
    autoRenewStatus: autoRenewStatusAt(s, now),
    periodType: period.type,
    startedAt: s.startedAt,
    currentPeriodStartsAt: period.purchasedAt,
    currentPeriodEndsAt: s.contractEndsAt,
    accessEndsAt: accessEndsAt(s),
    commitmentEndsAt: isOver(s) ? null : (s.commitmentEndsAt ?? null),
    gracePeriodExpiresAt: s.graceEndsAt,
    autoResumeAt: s.pause?.autoResumeAt ?? null,
    unsubscribedAt: autoRenew.since,
    billingIssueDetectedAt: s.billingIssueAt,
    refundedAt: s.refundedAt,
    expirationReason: s.ended?.reason ?? null,
    pendingProductId: nextProduct && productOf({ appId, ...nextProduct }, rules),
    ownership,
    originalTransactionId: purchase.originalTransactionId,
    latestTransactionId: purchase.transactionId,
    renewalNumber: s.renewalNumber,
    totalRevenueUsd: {
      gross: usd(revenue.gross),
      tax: usd(revenue.tax),
      commission: usd(revenue.commission),
      proceeds: usd(revenue.proceeds),
    },
    transactions: all.filter((t) => t.subscriptionId === id).flatMap(presentCharge),
  };
}

function presentCharge(t: TransactionDoc) {
  const { type } = t;
  return isPeriodType(type) ? [presentTransaction(t, type)] : [];
}

function presentTransaction<Type extends string>(t: TransactionDoc, periodType: Type) {
  const { transactionId: id, purchasedAt, expiresAt, refundedAt, money } = t;
  const amount = money.amountMicros === null ? null : money.amountMicros / 1_000_000;
  const amountUsd = money.usdMicros === null ? null : money.usdMicros / 1_000_000;
  return {
    object: 'transaction' as const,
    id,
    periodType,
    purchasedAt,
    expiresAt,
    amount,
    currency: money.currency,
    amountUsd,
    refundedAt,
  };
}

export function presentTransactionDetail(
  t: TransactionDoc,
  owner: CustomerDoc,
  { events, settlement }: Pick<BodyOf<typeof transactionDetail>, 'events' | 'settlement'>,
): BodyOf<typeof transactionDetail> {
  const { periodType: type, ...fields } = presentTransaction(t, t.type);
  const { appId, store, storeProductId, environment, quantity, subscriptionId, originalTransactionId } = t;
  return {
    ...fields,
    type,
    customer: { id: owner.customerId, appUserId: owner.profile.appUserId },
    ...{ appId, store, storeProductId, environment, quantity, subscriptionId, originalTransactionId },
    refundedUsd: t.refundedUsdMicros === null ? null : t.refundedUsdMicros / 1_000_000,
    refundReversedAt: t.refundReversedAt,
    settlement,
    events,
  };
}

function presentPurchase(t: TransactionDoc, owned: readonly OwnedPurchase[]) {
  const item = owned.find((o) => o.purchase.transactionId === t.transactionId);
  const { storeProductId, store, environment, quantity } = t;
  const accessEnds = item ? ownedUntil(item) : null;
  return {
    ...presentTransaction(t, t.type),
    object: 'purchase' as const,
    storeProductId,
    store,
    environment,
    quantity,
    accessEndsAt: accessEnds,
  };
}

function usd(micros: number): number {
  return Math.round(micros / 10_000) / 100;
}

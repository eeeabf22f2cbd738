// Explains why a customer has or lacks an entitlement at an instant: all purchases and grants, their effect, the reason and the next
// change. Access itself is decided in `entitlements.ts` and `access.ts`.
import { dayAndTime } from '../time.js';
import { accessEndsAt, givesAccess, grantedUntil, lasts, ownedUntil } from './access.js';
import { isAllowed, type EntitlementRules } from './entitlements.js';
import type { OneTimePurchaseRef } from './events/blocks.js';
import {
  describeSubscription,
  endReasonOf,
  nextChangesOf,
  type AccessChange,
  type SourceReason,
} from './describe-subscription.js';
import type { Grant, OwnedPurchase, Profile, Subscription } from './state/state.js';
import type { AppStore } from '../store-kinds.js';

/** Times are ISO 8601 UTC; `until` null: no end. */
export type AccessSource = {
  readonly kind: 'subscription' | 'purchase' | 'promotional';
  /** ID of the subscription, the transaction or the grant. */
  readonly id: string;
  readonly store: AppStore | 'promotional';
  readonly storeProductId: string | null;
  readonly from: string;
  readonly until: string | null;
  /** True if it grants the entitlement at the instant. */
  readonly counts: boolean;
  readonly why: SourceReason;
  /** Customer who now has the purchase; null unless it was transferred. */
  readonly movedTo: string | null;
  readonly sentence: string;
  readonly next: readonly AccessChange[];
};

/** Purchase that now belongs to another customer. */
export type MovedPurchase = {
  readonly purchase: Pick<OneTimePurchaseRef, 'appId' | 'store' | 'storeProductId' | 'transactionId'>;
  readonly id: string;
  readonly kind: 'subscription' | 'purchase';
  readonly from: string;
  readonly at: string;
  readonly toCustomerId: string;
};

type AccessQuestion = { readonly entitlementId: string; readonly lookupKey: string; readonly at: string };

/**
 * Returns every purchase and grant with its effect on the entitlement at `at` (ISO 8601 UTC), those that give it first. At least one
 * counts exactly if `entitlementsAt` marks the entitlement as active.
 */
export function explainSources(
  profile: Profile,
  moved: readonly MovedPurchase[],
  question: AccessQuestion,
  rules: EntitlementRules,
): readonly AccessSource[] {
  const sources = [
    ...profile.subscriptions.map((s) => explainSubscription(s, question, rules)),
    ...profile.owned.map((o) => explainOwnedPurchase(o, question, rules)),
    ...profile.grants
      .filter((g) => g.entitlementId === question.entitlementId)
      .map((g) => explainGrant(g, question, rules)),
    ...moved
      .filter((m) => m.at <= question.at && unlocks(m.purchase, m.from, question, rules))
      .map(explainMovedPurchase),
  ];
  return sources.toSorted((a, b) => Number(b.counts) - Number(a.counts) || rankOf(b) - rankOf(a));
}

/** Returns one plain sentence for support and the customer. `since`: start of the current state, UTC; null if it was always so. */
export function describeAccess(
  sources: readonly AccessSource[],
  { lookupKey }: AccessQuestion,
  since: string | null,
): string {
  const [first] = sources;
  const sinceText = since === null ? '' : ` since ${dayAndTime(since)}`;
  if (!first) return `No access to ${lookupKey}${sinceText}: no purchase or grant unlocks it.`;
  const until = accessEndOf(sources);
  const end = until === null ? ' with no end date' : ` until ${dayAndTime(until)}`;
  const head = first.counts ? `Access to ${lookupKey}${sinceText}${end}` : `No access to ${lookupKey}${sinceText}`;
  return `${head}: ${first.sentence}.`;
}

/** Returns the time at which access ends if nothing changes; null if it never ends or there is none. */
export function accessEndOf(sources: readonly AccessSource[]): string | null {
  const ends = sources.filter((s) => s.counts).map((s) => s.until);
  return ends.includes(null) ? null : (ends.reduce((a, b) => ((b ?? '') > (a ?? '') ? b : a), null) ?? null);
}

function explainSubscription(s: Subscription, question: AccessQuestion, rules: EntitlementRules): AccessSource {
  const { purchase, startedAt } = s;
  const { subscriptionId: id, store, storeProductId } = purchase;
  const ends = accessEndsAt(s);
  const about = {
    kind: 'subscription' as const,
    id,
    store,
    storeProductId,
    from: startedAt,
    until: ends,
    movedTo: null,
  };
  const isPending = s.pending !== null;
  const refused = isPending ? null : refusalOf(purchase, startedAt, question, rules);
  if (refused) return { ...about, ...refused, counts: false, next: [] };
  const why = isPending ? 'not_begun' : givesAccess(s, question.at) ? 'gives' : endReasonOf(s, question.at);
  const sentence = `the subscription to ${storeProductId} ${describeSubscription(s, why, question.at)}`;
  return { ...about, why, counts: why === 'gives', sentence, next: nextChangesOf(s, question.at) };
}

function explainOwnedPurchase(o: OwnedPurchase, question: AccessQuestion, rules: EntitlementRules): AccessSource {
  const { purchase, purchasedAt } = o;
  const { transactionId: id, store, storeProductId } = purchase;
  const until = ownedUntil(o);
  const about = { kind: 'purchase' as const, id, store, storeProductId, from: purchasedAt, until, movedTo: null };
  const refused = refusalOf(purchase, purchasedAt, question, rules);
  if (refused) return { ...about, ...refused, counts: false, next: [] };
  const what = `the purchase of ${storeProductId}`;
  if (until === null || question.at < until) {
    const sentence = until === null ? `${what} has no end date` : `${what} is valid until ${dayAndTime(until)}`;
    return { ...about, why: 'gives', counts: true, sentence, next: endChange(until, 'purchase_ends', `${what} ends`) };
  }
  const why = until === o.refundedAt ? 'refunded' : until === o.revokedAt ? 'revoked' : 'expired';
  const endText = { refunded: 'was refunded', revoked: 'was revoked by the store', expired: 'ended' }[why];
  return { ...about, why, counts: false, sentence: `${what} ${endText} on ${dayAndTime(until)}`, next: [] };
}

function explainGrant(g: Grant, { at }: AccessQuestion, rules: EntitlementRules): AccessSource {
  const until = grantedUntil(g);
  const span = { from: g.startsAt, until, movedTo: null };
  const counts = rules.exists(g.entitlementId) && lasts(until, at);
  const isEarly = g.endedAt !== null && (g.expiresAt === null || g.endedAt < g.expiresAt);
  const why = counts ? 'gives' : isEarly ? 'revoked' : 'expired';
  const what = `the grant of ${dayAndTime(g.startsAt)}`;
  const validity = until === null ? `${what} has no end date` : `${what} is valid until ${dayAndTime(until)}`;
  const over = `${what} ${isEarly ? 'was revoked' : 'ended'} on ${dayAndTime(until ?? at)}`;
  const next = counts ? endChange(until, 'grant_ends', `${what} ends`) : [];
  const sentence = counts ? validity : over;
  const about = { kind: 'promotional', id: g.grantId, store: 'promotional', storeProductId: null } as const;
  return { ...about, ...span, why, counts, sentence, next };
}

function explainMovedPurchase(m: MovedPurchase): AccessSource {
  const { store, storeProductId } = m.purchase;
  const sentence = `the purchase of ${storeProductId} was transferred to customer ${m.toCustomerId} on ${dayAndTime(m.at)}`;
  const about = { kind: m.kind, id: m.id, store, storeProductId, from: m.from, until: m.at, movedTo: m.toCustomerId };
  return { ...about, why: 'moved', counts: false, sentence, next: [] };
}

function endChange(until: string | null, kind: AccessChange['kind'], sentence: string): readonly AccessChange[] {
  return until === null ? [] : [{ at: until, kind, effect: 'takes', sentence }];
}

/** Returns why a purchase cannot give the entitlement, or null if it can. */
function refusalOf(
  purchase: OneTimePurchaseRef,
  boughtAt: string,
  question: AccessQuestion,
  rules: EntitlementRules,
): Pick<AccessSource, 'why' | 'sentence'> | null {
  const { storeProductId } = purchase;
  if (!unlocks(purchase, boughtAt, question, rules)) {
    const sentence = `the product ${storeProductId} is not attached to ${question.lookupKey}`;
    return { why: 'product_not_attached', sentence };
  }
  if (isAllowed(purchase, rules)) return null;
  const sentence = `${storeProductId} was bought in the sandbox, which gives no access in this project`;
  return { why: 'sandbox_not_allowed', sentence };
}

function unlocks(
  { appId, storeProductId }: Pick<OneTimePurchaseRef, 'appId' | 'storeProductId'>,
  boughtAt: string,
  { entitlementId }: AccessQuestion,
  rules: EntitlementRules,
): boolean {
  return rules.unlocks(appId, storeProductId, boughtAt).some((u) => u.entitlementId === entitlementId);
}

/** Ranks the most relevant source first: the last one that gave the entitlement, then products that are not attached. */
function rankOf({ why, until }: AccessSource): number {
  const isAside = why === 'product_not_attached' || why === 'sandbox_not_allowed';
  return (isAside ? 0 : 1e14) + (until === null ? 1e13 : Date.parse(until));
}

// One document per customer: who it is and what it holds. Search terms and deadlines follow from it.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import type { KeyedHash } from '../../domain/ids.js';
import { accountTokenOf, TOKEN_ATTRIBUTE } from '../../domain/purchase/account-token.js';
import { customerIdOf, familyOf } from '../../domain/streams.js';
import { grantDeadline, nextDeadline } from '../../domain/subscriber/access.js';
import { mergeDevice } from '../../domain/subscriber/state/activity.js';
import { subscriberEvents, type ActivityEvent, type SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile, type Attribute, type Profile } from '../../domain/subscriber/state/state.js';
import { latest } from '../../domain/time.js';
import { ofFamily } from '../runtime/events-of.js';
import { replace, type Derived, type Projection } from '../runtime/projection.js';

export type CustomerDoc = {
  readonly projectId: string;
  readonly customerId: string;
  /** The project while the customer stands for itself; empty once merged into another, so that lists leave it out. */
  readonly listedIn: string;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly updatedAt: string;
  /** The profile's, USD micros. */
  readonly spentMicros: number;
  /** One-time purchases are documents of their own; most customers have none to look for. */
  readonly hasOneTimePurchases: boolean;
  readonly profile: Profile;
};

type Sighting = Extract<RecordedEvent<ActivityEvent>, { type: 'CustomerSeen' }>;

/**
 * What finds a customer: `appUserId` terms by prefix too, in the form of {@link normalizeTerm}; others whole, as {@link exactTerm} makes
 * them: what is sealed in the log stands in clear in no index. `accountToken`: by its keyed hash, for the stores' messages; not where a
 * public key wrote it, so that nobody fills the index for a token of others.
 */
export type TermDoc = {
  readonly projectId: string;
  readonly kind: 'appUserId' | 'exact' | 'accountToken';
  readonly term: string;
  readonly customerId: string;
};

/** Lower case, NFKC, and without what no key may hold: one odd attribute must not stop the read model of everybody. */
export const normalizeTerm = (text: string): string =>
  text.toWellFormed().normalize('NFKC').toLowerCase().replaceAll('\0', '');

/** A keyed hash: a reader of the documents learns no email from it, and cannot try some. */
export function exactTerm(hash: KeyedHash, projectId: string, text: string): string {
  return hash('search-term', projectId, normalizeTerm(text));
}

/** Hashed also where the term is in clear: the id stays when the customer is erased. */
export function termId(hash: KeyedHash, { projectId, kind, term, customerId }: TermDoc): string {
  return `${customerId}|${kind}|${kind !== 'appUserId' ? term : exactTerm(hash, projectId, term)}`;
}

/** What finds a customer as a whole text: `open` to everybody who may search, `personal` to those who see attributes. */
export function exactNamesOf({
  customerId,
  profile,
}: CustomerDoc): Readonly<Record<'open' | 'personal', readonly string[]>> {
  const personal = profile.attributes.filter((a) => a.k === '$email' || isToken(a)).map((a) => a.v);
  const bought = [...profile.subscriptions, ...profile.owned].map((p) => p.purchase);
  // Single transactions are found as documents of their own; this is the name of the whole line.
  const lines = bought.flatMap((p) => [p.originalTransactionId, p.storeChainId]);
  return { open: [customerId, ...lines], personal };
}

const isToken = ({ k }: Attribute) => k === TOKEN_ATTRIBUTE;

const terms: Derived<CustomerDoc, TermDoc> = {
  name: 'customer_terms',
  indexes: [{ name: 'term', fields: ['projectId', 'kind', 'term'] }],
  of: (doc, hash) => {
    if (!doc || doc.listedIn === '') return new Map();
    const { projectId, customerId, profile } = doc;
    const { open, personal } = exactNamesOf(doc);
    const found = new Map<string, TermDoc>();
    const add = (kind: TermDoc['kind'], term: string) => {
      const doc = { projectId, kind, term, customerId };
      found.set(termId(hash, doc), doc);
    };
    for (const name of [profile.appUserId, ...profile.aliases]) add('appUserId', normalizeTerm(name));
    for (const text of new Set([...open, ...personal])) add('exact', exactTerm(hash, projectId, text));
    const token = profile.trust.accountToken === false ? undefined : profile.attributes.find(isToken);
    if (token) add('accountToken', accountTokenOf(hash, projectId, token.v).key);
    return found;
  },
  apply: replace,
};

/** The next moment of each subscription and grant at which time alone changes something. `slack`: a `store` message may still come. */
export type DeadlineDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly target: string;
  readonly kind: string;
  readonly slack: 'store' | 'none';
  readonly dueAt: string;
};

const deadlines: Derived<CustomerDoc, DeadlineDoc> = {
  name: 'deadlines',
  indexes: [{ name: 'due', fields: ['slack', 'dueAt'] }],
  of: (doc) => {
    if (!doc || doc.profile.status !== 'known') return new Map();
    const { projectId, customerId, profile } = doc;
    const found: [string, DeadlineDoc][] = [];
    const add = (target: string, slack: DeadlineDoc['slack'], deadline: { kind: string; at: string } | null) => {
      if (!deadline) return;
      const { kind, at: dueAt } = deadline;
      found.push([`${customerId}|${target}`, { projectId, customerId, target, kind, slack, dueAt }]);
    };
    for (const s of profile.subscriptions) add(s.purchase.subscriptionId, 'store', nextDeadline(s));
    for (const g of profile.grants) add(g.grantId, 'none', grantDeadline(g));
    return new Map(found);
  },
  apply: replace,
};

/** Who takes part in an experiment, by variant. */
export type EnrolmentDoc = {
  readonly projectId: string;
  readonly experimentId: string;
  readonly variantId: string;
  readonly customerId: string;
  readonly enrolledAt: string;
};

const enrolments: Derived<CustomerDoc, EnrolmentDoc> = {
  name: 'enrolments',
  indexes: [{ name: 'variant', fields: ['experimentId', 'variantId'] }],
  of: (doc) => {
    if (!doc || doc.listedIn === '') return new Map();
    const { projectId, customerId, profile } = doc;
    return new Map(
      profile.experiments.map(({ experimentId, variantId, enrolledAt }) => [
        `${experimentId}|${customerId}`,
        { projectId, experimentId, variantId, customerId, enrolledAt },
      ]),
    );
  },
  apply: replace,
};

export const customers: Projection<CustomerDoc> = {
  name: 'customers',
  version: 9,
  families: ['subscriber', 'activity'],
  indexes: [{ name: 'project', fields: ['listedIn', 'firstSeenAt'] }],
  onPoison: 'park',
  isPartitioned: true,
  keys: (stored) => {
    const own = customerIdOf(stored.stream);
    if (familyOf(stored.stream) !== 'subscriber') return stored.type === 'CustomerSeen' ? [own] : [];
    const event = ofFamily<SubscriberEvent>(stored, 'subscriber');
    return event?.type === 'CustomerErased' ? [own, ...(event.data.mergedCustomerIds ?? [])] : [own];
  },
  fold: (doc, stored, customerId) => {
    const seen = ofFamily<ActivityEvent>(stored, 'activity');
    if (seen?.type === 'CustomerSeen') return doc && sighted(doc, seen);
    const event = ofFamily<SubscriberEvent>(stored, 'subscriber');
    if (!event) return doc;
    if (customerId !== customerIdOf(event.stream)) return doc && nameless(doc);
    const isRecreated = event.type === 'CustomerCreated' && doc?.profile.status === 'erased';
    const begun = () => start(event.meta.projectId ?? '', customerId, event.meta.at);
    const before = isRecreated
      ? { ...begun(), profile: doc.profile, hasOneTimePurchases: doc.hasOneTimePurchases }
      : (doc ?? begun());
    const profile = evolveProfile(before.profile, event);
    const listedIn = profile.status === 'known' ? before.projectId : '';
    const { spentMicros, first } = profile;
    const firstSeenAt = first.at === '' ? before.firstSeenAt : first.at;
    const hasOneTimePurchases = before.hasOneTimePurchases || bringsOneTimePurchase(event);
    const updatedAt = event.meta.recordedAt;
    return { ...before, listedIn, profile, firstSeenAt, spentMicros, hasOneTimePurchases, updatedAt };
  },
  derived: [terms, deadlines, enrolments],
  personal: (doc, replaceField) => {
    const { customerId, profile } = doc;
    const { attributes, platform, appVersion, country } = profile;
    const isEmpty = attributes.length === 0 && platform === null && appVersion === null && country === null;
    if (isEmpty) return doc;
    const device = (field: 'platform' | 'appVersion' | 'country') => {
      const value = profile[field];
      return value === null ? null : (replaceField(customerId, field, value) ?? null);
    };
    const opened = {
      attributes: attributes.length === 0 ? attributes : (replaceField(customerId, 'attributes', attributes) ?? []),
      platform: device('platform'),
      appVersion: device('appVersion'),
      country: device('country'),
    };
    return { ...doc, profile: { ...profile, ...opened } };
  },
};

/** Merged into somebody who is erased now: the same customer. It stays a pointer, by id, and what goes over may still be under way. */
function nameless(doc: CustomerDoc): CustomerDoc {
  const { status, createdAt, mergedInto, subscriptions, owned, clocks } = doc.profile;
  const pointer = mergedInto && { customerId: mergedInto.customerId, appUserId: '' };
  const profile = { ...noProfile, status, createdAt, mergedInto: pointer, subscriptions, owned, clocks };
  return { ...doc, profile };
}

function sighted(doc: CustomerDoc, { data, meta }: Sighting): CustomerDoc {
  const { platform, appVersion, country } = doc.profile;
  const profile = { ...doc.profile, ...mergeDevice({ platform, appVersion, country }, data) };
  return { ...doc, lastSeenAt: latest(doc.lastSeenAt, meta.at), profile };
}

function start(projectId: string, customerId: string, at: string): CustomerDoc {
  const times = { firstSeenAt: at, lastSeenAt: at, updatedAt: at };
  const empty = { spentMicros: 0, hasOneTimePurchases: false, profile: noProfile };
  return { projectId, customerId, listedIn: '', ...times, ...empty };
}

type OfKnownTransaction =
  | ('SubscriptionStarted' | 'SubscriptionRenewed' | 'TransactionRefunded' | 'TransactionRefundReversed')
  | ('RefundReversalDeferred' | 'TransactionPriceCorrected' | 'SubscriptionMigrated' | 'PurchaseHistoryRevised');

function bringsOneTimePurchase(event: RecordedEvent<SubscriberEvent>): boolean {
  if (!touches(subscriberEvents, event, 'transactions')) return false;
  switch (event.type) {
    case 'OneTimePurchaseCompleted':
      return true;
    case 'PurchaseTransferred':
      return event.data.direction === 'in' && event.data.snapshot.transactions.some((t) => t.subscriptionId === null);
    default:
      remaining<OfKnownTransaction>(event);
      return false;
  }
}

// One document per customer with its identity and holdings. Search terms, deadlines and enrolments are derived from it.
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
import { replace, type DerivedProjection, type Projection } from '../runtime/projection.js';
import { facets } from './customer-facets.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type CustomerDoc = {
  readonly projectId: string;
  readonly customerId: string;
  /** Project of the customer; empty after a merge into another customer or an erasure, so that lists omit it. */
  readonly listedIn: string;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly updatedAt: string;
  /** Copy of the profile's total spend, USD micros, for sorting. */
  readonly spentMicros: number;
  /** True if one-time purchases exist as transactions of their own; most reads skip the lookup. */
  readonly hasOneTimePurchases: boolean;
  readonly profile: Profile;
};

type Sighting = Extract<RecordedEvent<ActivityEvent>, { type: 'CustomerSeen' }>;

/**
 * Search term of a customer. `appUserId` terms match by prefix, in the form of {@link normalizeTerm}; all others match exactly, in the
 * form of {@link exactTerm}, so that no index contains data in clear that the log seals. `accountToken`: by its keyed hash, for store
 * messages; not if a public key wrote it, so that nobody can fill the index for the token of another customer.
 */
export type TermDoc = {
  readonly projectId: string;
  readonly kind: 'appUserId' | 'exact' | 'accountToken';
  readonly term: string;
  readonly customerId: string;
};

/** Lower case, NFKC, and without characters that no key may contain: one invalid attribute must not stop the whole read model. */
export const normalizeTerm = (text: string): string =>
  text.toWellFormed().normalize('NFKC').toLowerCase().replaceAll('\0', '');

/** Returns a keyed hash, so that a reader of the documents can neither see an email nor try candidates. */
export function exactTerm(hash: KeyedHash, projectId: string, text: string): string {
  return hash('search-term', projectId, normalizeTerm(text));
}

/** Hashes terms in clear too, because the id remains after an erasure. */
export function termId(hash: KeyedHash, { projectId, kind, term, customerId }: TermDoc): string {
  return `${customerId}|${kind}|${kind !== 'appUserId' ? term : exactTerm(hash, projectId, term)}`;
}

/** Texts that find a customer by exact match: `open` for everyone who may search, `personal` for those who see attributes. */
export function exactNamesOf({
  customerId,
  profile,
}: CustomerDoc): Readonly<Record<'open' | 'personal', readonly string[]>> {
  const personal = profile.attributes.filter((a) => a.k === '$email' || isToken(a)).map((a) => a.v);
  const bought = [...profile.subscriptions, ...profile.owned].map((p) => p.purchase);
  // Single transactions are documents of their own; these are the names of the whole line.
  const lines = bought.flatMap((p) => [p.originalTransactionId, p.storeChainId]);
  return { open: [customerId, ...lines], personal };
}

const isToken = ({ k }: Attribute) => k === TOKEN_ATTRIBUTE;

const terms: DerivedProjection<CustomerDoc, TermDoc> = {
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

/** Next deadline of each subscription and grant. `slack` `store`: wait, because a store message may still arrive. */
export type DeadlineDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly target: string;
  readonly kind: string;
  readonly slack: 'store' | 'none';
  readonly dueAt: string;
};

const deadlines: DerivedProjection<CustomerDoc, DeadlineDoc> = {
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

/** Enrolment of a customer in a variant of an experiment. */
export type EnrolmentDoc = {
  readonly projectId: string;
  readonly experimentId: string;
  readonly variantId: string;
  readonly customerId: string;
  readonly enrolledAt: string;
};

const enrolments: DerivedProjection<CustomerDoc, EnrolmentDoc> = {
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
  version: 11,
  families: ['subscriber', 'activity'],
  indexes: [
    { name: 'project', fields: ['listedIn', 'firstSeenAt'] },
    { name: 'seen', fields: ['listedIn', 'lastSeenAt'] },
    { name: 'spent', fields: ['listedIn', 'spentMicros'] },
  ],
  isPartitioned: true,
  keys: (stored) => {
    const own = customerIdOf(stored.stream);
    if (familyOf(stored.stream) !== 'subscriber') return stored.type === 'CustomerSeen' ? [own] : [];
    const event = ofFamily(stored, 'subscriber');
    return event?.type === 'CustomerErased' ? [own, ...(event.data.mergedCustomerIds ?? [])] : [own];
  },
  fold: (doc, stored, customerId) => {
    const activity = ofFamily(stored, 'activity');
    if (activity?.type === 'CustomerSeen') return doc && applySighting(doc, activity);
    const event = ofFamily(stored, 'subscriber');
    if (!event) return doc;
    if (customerId !== customerIdOf(event.stream)) return doc && withoutNames(doc);
    const isRecreated = event.type === 'CustomerCreated' && doc?.profile.status === 'erased';
    const createDoc = () => newCustomer(event.meta.projectId ?? '', customerId, event.meta.at);
    const before = isRecreated
      ? { ...createDoc(), profile: doc.profile, hasOneTimePurchases: doc.hasOneTimePurchases }
      : (doc ?? createDoc());
    const profile = evolveProfile(before.profile, event);
    const listedIn = profile.status === 'known' ? before.projectId : '';
    const { spentMicros, first } = profile;
    const firstSeenAt = first.at === '' ? before.firstSeenAt : first.at;
    const hasOneTimePurchases = before.hasOneTimePurchases || addsOneTimePurchase(event);
    const updatedAt = event.meta.recordedAt;
    return { ...before, listedIn, profile, firstSeenAt, spentMicros, hasOneTimePurchases, updatedAt };
  },
  derived: [terms, facets, deadlines, enrolments],
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

/** Erases a customer that was merged into an erased one. It remains a pointer by id, with purchases whose merge may be in progress. */
function withoutNames(doc: CustomerDoc): CustomerDoc {
  const { status, createdAt, mergedInto, subscriptions, owned, clocks } = doc.profile;
  const pointer = mergedInto && { customerId: mergedInto.customerId, appUserId: '' };
  const profile = { ...noProfile, status, createdAt, mergedInto: pointer, subscriptions, owned, clocks };
  return { ...doc, profile };
}

function applySighting(doc: CustomerDoc, { data, meta }: Sighting): CustomerDoc {
  const { platform, appVersion, country } = doc.profile;
  const profile = { ...doc.profile, ...mergeDevice({ platform, appVersion, country }, data) };
  return { ...doc, lastSeenAt: latest(doc.lastSeenAt, meta.at), profile };
}

function newCustomer(projectId: string, customerId: string, at: string): CustomerDoc {
  const times = { firstSeenAt: at, lastSeenAt: at, updatedAt: at };
  const empty = { spentMicros: 0, hasOneTimePurchases: false, profile: noProfile };
  return { projectId, customerId, listedIn: '', ...times, ...empty };
}

type IgnoredTransactionEvent =
  | ('SubscriptionStarted' | 'SubscriptionRenewed' | 'TransactionRefunded' | 'TransactionRefundReversed')
  | ('RefundReversalDeferred' | 'TransactionPriceCorrected' | 'SubscriptionMigrated' | 'PurchaseHistoryRevised');

function addsOneTimePurchase(event: RecordedEvent<SubscriberEvent>): boolean {
  if (!touches(subscriberEvents, event, 'transactions')) return false;
  switch (event.type) {
    case 'OneTimePurchaseCompleted':
      return true;
    case 'PurchaseTransferred':
      return event.data.direction === 'in' && event.data.snapshot.transactions.some((t) => t.subscriptionId === null);
    default:
      remaining<IgnoredTransactionEvent>(event);
      return false;
  }
}

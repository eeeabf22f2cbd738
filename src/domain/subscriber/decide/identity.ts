// Rules for registration, attributes and merging of subscribers.
import type {
  Enrol,
  Erase,
  MergeIn,
  MergeInto,
  RecordAppDownload,
  RegisterCustomer,
  SetAttributes,
} from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { Rejection } from '../../errors.js';
import { isCustomAttribute, MAX_CUSTOM_ATTRIBUTES } from '../attribute-rules.js';
import { TOKEN_ATTRIBUTE } from '../../purchase/account-token.js';
import { downloadOf, precedes } from '../state/app-downloads.js';
import type { Profile, Subscriber } from '../state/state.js';

/** Device ids stay as first set; a later value is ignored. */
const IMMUTABLE_ATTRIBUTES = new Set(['$idfa', '$idfv', '$gpsAdId', '$ip']);

export function registerCustomer(c: RegisterCustomer, profile: Profile): SubscriberEvent[] {
  const { status } = profile;
  // A store continues to charge an erased customer, and exports still name one; that alone does not create the customer again.
  if (status !== 'unknown' && (status !== 'erased' || c.source === 'store' || c.source === 'import')) return [];
  const { appUserId, source, country = null, platform = null, appVersion = null, isTrusted = false, at } = c;
  const about = { appUserId, source, country, platform, appVersion, isTrusted };
  return [e.CustomerCreated.of(about, at === undefined ? {} : { at })];
}

/**
 * Records the newer values by `updatedAt`, all or nothing, and skips unchanged ones. A stored time ahead of the clock comes from a wrong
 * clock that has since been corrected: it does not count as newer, so that a value set now is never dropped. A trusted caller confirms
 * the app user id of the request. A public key cannot change an account token that a trusted caller wrote.
 */
export function setAttributes(c: SetAttributes, { profile }: Subscriber): SubscriberEvent[] {
  const known = new Map(profile.attributes.map((a) => [a.k, a]));
  const { trust } = profile;
  const isTrusted = c.isTrusted === true;
  const changes: Record<string, { value: string | null; updatedAt: string }> = {};
  for (const { key, value, updatedAt, receivedAt } of c.changes) {
    const before = known.get(key);
    const isOutdated = before !== undefined && before.t > updatedAt && before.t <= receivedAt;
    if (isOutdated || (before && IMMUTABLE_ATTRIBUTES.has(key))) continue;
    const isToken = key === TOKEN_ATTRIBUTE;
    if (isToken && trust.accountToken === true && !isTrusted) continue;
    const isConfirmed = isToken && value !== null && isTrusted && trust.accountToken !== true;
    if ((before?.v ?? null) === value && !isConfirmed) continue;
    changes[key] = { value, updatedAt };
  }
  const confirms = isTrusted && trust.appUserId !== true && c.appUserId === profile.appUserId;
  if (Object.keys(changes).length === 0 && !confirms) return [];
  const after = new Set([...known.keys()].filter((k) => changes[k]?.value !== null));
  for (const [key, { value }] of Object.entries(changes)) if (value !== null) after.add(key);
  const custom = [...after].filter(isCustomAttribute).length;
  if (custom > MAX_CUSTOM_ATTRIBUTES) {
    const text = `a subscriber can have at most ${MAX_CUSTOM_ATTRIBUTES} custom attributes; delete some first`;
    throw new Rejection('invalid', 'too-many-attributes', text);
  }
  return [attributesUpdatedEvent(changes, { isTrusted, confirms })];
}

function attributesUpdatedEvent(
  attributes: Readonly<Record<string, { value: string | null; updatedAt: string }>>,
  { isTrusted, confirms }: { readonly isTrusted: boolean; readonly confirms: boolean },
): SubscriberEvent {
  const hasToken = attributes[TOKEN_ATTRIBUTE]?.value != null;
  const trust = { ...(confirms && { appUserId: true as const }), ...(hasToken && { accountToken: isTrusted }) };
  return e.CustomerAttributesUpdated.of({ attributes, ...(Object.keys(trust).length > 0 && { trust }) });
}

/** Merges a customer: the newer value of an attribute wins; custom attributes above the limit are dropped. */
export function mergeIn(c: MergeIn, { profile }: Subscriber): SubscriberEvent[] {
  const { mergedCustomerId, mergedAppUserId, spentMicros } = c;
  if (profile.aliases.includes(mergedAppUserId)) return [];
  const merged = { mergedCustomerId, mergedAppUserId, reason: 'anonymous_identified' as const, first: c.first };
  const downloads = c.downloads && { downloads: [...c.downloads] };
  const carried = { aliases: [...c.aliases], grants: [...c.grants], experiments: [...c.experiments], spentMicros };
  return [e.CustomerMerged.of({ ...merged, ...carried, ...downloads }), ...carryAttributes(c, profile)];
}

function carryAttributes({ attributes: carried, trust }: MergeIn, profile: Profile): SubscriberEvent[] {
  const isTrusted = trust.accountToken === true;
  const known = new Map(profile.attributes.map((a) => [a.k, a]));
  let room = MAX_CUSTOM_ATTRIBUTES - profile.attributes.filter((a) => isCustomAttribute(a.k)).length;
  const accepted = carried.filter(({ k, v, t }) => {
    const own = known.get(k);
    if (k === TOKEN_ATTRIBUTE && own && isTrusted !== (profile.trust.accountToken === true)) return isTrusted;
    if (own) return !IMMUTABLE_ATTRIBUTES.has(k) && own.t < t && own.v !== v;
    return !isCustomAttribute(k) || room-- > 0;
  });
  if (accepted.length === 0) return [];
  const attributes = Object.fromEntries(accepted.map(({ k, v, t }) => [k, { value: v, updatedAt: t }]));
  return [attributesUpdatedEvent(attributes, { isTrusted, confirms: false })];
}

/** Turns the customer into a reference: later requests go to the other customer. */
export function mergeInto(c: MergeInto, { profile }: Subscriber): SubscriberEvent[] {
  if (profile.status !== 'known') return [];
  return [e.CustomerMergedInto.of({ customerId: c.customerId, appUserId: c.appUserId })];
}

export function erase(c: Erase, { profile }: Subscriber): SubscriberEvent[] {
  if (profile.status !== 'known') return [];
  const keys = c.keys.map(({ subject, guard }) => ({ subject, guard }));
  const merged = c.mergedCustomerIds.length > 0 ? { mergedCustomerIds: [...c.mergedCustomerIds] } : {};
  return [e.CustomerErased.of({ reason: 'request', keys, ...merged })];
}

/** Assigns a variant once; it never changes afterwards. */
export function enrol(
  { experimentId, variantId, variantName, offeringId }: Enrol,
  { profile }: Subscriber,
): SubscriberEvent[] {
  if (profile.experiments.some((x) => x.experimentId === experimentId)) return [];
  return [e.ExperimentEnrolled.of({ experimentId, variantId, variantName, offeringId })];
}

/** Records a download that precedes the known one of the app. */
export function recordAppDownload({ download }: RecordAppDownload, { profile }: Subscriber): SubscriberEvent[] {
  if (!precedes(download, downloadOf(profile, download.appId))) return [];
  return [e.AppDownloadVerified.of({ ...download })];
}

// Rules about who a subscriber is: registration, attributes, merging.
import type { MergeIn, MergeInto, RegisterCustomer, SetAttributes } from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from './events.js';
import { Rejection } from '../decider.js';
import type { Profile, Subscriber } from './state.js';

const MAX_CUSTOM_ATTRIBUTES = 50;
/** Device ids stay as first set; a later value is ignored. */
const FIXED_ONCE_SET = new Set(['$idfa', '$idfv', '$gpsAdId', '$ip']);

export function registerCustomer(c: RegisterCustomer, profile: Profile): SubscriberEvent[] {
  if (profile.status !== 'unknown') return [];
  const { appUserId, source, country = null, platform = null, appVersion = null, at } = c;
  return [e.CustomerCreated.of({ appUserId, source, country, platform, appVersion }, at === undefined ? {} : { at })];
}

/** Newer values win by `updatedAt`; what is already so, is left out; all or nothing. */
export function setAttributes(c: SetAttributes, profile: Profile): SubscriberEvent[] {
  const held = new Map(profile.attributes.map((a) => [a.k, a]));
  const changes: Record<string, { value: string | null; updatedAt: string }> = {};
  for (const { key, value, updatedAt } of c.changes) {
    const before = held.get(key);
    if (before && (FIXED_ONCE_SET.has(key) || before.t > updatedAt)) continue;
    if ((before?.v ?? null) === value) continue;
    changes[key] = { value, updatedAt };
  }
  if (Object.keys(changes).length === 0) return [];
  const after = new Set([...held.keys()].filter((k) => changes[k]?.value !== null));
  for (const [key, { value }] of Object.entries(changes)) if (value !== null) after.add(key);
  const custom = [...after].filter((k) => !k.startsWith('$')).length;
  if (custom > MAX_CUSTOM_ATTRIBUTES) {
    const text = `a subscriber holds at most ${MAX_CUSTOM_ATTRIBUTES} custom attributes; delete some first`;
    throw new Rejection('invalid', 'too-many-attributes', text);
  }
  return [e.CustomerAttributesUpdated.of({ attributes: changes })];
}

export function mergeIn(c: MergeIn, profile: Profile): SubscriberEvent[] {
  const { mergedCustomerId, mergedAppUserId } = c;
  if (profile.aliases.includes(mergedAppUserId)) return [];
  return [e.CustomerMerged.of({ mergedCustomerId, mergedAppUserId, reason: 'anonymous_identified' })];
}

/** Only a customer that holds nothing any more becomes a pointer; one that holds more keeps it. */
export function mergeInto(c: MergeInto, { profile, transactions }: Subscriber): SubscriberEvent[] {
  const holdings = [profile.subscriptions, profile.owned, profile.grants, profile.attributes, profile.aliases];
  if (profile.status !== 'known' || transactions.size > 0 || holdings.some((held) => held.length > 0)) return [];
  return [e.CustomerMergedInto.of({ customerId: c.customerId, appUserId: c.appUserId })];
}

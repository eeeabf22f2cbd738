// Records what time alone changes in a subscription or grant, without a store message. Access has already ended by itself; these events
// make it visible, with the end as their time.
import type { PassDeadline } from './commands.js';
import { grantDeadline, nextDeadline } from '../access.js';
import { endGrace, expectedEndReason } from './intent.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import type { Subscriber } from '../state/state.js';

/** Returns no event if the deadline has moved (renewal) or was recorded before. */
export function passDeadline(c: PassDeadline, { profile }: Subscriber): SubscriberEvent[] {
  if (c.expectedAt > c.dueBefore) return [];
  const grant = profile.grants.find((g) => g.grantId === c.target);
  if (grant) {
    if (grantDeadline(grant)?.at !== c.expectedAt) return [];
    const { grantId, entitlementId, lookupKey } = grant;
    return [e.EntitlementGrantExpired.of({ grantId, entitlementId, lookupKey }, { at: c.expectedAt })];
  }
  const s = profile.subscriptions.find((one) => one.purchase.subscriptionId === c.target);
  const deadline = s && nextDeadline(s);
  if (!s || !deadline || deadline.at !== c.expectedAt) return [];
  if (deadline.kind === 'graceEnd') return endGrace({ s, storeTime: null }, deadline.at);
  const reason = deadline.kind === 'retryStop' ? 'billing_error' : expectedEndReason(s);
  const data = { purchase: s.purchase, storeTime: null, reason, by: 'sweeper' as const };
  return [e.SubscriptionExpired.of(data, { at: deadline.at })];
}

// Rules for promotional access, granted and revoked manually. Grants do not add up: readers use the latest end.
import { Rejection } from '../../errors.js';
import type { GrantPromotional, RevokePromotional } from './commands.js';
import { grantedUntil, lasts } from '../access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import type { Grant, Subscriber } from '../state/state.js';

export function grantPromotional(c: GrantPromotional, { profile }: Subscriber): SubscriberEvent[] {
  if (profile.grants.some((g) => g.grantId === c.grantId)) return [];
  const { grantId, entitlementId, lookupKey, duration, startsAt, expiresAt, at } = c;
  const grant = { grantId, entitlementId, lookupKey, duration, startsAt, expiresAt, source: 'promotional' as const };
  return [e.EntitlementGranted.of(grant, at === undefined ? {} : { at })];
}

/** Ends all running grants of the entitlement; access from stores stays. */
export function revokePromotional(c: RevokePromotional, { profile }: Subscriber): SubscriberEvent[] {
  const running = profile.grants.filter((g) => g.entitlementId === c.entitlementId && isRunning(g, c.now));
  if (running.length === 0) {
    const message = 'the subscriber has no active promotional grant of this entitlement';
    throw new Rejection('missing', 'grant-unknown', message);
  }
  return running.map(({ grantId, entitlementId, lookupKey }) =>
    e.EntitlementRevoked.of({ grantId, entitlementId, lookupKey }),
  );
}

function isRunning(g: Grant, now: string): boolean {
  return lasts(grantedUntil(g), now);
}

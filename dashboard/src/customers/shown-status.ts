// Status of a customer in the list: the state of the subscriptions, and whether it agrees with the access.
import type { Schemas } from '../api/client';
import { statusText, toneOf } from '../parts/status-badge';

type Customer = Pick<Schemas['Customer'], 'status' | 'activeEntitlements'>;

const WITHOUT_ACCESS: readonly Customer['status'][] = ['billing_retry', 'expired', 'transferred', 'never'];

/** Returns the status in words. Access that does not follow from the subscriptions is named: a grant or a purchase gives it. */
export function shownStatusOf({ status, activeEntitlements }: Customer): {
  readonly tone: string;
  readonly text: string;
} {
  const hasAccess = activeEntitlements.length > 0;
  const text = statusText(status);
  if (hasAccess === !WITHOUT_ACCESS.includes(status)) return { tone: toneOf(status), text };
  if (!hasAccess) return { tone: 'bad', text: `${text}, no access` };
  return { tone: status === 'billing_retry' ? 'warn' : 'good', text: `has access, ${text}` };
}

// Where a person changes or ends a subscription: a page of the store that sells it.
import { stateAt } from '../../domain/subscriber/access.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';

const IOS_STORE = 'https://apps.apple.com/account/subscriptions';
const ANDROID_STORE = 'https://play.google.com/store/account/subscriptions';
const OVER = new Set(['pending', 'expired', 'refunded', 'revoked']);

/**
 * Of the newest subscription that is not over, one of production before a tester's, and one's own before a family's; null without any.
 * `packageOf`: name of an android app.
 */
export function managementUrl(
  { subscriptions }: Profile,
  now: string,
  packageOf: (appId: string) => string | undefined,
): string | null {
  const [latest] = subscriptions
    .filter((s) => !OVER.has(stateAt(s, now)))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? 1 : -1));
  const purchase = latest?.purchase;
  if (!purchase) return null;
  if (purchase.store === 'ios-store') return IOS_STORE;
  const name = packageOf(purchase.appId);
  if (name === undefined) return ANDROID_STORE;
  const [sku = ''] = purchase.storeProductId.split(':');
  return `${ANDROID_STORE}?${new URLSearchParams({ sku, package: name }).toString()}`;
}

function rankOf({ purchase: { environment, ownership } }: Subscription): number {
  return (environment === 'production' ? 0 : 2) + (ownership === 'purchased' ? 0 : 1);
}

// Where a customer changes or ends a subscription: a page of the store that sells it.
import { moduleOf } from '../../commands/stores/modules.js';
import { stateAt } from '../../domain/subscriber/access.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';

const OVER = new Set(['pending', 'expired', 'refunded', 'revoked']);

/**
 * The page of the newest subscription that is not over, production before sandbox, and bought before family share; null without any.
 * `appNameOf`: what the store calls an app.
 */
export function managementUrl(
  { subscriptions }: Profile,
  now: string,
  appNameOf: (appId: string) => string | undefined,
): string | null {
  const [latest] = subscriptions
    .filter((s) => !OVER.has(stateAt(s, now)))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? 1 : -1));
  const purchase = latest?.purchase;
  return purchase ? moduleOf(purchase.store).managementPage.of(purchase, appNameOf(purchase.appId)) : null;
}

function rankOf({ purchase: { environment, ownership } }: Subscription): number {
  return (environment === 'production' ? 0 : 2) + (ownership === 'purchased' ? 0 : 1);
}

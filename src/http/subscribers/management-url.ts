// Management URL: the store's page on which a customer manages the current subscription.
import { moduleOf } from '../../commands/stores/modules.js';
import { isTestStore, type AppStore } from '../../domain/store-kinds.js';
import { stateAt } from '../../domain/subscriber/access.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';

/** Returns the IDs of apps whose store identifiers the URL contains. */
export function appIdsInUrl({ subscriptions }: Profile): readonly string[] {
  const named = subscriptions.filter(({ purchase: { store } }) => managementPageOf(store)?.namesApp === true);
  return [...new Set(named.map((s) => s.purchase.appId))];
}

const ENDED_STATES = new Set(['pending', 'expired', 'refunded', 'revoked']);

/**
 * Returns the page of the newest subscription that has not ended: production before sandbox, and own purchase before family sharing; null
 * without any. `appNameOf` returns the store identifier of an app.
 */
export function managementUrl(
  { subscriptions }: Profile,
  now: string,
  appNameOf: (appId: string) => string | undefined,
): string | null {
  const [latest] = subscriptions
    .filter((s) => !ENDED_STATES.has(stateAt(s, now)))
    .toSorted((a, b) => preferenceOf(a) - preferenceOf(b) || (a.startedAt < b.startedAt ? 1 : -1));
  const purchase = latest?.purchase;
  return (purchase && managementPageOf(purchase.store)?.of(purchase, appNameOf(purchase.appId))) ?? null;
}

/** Null for the test store, which has no pages. */
function managementPageOf(store: AppStore) {
  return isTestStore(store) ? null : moduleOf(store).managementPage;
}

function preferenceOf({ purchase: { environment, ownership } }: Subscription): number {
  return (environment === 'production' ? 0 : 2) + (ownership === 'purchased' ? 0 : 1);
}

// Where a customer manages the subscription that counts: the store's own page.
import { moduleOf } from '../../commands/stores/modules.js';
import { isTestStore, type AppStore } from '../../domain/store-kinds.js';
import { stateAt } from '../../domain/subscriber/access.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';

/** The apps whose names in their stores it takes to make the address. */
export function appsNamedBy({ subscriptions }: Profile): readonly string[] {
  const named = subscriptions.filter(({ purchase: { store } }) => managementPageOf(store)?.namesApp === true);
  return [...new Set(named.map((s) => s.purchase.appId))];
}

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

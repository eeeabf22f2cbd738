// Records that are required to store a notification. Cached values are used while the records are unavailable, so that notifications are
// still accepted.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import { Unavailable } from '../../domain/errors.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import { findCredentials, type CredentialsRecord } from './credentials.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { sha256Of } from '../accounts/api-key.js';
import { allStoreTokens, findStoreToken, type StoreToken } from './store-tokens.js';

/** Both throw {@link Unavailable} when the records are unavailable and the value was not read here within a day. */
export type StoreRecords = {
  /** Returns the app that this token belongs to, or null. */
  token(token: string): Promise<StoreToken | null>;
  credentials(appId: string): Promise<CredentialsRecord | null>;
  /** Caches the records of all apps, so that notifications of apps that never sent one to this process are accepted too. */
  preload(): Promise<void>;
  /** Returns the stores for which an app is registered. */
  kinds(): Promise<ReadonlySet<StoreKind>>;
};

const MAX_STALE_MS = 24 * 3600 * 1000;
/** Lifetime of a cached token, so that a burst needs one lookup. A replaced token stays valid for a day, so a second is irrelevant. */
const TOKEN_FRESH_MS = 1000;
const MAX_CACHED = 10_000;

export function createStoreRecords(deps: Pick<StoreDeps, 'docs' | 'runtime' | 'stores'>): StoreRecords {
  const { runtime } = deps;
  // Unknown tokens can be sent by anyone: they must not evict known ones.
  const tokens = cacheLastRead(runtime, (id) => findStoreToken(deps, id), {
    isKept: (found) => found !== null,
    freshMs: TOKEN_FRESH_MS,
  });
  const credentials = cacheLastRead(runtime, (appId) => findCredentials(deps, appId), {
    isKept: () => true,
    freshMs: 0,
  });
  return {
    token: async (token) => {
      const found = await tokens.find(sha256Of(token));
      const hasEnded = found?.until != null && found.until <= isoFromMs(runtime.now());
      return found && !hasEnded ? found.of : null;
    },
    credentials: credentials.find,
    kinds: async () => new Set([...(await allStoreTokens(deps, MAX_CACHED)).values()].map(({ of }) => of.store)),
    preload: async () => {
      const all = await allStoreTokens(deps, MAX_CACHED);
      for (const [id, found] of all) {
        tokens.learned(id, found);
        if (deps.stores.of(found.of.store).admit) await credentials.find(found.of.appId);
      }
    },
  };
}

function cacheLastRead<T>(
  { elapsed }: Pick<Runtime, 'elapsed'>,
  read: (key: string) => Promise<T | null>,
  { isKept, freshMs }: { readonly isKept: (found: T | null) => boolean; readonly freshMs: number },
) {
  const cache = createBoundedCache<string, { readonly found: T | null; readonly readAt: number }>(MAX_CACHED);
  const put = (key: string, found: T | null): void => {
    if (isKept(found)) cache.set(key, { found, readAt: elapsed() });
    else cache.delete(key);
  };
  const find = async (key: string): Promise<T | null> => {
    const now = elapsed();
    const cached = cache.get(key);
    if (cached && now < cached.readAt + freshMs) return cached.found;
    try {
      const found = await read(key);
      put(key, found);
      return found;
    } catch (err) {
      if (!(err instanceof Unavailable) || !cached || now >= cached.readAt + MAX_STALE_MS) throw err;
      return cached.found;
    }
  };
  return { find, learned: put };
}

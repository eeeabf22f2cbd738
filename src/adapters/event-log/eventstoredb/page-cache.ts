// Cache of pages of `$all`, shared by all followers of this process: most are at the same position, so that a page read by one serves the
// others from memory. Only the newest pages are cached; a follower that lags more reads for itself.
import type { ServerEvent } from './client.js';

/** All events after a position; `isEnd`: there were no more when the read began. */
export type Page = { readonly events: readonly ServerEvent[]; readonly isEnd: boolean };

export type PageCache = {
  /** Returns the page after a position. Its events must not be changed. */
  after(from: bigint): Promise<Page>;
};

export type PageCacheOptions = {
  /** Reads at most `maxCount` events, starting with the one at `from` if it exists. */
  readonly read: (from: bigint, maxCount: number) => Promise<readonly ServerEvent[]>;
  /** Counter that changes when the log may have grown. */
  readonly growth: () => number;
};

const PAGE_SIZE = 1000;
const MAX_CACHED_PAGES = 4;

/** All events after `from` up to `to`. */
type CachedPage = { readonly events: readonly ServerEvent[]; readonly from: bigint; readonly to: bigint };

export function createPageCache({ read, growth }: PageCacheOptions): PageCache {
  let cachedPages: readonly CachedPage[] = [];
  /** Reads in progress by start position, with the growth counter when they began. */
  const pendingReads = new Map<bigint, { readonly growth: number; readonly page: Promise<Page> }>();

  const fetch = async (from: bigint): Promise<Page> => {
    // One more because the read starts with the event at `from`, and one more to detect whether there is a next page.
    const maxCount = PAGE_SIZE + 2;
    const stored = await read(from, maxCount);
    const events = stored.filter((event) => event.position.commit > from);
    const to = events.at(-1)?.position.commit ?? from;
    if (to > from) cachedPages = [...cachedPages.slice(1 - MAX_CACHED_PAGES), { events, from, to }];
    return { events, isEnd: stored.length < maxCount };
  };

  const after = async (from: bigint): Promise<Page> => {
    const cached = cachedPages.find((page) => page.from <= from && from < page.to);
    if (cached) {
      // Only a read that begins now can find the end of the log.
      const { events, isEnd } = await after(cached.to);
      return { events: [...cached.events.filter((event) => event.position.commit > from), ...events], isEnd };
    }
    const now = growth();
    const same = pendingReads.get(from);
    if (same) {
      const page = await same.page;
      return same.growth === now ? page : { ...page, isEnd: false };
    }
    const page = fetch(from);
    pendingReads.set(from, { growth: now, page });
    try {
      return await page;
    } finally {
      pendingReads.delete(from);
    }
  };
  return { after };
}

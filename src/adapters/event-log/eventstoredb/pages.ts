// Pages of `$all` for all followers of this process: most of them stand at the same place, so that what one has read, the others take from
// memory. Newest pages only; whoever is further behind reads for itself.
import type { AllStreamResolvedEvent } from '@eventstore/db-client';

/** What the server knows of an event. */
export type ServerEvent = NonNullable<AllStreamResolvedEvent['event']>;

/** Events of the server behind a place, all of them; `isEnd`: there were no more when the read began. */
export type Page = { readonly events: readonly ServerEvent[]; readonly isEnd: boolean };

export type Pages = {
  /** Nobody may change what the events hold. */
  after(from: bigint): Promise<Page>;
};

export type PagesOptions = {
  /** At most so many events, beginning with the one at `from` when there is one. */
  readonly read: (from: bigint, maxCount: number) => Promise<readonly ServerEvent[]>;
  /** Changes when the log may have grown. */
  readonly growth: () => number;
};

const PAGE = 1000;
const KEPT = 4;

/** All events of the places behind `from` up to `to`. */
type Kept = { readonly events: readonly ServerEvent[]; readonly from: bigint; readonly to: bigint };

export function createPages({ read, growth }: PagesOptions): Pages {
  let kept: readonly Kept[] = [];
  /** By the place behind which they read, with the growth before they began. */
  const underWay = new Map<bigint, { readonly growth: number; readonly page: Promise<Page> }>();

  const fetch = async (from: bigint): Promise<Page> => {
    // One more because the read begins with the event at `from`, one more to see whether there is a next one.
    const maxCount = PAGE + 2;
    const found = await read(from, maxCount);
    const events = found.filter((event) => event.position.commit > from);
    const to = events.at(-1)?.position.commit ?? from;
    if (to > from) kept = [...kept.slice(1 - KEPT), { events, from, to }];
    return { events, isEnd: found.length < maxCount };
  };

  const after = async (from: bigint): Promise<Page> => {
    const cached = kept.find((page) => page.from <= from && from < page.to);
    if (cached) {
      // Only a read that begins now can find where the log ends.
      const { events, isEnd } = await after(cached.to);
      return { events: [...cached.events.filter((event) => event.position.commit > from), ...events], isEnd };
    }
    const now = growth();
    const same = underWay.get(from);
    if (same) {
      const page = await same.page;
      return same.growth === now ? page : { ...page, isEnd: false };
    }
    const page = fetch(from);
    underWay.set(from, { growth: now, page });
    try {
      return await page;
    } finally {
      underWay.delete(from);
    }
  };
  return { after };
}

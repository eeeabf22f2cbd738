// Iterates events page by page. Written by hand: a generator creates several promises per event, and most reads return few events.
import type { RecordedEvent } from '../../domain/envelope.js';

type Page = readonly RecordedEvent[];
type NextPage = () => Page | undefined | Promise<Page | undefined>;

/**
 * Returns an iterator that requests a page after the previous one is consumed, starting with the first `next`; undefined ends it. It can be
 * iterated once.
 */
export function iteratePages(nextPage: NextPage): AsyncIterable<RecordedEvent> {
  return new PageIterator(nextPage);
}

/** A class, because an object with a computed name and a closure per read cost more than reading a cached stream. */
class PageIterator implements AsyncIterableIterator<RecordedEvent, undefined> {
  private page: Page = [];
  private at = 0;

  constructor(private readonly nextPage: NextPage) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RecordedEvent, undefined>> {
    for (;;) {
      const event = this.page[this.at++];
      if (event) return { value: event, done: false };
      const following = await this.nextPage();
      if (!following) return { value: undefined, done: true };
      this.page = following;
      this.at = 0;
    }
  }
}

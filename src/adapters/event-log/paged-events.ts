// Events that come page by page, one after another. By hand: a generator takes several promises for each event, and most reads are of few.
import type { RecordedEvent } from '../../domain/envelope.js';

type Page = readonly RecordedEvent[];
type NextPage = () => Page | undefined | Promise<Page | undefined>;

/** Asks for a page when the one before is used up; undefined ends it. Pages are asked for from the first `next` on. To be read once. */
export function pagedEvents(nextPage: NextPage): AsyncIterable<RecordedEvent> {
  return new PagedEvents(nextPage);
}

/** A class: an object made with a computed name, and a closure for each read, cost more than the read of a stream in memory. */
class PagedEvents implements AsyncIterableIterator<RecordedEvent, undefined> {
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

// Events that come page by page, one after another. By hand: a generator takes several promises for each event, and most reads are of few.
import type { RecordedEvent } from '../../domain/envelope.js';

type Page = readonly RecordedEvent[];

/** Asks for a page when the one before is used up; undefined ends it. Pages are asked for from the first `next` on. */
export function pagedEvents(
  nextPage: () => Page | undefined | Promise<Page | undefined>,
): AsyncIterable<RecordedEvent> {
  let page: Page = [];
  let at = 0;
  const next = async (): Promise<IteratorResult<RecordedEvent>> => {
    for (;;) {
      const event = page[at++];
      if (event) return { value: event, done: false };
      const following = await nextPage();
      if (!following) return { value: undefined, done: true };
      page = following;
      at = 0;
    }
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

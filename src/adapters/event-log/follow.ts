// The loop behind `follow`: catch up batch by batch, then wait for growth. Holds no resources while the consumer works.
import type { LogPosition } from '../../domain/envelope.js';
import type { Feed } from './port.js';

export type FollowLoop = {
  readonly after: LogPosition;
  readonly signal: AbortSignal;
  /** True once the log is closed; checked before each read. */
  readonly isClosed: () => boolean;
  /** The next batch; `caughtUp`: it reached what was the head when the read began. */
  readonly readBatch: (after: LogPosition) => Promise<Feed>;
  /** Taken before each read and handed to `wait`, which resolves when the log may have grown since. */
  readonly growth: () => number;
  readonly wait: (growth: number, signal: AbortSignal) => Promise<void>;
};

export async function* followLog({
  after,
  signal,
  isClosed,
  readBatch,
  growth,
  wait,
}: FollowLoop): AsyncGenerator<Feed> {
  let at = after;
  for (let first = true; !signal.aborted && !isClosed(); first = false) {
    const seen = growth();
    const feed = await readBatch(at);
    if (signal.aborted) return;
    if (first || feed.upTo > at) {
      at = feed.upTo;
      yield feed;
    }
    if (feed.caughtUp) await wait(seen, signal);
  }
}

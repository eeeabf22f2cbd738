// Loop of `follow`: catches up batch by batch, then waits for growth. Holds no resources while the consumer works.
import type { LogPosition } from '../../domain/envelope.js';
import type { Feed } from './port.js';

export type FollowLoop = {
  readonly after: LogPosition;
  readonly signal: AbortSignal;
  /** Returns true once the log is closed; checked before each read. */
  readonly isClosed: () => boolean;
  /** Reads the next batch; `caughtUp`: it reached the head as of the start of the read. */
  readonly readBatch: (after: LogPosition) => Promise<Feed>;
  /** Counter read before each batch and passed to `wait`, which resolves when the log may have grown since. */
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

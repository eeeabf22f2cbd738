// Lag of a follower in time: the age of its first unprocessed event, by the time of recording. Positions cannot be subtracted.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import { msFromIso } from '../../domain/time.js';

export type Follower = { readonly families: readonly Family[]; readonly position: LogPosition };

/** Returns seconds; 0 for a follower that has processed every event of its families. */
export async function lagSeconds(log: EventLog, { families, position }: Follower, nowMs: number): Promise<number> {
  if (position >= (await log.head())) return 0;
  const { signal } = new AbortController();
  for await (const feed of log.follow({ after: position, families, max: 1, signal })) {
    const [missing] = feed.events;
    if (missing) return Math.max(0, nowMs - msFromIso(missing.meta.recordedAt)) / 1000;
    if (feed.caughtUp) break;
  }
  return 0;
}

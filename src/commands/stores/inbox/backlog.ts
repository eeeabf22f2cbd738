// Acknowledged notifications of this process that may not be processed yet, by purchase line. Newer decisions about a line process these
// first. It improves the order of webhooks; store updates are ordered in any case.
import { createBoundedCache } from '../../../adapters/bounded-cache.js';
import type { StreamName } from '../../../domain/envelope.js';

export type Backlog = {
  /** `line`: store's identifier of the purchase line. */
  add(appId: string, line: string, stream: StreamName): void;
  done(appId: string, line: string, stream: StreamName): void;
  /** Streams of notifications, in the order of arrival. */
  of(appId: string, line: string): readonly StreamName[];
};

/** Bound on memory, far above the peak at the end of a month; without a worker in this process, entries are only evicted. */
const MAX_LINES = 100_000;

export function createBacklog(): Backlog {
  const waiting = createBoundedCache<string, Set<StreamName>>(MAX_LINES);
  return {
    add(appId, line, stream) {
      const key = keyOf(appId, line);
      waiting.set(key, (waiting.get(key) ?? new Set()).add(stream));
    },
    done(appId, line, stream) {
      const key = keyOf(appId, line);
      const streamsOfLine = waiting.get(key);
      streamsOfLine?.delete(stream);
      if (streamsOfLine?.size === 0) waiting.delete(key);
    },
    of: (appId, line) => [...(waiting.get(keyOf(appId, line)) ?? [])],
  };
}

function keyOf(appId: string, line: string): string {
  return `${appId}|${line}`;
}

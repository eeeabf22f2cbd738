// Acknowledged notifications of this process that may not be processed yet, by purchase line. Newer decisions about a line process these
// first. It improves the order of webhooks; store updates are ordered in any case.
import { createBoundedCache } from '../../../adapters/bounded-cache.js';
import type { StreamName } from '../../../domain/envelope.js';

export type Backlog = {
  /** `line`: the app's id and the store's name of the purchase line. */
  add(line: string, stream: StreamName): void;
  done(line: string, stream: StreamName): void;
  /** Streams of notifications, in the order of arrival. */
  of(line: string): readonly StreamName[];
};

/** Bound on memory, far above the peak at the end of a month; without a worker in this process, entries are only evicted. */
const MAX_LINES = 100_000;

export function createBacklog(): Backlog {
  const waiting = createBoundedCache<string, Set<StreamName>>(MAX_LINES);
  return {
    add(line, stream) {
      const streamsOfLine = waiting.get(line) ?? new Set();
      waiting.set(line, streamsOfLine.add(stream));
    },
    done(line, stream) {
      const streamsOfLine = waiting.get(line);
      streamsOfLine?.delete(stream);
      if (streamsOfLine?.size === 0) waiting.delete(line);
    },
    of: (line) => [...(waiting.get(line) ?? [])],
  };
}

export function lineKey(appId: string, line: string): string {
  return `${appId}|${line}`;
}

// A log for dry runs of commands: reads return the real log and the drafts; appends are only kept in memory.
import { START, type EventLog } from '../../adapters/event-log/port.js';
import { WrongRevision } from '../../domain/errors.js';
import type { NewEvent, RecordedEvent, StreamName } from '../../domain/envelope.js';

/** Keeps all drafts in memory. `follow` and `head` return only the real log. Erasing is not supported. */
export function createDraftLog(log: EventLog): EventLog {
  const drafts = new Map<StreamName, RecordedEvent[]>();
  const draftsOf = (stream: StreamName) => drafts.get(stream) ?? [];
  async function* read(stream: StreamName, after?: number): AsyncIterable<RecordedEvent> {
    yield* log.read(stream, after);
    for (const draft of draftsOf(stream)) if (draft.revision > (after ?? -1)) yield draft;
  }
  return {
    local: null,
    identity: () => log.identity(),
    head: () => log.head(),
    follow: (options) => log.follow(options),
    read,
    append: async (stream, expected, events) => {
      let revision = -1;
      for await (const event of read(stream)) ({ revision } = event);
      const actual = revision < 0 ? 'none' : revision;
      if (expected !== 'any' && expected !== actual) throw new WrongRevision(stream, expected, actual);
      const added = events.map((event, i): RecordedEvent => ({
        ...drafted(event),
        stream,
        revision: revision + 1 + i,
      }));
      drafts.set(stream, [...draftsOf(stream), ...added]);
      return { revision: revision + events.length, position: START };
    },
    erase: () => Promise.reject(new Error('a draft log does not support erasing')),
  };
}

/** Drafts are created by this code, so their version is irrelevant. */
function drafted(event: NewEvent) {
  return { ...event, v: 1, position: START };
}

export type ObservedAppend = { readonly stream: StreamName; readonly events: readonly NewEvent[] };

/** Returns the same log, which passes each successful append to `onAppend` and waits for it. */
export function observeAppends(log: EventLog, onAppend: (appended: ObservedAppend) => void | Promise<void>): EventLog {
  return {
    local: null,
    identity: () => log.identity(),
    head: () => log.head(),
    follow: (options) => log.follow(options),
    read: (stream, after) => log.read(stream, after),
    append: async (stream, expected, events) => {
      const appended = await log.append(stream, expected, events);
      await onAppend({ stream, events });
      return appended;
    },
    erase: (stream) => log.erase(stream),
  };
}

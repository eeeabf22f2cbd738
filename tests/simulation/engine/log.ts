// One event log for all processes of a run. Each accesses it through the fault injector and with data keys of its own, as a log on a
// server.
import { type Codec, rawCodec } from '../../../src/adapters/event-log/codec.js';
import { followLog, createWakeup } from '../../../src/adapters/event-log/follow.js';
import { freezeJson } from '../../../src/adapters/event-log/frozen-json.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import { START, type EventLog, type Feed, type FollowOptions } from '../../../src/adapters/event-log/port.js';
import type { NewEvent, RecordedEvent } from '../../../src/domain/envelope.js';
import type { Host, FaultInjector } from './fault-injector.js';

export type SharedLog = {
  /** The log as stored, personal fields encrypted. */
  readonly raw: EventLog;
  /** Returns the log as one process sees it. `isLocal`: embedded storage, which can read events by position. */
  connect(host: Host, faults: FaultInjector, codec: Codec, o: { readonly isLocal: boolean }): EventLog;
};

export function createSharedLog(identity: string): SharedLog {
  const raw = createMemoryLog({ codec: createSharingCodec(), identity });
  const wakeup = createWakeup();

  return {
    raw,
    connect: (host, faults, codec, { isLocal }) => {
      const read = <T>(name: string, work: () => Promise<T>) => faults.run(host, 'log', 'read', name, work);
      const write = <T>(name: string, work: () => Promise<T>) => faults.run(host, 'log', 'write', name, work);
      const decrypt = async (events: readonly RecordedEvent[]) => codec.restore(events.map(copyEvent));
      const batch = async (o: Omit<FollowOptions, 'signal'>): Promise<Feed> => {
        const feed = await read('follow', () => readFirstBatch(raw, o));
        return { ...feed, events: await decrypt(feed.events) };
      };
      return {
        identity: () => read('identity', () => raw.identity()),
        head: () => read('head', () => raw.head()),
        append: async (stream, expected, events) => {
          const drafts = await codec.encode(stream, events);
          const parsed = drafts.map((draft) => JSON.parse(draft) as NewEvent);
          const types = parsed.map(({ id, type }) => `${type} ${id.slice(0, 8)}`).join(', ');
          return write(`append ${stream} ${types}`, async () => {
            const appended = await raw.append(stream, expected, parsed);
            wakeup.wake();
            return appended;
          });
        },
        async *read(stream, after) {
          yield* await decrypt(await read('read', () => collect(raw.read(stream, after))));
        },
        follow: ({ after, families, max, signal }) =>
          followLog({
            after: after === 'start' ? START : after,
            signal,
            isClosed: () => false,
            readBatch: (from) => batch({ after: from, families, max }),
            growth: wakeup.count,
            wait: wakeup.wait,
          }),
        local: isLocal
          ? {
              at: async (positions) => decrypt(await read('at', () => raw.local?.at(positions) ?? noEvents())),
              probe: () => Promise.resolve(),
            }
          : null,
        erase: (stream) => write(`erase ${stream}`, () => raw.erase(stream)),
      };
    },
  };
}

/** Parses each stored event once; all readers share the frozen object. */
function createSharingCodec(): Codec {
  const known = new Map<string, RecordedEvent>();
  const parsed = (text: string): RecordedEvent => {
    const event = known.get(text) ?? freezeJson<RecordedEvent>(JSON.parse(text));
    known.set(text, event);
    return event;
  };
  return { ...rawCodec, decode: (texts) => texts.map(parsed) };
}

/** Copies an event for the codec, which decrypts fields in place. */
export function copyEvent(event: RecordedEvent): RecordedEvent {
  return { ...event, data: { ...(event.data as object) } };
}

const noEvents = (): Promise<RecordedEvent[]> => Promise.resolve([]);

/** Shared signal that is never aborted: creating one per read takes longer than the read. */
const { signal } = new AbortController();

/** Returns the first batch of a subscription. */
async function readFirstBatch(log: EventLog, o: Omit<FollowOptions, 'signal'>): Promise<Feed> {
  for await (const feed of log.follow({ ...o, signal })) return feed;
  throw new Error('the log has ended');
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

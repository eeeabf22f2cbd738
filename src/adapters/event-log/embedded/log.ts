// Event log in one SQLite file: a writer thread with group commit, and readers on the calling thread. One process may open it for writing
// (ensured by the lock of the data directory) and caches the newest events in memory; others may read.
import { logPosition, type RecordedEvent, type Revision, type StreamName } from '../../../domain/envelope.js';
import type { Runtime } from '../../runtime.js';
import { startWriter } from '../../sqlite/writer.js';
import type { Codec } from '../codec.js';
import { openLogReader, type LogReader } from './reader.js';
import type { AppendReply, LogOperation } from './writer.js';
import { followLog, type FollowLoop, createWakeup } from '../follow.js';
import { START, type EventLog, type FollowOptions } from '../port.js';
import { WrongRevision } from '../../../domain/errors.js';
import { createRecentEvents, type RecentEvents } from './recent-events.js';

export type OpenLog = EventLog & { close(): Promise<void> };

/**
 * Opens the log for reading and writing; the file is created when missing. An append of no events writes and checks nothing: it returns the
 * stream's last revision (-1: none) and position.
 */
export async function openEmbeddedLog({ file, codec }: { file: string; codec: Codec }): Promise<OpenLog> {
  const writer = await startWriter(file, new URL('./writer', import.meta.url));
  const reader = openLogReader(file, codec);
  const wakeup = createWakeup();
  const recent = createRecentEvents(codec, Number(reader.head()));
  const clearCache = () => {
    if (!reader.isClosed()) recent.reset(Number(reader.head()));
  };
  const run = (operation: LogOperation) =>
    writer.run<AppendReply>(operation).catch((err: unknown) => {
      clearCache();
      throw err;
    });

  return {
    ...readMethods(reader, { growth: wakeup.count, wait: wakeup.wait }, recent),
    local: { at: reader.at, probe: writer.probe },
    head: async () => logPosition(recent.end()),
    async append(stream, expected, events) {
      if (events.length === 0) return reader.last(stream);
      const encoded = await codec.encodeBoth(stream, events);
      const drafts = encoded.map(({ text }) => text);
      const [revision, position, wrong] = await run([stream, expected, drafts]);
      if (wrong !== undefined) throw new WrongRevision(stream, expected, wrong);
      recent.add(stream, encoded, revision, position);
      wakeup.wake();
      return { revision, position: logPosition(position) };
    },
    async erase(stream) {
      await run([stream]);
      clearCache();
    },
    async close() {
      reader.close();
      wakeup.wake();
      await writer.close();
    },
  };
}

/** Opens the log for reading only, whether or not a service is running. Followers check for new events every `pollMs`. */
export function openEmbeddedLogReader(options: {
  file: string;
  codec: Codec;
  sleep: Runtime['sleep'];
  pollMs?: number;
}): OpenLog {
  const { file, codec, sleep, pollMs = 100 } = options;
  const reader = openLogReader(file, codec);
  const refuse = () => Promise.reject(new Error(`${file} is open for reading only`));
  return {
    ...readMethods(reader, { growth: () => 0, wait: (_, signal) => sleep(pollMs, signal) }),
    append: refuse,
    erase: refuse,
    close: async () => {
      reader.close();
    },
  };
}

/**
 * Returns the reading methods. With `recent`, only acknowledged appends are followed: a follower that receives an event then also finds it
 * in its stream.
 */
function readMethods(reader: LogReader, live: Pick<FollowLoop, 'growth' | 'wait'>, recent?: RecentEvents) {
  return {
    identity: async () => reader.identity(),
    head: async () => reader.head(),
    read: (stream: StreamName, after: Revision = -1): AsyncIterable<RecordedEvent> => {
      let last = after;
      let isWhole = false;
      const fromFile = async () => {
        const page = await reader.page(stream, last);
        last = page.events.at(-1)?.revision ?? last;
        isWhole = page.isLast;
        if (isWhole) recent?.recordEnd(stream, last);
        return page.events;
      };
      return new PageIterator(() => {
        if (isWhole) return undefined;
        const cached = last === after ? recent?.read(stream, after) : undefined;
        isWhole = cached !== undefined;
        return cached ?? fromFile();
      });
    },
    local: { at: reader.at, probe: () => Promise.resolve() },
    follow: ({ after, families, max, signal }: FollowOptions) => {
      const familySet = new Set(families);
      const fromFile = reader.batches(families, max, recent?.end);
      return followLog({
        after: after === 'start' ? START : after,
        signal,
        isClosed: reader.isClosed,
        readBatch: async (position) => (await recent?.feed(position, familySet, max)) ?? fromFile(position),
        ...live,
      });
    },
  };
}

type Page = readonly RecordedEvent[];
/** Requests a page after the previous one is consumed; undefined ends the iteration. */
type NextPage = () => Page | undefined | Promise<Page | undefined>;

/**
 * Iterates events page by page. Written by hand: a generator creates several promises per event, and most reads return few events. A class,
 * because an object with a computed name and a closure per read cost more than reading a cached stream.
 */
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

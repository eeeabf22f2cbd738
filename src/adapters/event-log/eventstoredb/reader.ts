// Reads the log on EventStoreDB: pages of one stream, and pages of `$all`. `$all` has no filter for reads, so events of other logs are
// skipped here.
import {
  logPosition,
  type LogPosition,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../../domain/envelope.js';
import { families as allFamilies, type Family, storedStreamName } from '../../../domain/streams.js';
import type { Codec } from '../codec.js';
import { START, type AppendReceipt, type Feed } from '../port.js';
import type { ReadStreamOptions, ServerEvent } from './client.js';
import { type Connection, isStreamNotFound } from './connection.js';

type LogNames = {
  /** Namespace of this log on the server; other logs have other namespaces. */
  readonly namespace: string;
  /** Position at which the log begins on the server: none of its events is earlier. */
  readonly origin: bigint;
};

/** Returns the last erased revision by stream; erased events stay in `$all` until the server is scavenged. */
type ReadErased = () => Promise<ReadonlyMap<string, Revision>>;

const STREAM_PAGE = 500;
/** The newest event is nearly always ours: 32 events with their bodies take three times as long as four. */
const FIRST_HEAD_PAGE = 4;
const HEAD_PAGE = 32;

type ReaderOptions = {
  readonly connection: Connection;
  readonly names: LogNames;
  readonly codec: Codec;
  readonly erased: ReadErased;
  /** Counter that changes when the log may have grown. */
  readonly growth: () => number;
};

export function createReader({ connection, names: { namespace, origin }, codec, erased, growth }: ReaderOptions) {
  const pages = createPageCache({ growth, read: (from, maxCount) => readAll(connection, { from, maxCount }) });
  const prefixes = allFamilies.map((family) => `${namespace}${family}-`);
  const isOurs = (event: ServerEvent | undefined): event is ServerEvent =>
    event !== undefined && prefixes.some((prefix) => event.streamId.startsWith(prefix));
  const nameOf = (event: ServerEvent) => storedStreamName(event.streamId.slice(namespace.length));
  const recorded = (event: ServerEvent): RecordedEvent => {
    const { v, meta } = event.metadata as Pick<RecordedEvent, 'v' | 'meta'>;
    const revision = Number(event.revision);
    const { id, type } = event;
    // A copy: sealed fields are opened in place, and others may read the same page after their key was erased.
    const data = { ...(event.data as object) };
    return { id, type, v, data, meta, stream: nameOf(event), revision, position: placeOf(event) };
  };

  /** Returns revision and position of the newest event of a stream that is not erased. */
  const last = async (stream: StreamName): Promise<AppendReceipt | undefined> => {
    const options = { direction: 'backwards', fromRevision: 'end', maxCount: 1 } as const;
    const [newest] = await readStream(connection, `${namespace}${stream}`, options);
    return newest && { revision: Number(newest.revision), position: placeOf(newest) };
  };

  async function* read(stream: StreamName, after: Revision = -1): AsyncGenerator<RecordedEvent> {
    for (let from = after; ;) {
      const options = { fromRevision: BigInt(from + 1), maxCount: STREAM_PAGE };
      const page = await readStream(connection, `${namespace}${stream}`, options);
      for (const event of await codec.restore(page.map(recorded))) yield event;
      from = Number(page.at(-1)?.revision ?? from);
      if (page.length < STREAM_PAGE) return;
    }
  }

  const head = async (): Promise<LogPosition> => {
    for (let from: bigint | undefined; ;) {
      const maxCount = from === undefined ? FIRST_HEAD_PAGE : HEAD_PAGE;
      const page = await readAll(connection, { direction: 'backwards', from: from ?? 'end', maxCount });
      const newest = page.find(isOurs);
      if (newest) return placeOf(newest);
      const oldest = page.at(-1)?.position.commit;
      if (oldest === undefined || oldest <= origin) return START;
      from = oldest;
    }
  };

  const batches = (families: readonly Family[], max: number) => {
    const prefixes = new Set(families.map((family) => `${namespace}${family}-`));
    const isWanted = ({ streamId }: ServerEvent) => prefixes.has(streamId.slice(0, streamId.indexOf('-') + 1));
    // Position up to which this follower has skipped events of other logs.
    let scanned = origin;
    return async (after: LogPosition): Promise<Feed> => {
      const hidden = await erased();
      const isErased = (e: ServerEvent) => Number(e.revision) <= (hidden.get(nameOf(e)) ?? -1);
      let upTo = after;
      const selected: ServerEvent[] = [];
      for (let from = BigInt(after) > scanned ? BigInt(after) : scanned; ;) {
        const page = await pages.after(from);
        for (const event of page.events) {
          if (!isOurs(event) || placeOf(event) <= after) continue;
          if (selected.length === max)
            return { events: await codec.restore(selected.map(recorded)), upTo, caughtUp: false };
          if (isWanted(event) && !isErased(event)) selected.push(event);
          upTo = placeOf(event);
        }
        from = page.events.at(-1)?.position.commit ?? from;
        scanned = from;
        if (page.isEnd || upTo > after) {
          return { events: await codec.restore(selected.map(recorded)), upTo, caughtUp: page.isEnd };
        }
      }
    };
  };

  return { prefixes, last, read, head, batches };
}

/** Returns the position in `$all` as one number: the events of one append have distinct positions. */
export function placeOf(event: ServerEvent): LogPosition {
  return logPosition(event.position.commit);
}

/** Reads events of one stream; a missing or erased stream is empty. */
export async function readStream(
  connection: Connection,
  stream: string,
  options: ReadStreamOptions,
): Promise<ServerEvent[]> {
  try {
    return await connection.collect((client) => client.readStream(stream, options));
  } catch (err) {
    if (isStreamNotFound(err)) return [];
    throw err;
  }
}

type AllOptions = { readonly from: bigint | 'end'; readonly maxCount: number; readonly direction?: 'backwards' };

async function readAll(connection: Connection, { from, ...options }: AllOptions): Promise<ServerEvent[]> {
  const fromPosition = typeof from === 'bigint' ? (from === 0n ? 'start' : { commit: from, prepare: from }) : from;
  return connection.collect((client) => client.readAll({ ...options, fromPosition }));
}

/** All events after a position; `isEnd`: there were no more when the read began. */
type Page = { readonly events: readonly ServerEvent[]; readonly isEnd: boolean };

type PageCache = {
  /** Returns the page after a position. Its events must not be changed. */
  after(from: bigint): Promise<Page>;
};

type PageCacheOptions = {
  /** Reads at most `maxCount` events, starting with the one at `from` if it exists. */
  readonly read: (from: bigint, maxCount: number) => Promise<readonly ServerEvent[]>;
  /** Counter that changes when the log may have grown. */
  readonly growth: () => number;
};

const PAGE_SIZE = 1000;
/** A page that did not arrive in time is read in smaller parts: at the same size a slow server would fail every time. */
const MIN_PAGE_SIZE = 50;
const MAX_CACHED_PAGES = 4;
/**
 * Distance on the server, in bytes, within which a page that is being read is likely to reach a later reader, which waits for it. After an
 * outage all reactions of a process read on from almost the same place: reading a page for each of them took many times as long.
 */
const NEARBY = 1n << 20n;

/** All events after `from` up to `to`. */
type CachedPage = { readonly events: readonly ServerEvent[]; readonly from: bigint; readonly to: bigint };

export function createPageCache({ read, growth }: PageCacheOptions): PageCache {
  let cachedPages: readonly CachedPage[] = [];
  /** Reads in progress by start position, with the growth counter when they began. */
  const pendingReads = new Map<bigint, { readonly growth: number; readonly page: Promise<Page> }>();
  let pageSize = PAGE_SIZE;

  const fetch = async (from: bigint): Promise<Page> => {
    // One more because the read starts with the event at `from`, and one more to detect whether there is a next page.
    const maxCount = pageSize + 2;
    const stored = await read(from, maxCount).catch((err: unknown) => {
      pageSize = Math.max(MIN_PAGE_SIZE, Math.floor(pageSize / 4));
      throw err;
    });
    pageSize = Math.min(PAGE_SIZE, pageSize * 2);
    const events = stored.filter((event) => event.position.commit > from);
    const to = events.at(-1)?.position.commit ?? from;
    if (to > from) cachedPages = [...cachedPages.slice(1 - MAX_CACHED_PAGES), { events, from, to }];
    return { events, isEnd: stored.length < maxCount };
  };

  const after = async (from: bigint): Promise<Page> => {
    const cached = cachedPages.find((page) => page.from <= from && from < page.to);
    if (cached) {
      // Only a read that begins now can find the end of the log.
      const { events, isEnd } = await after(cached.to);
      return { events: [...cached.events.filter((event) => event.position.commit > from), ...events], isEnd };
    }
    const now = growth();
    const same = pendingReads.get(from);
    if (same) {
      const page = await same.page;
      return same.growth === now ? page : { ...page, isEnd: false };
    }
    const nearby = [...pendingReads].find(([start]) => start < from && from - start <= NEARBY);
    if (nearby) {
      await nearby[1].page;
      return after(from);
    }
    const page = fetch(from);
    pendingReads.set(from, { growth: now, page });
    try {
      return await page;
    } finally {
      pendingReads.delete(from);
    }
  };
  return { after };
}

// Reads the log on EventStoreDB: pages of one stream, and pages of `$all`. `$all` has no filter for reads, so events of other logs are
// skipped here.
import type { LogPosition, RecordedEvent, Revision, StreamName } from '../../../domain/envelope.js';
import { families as allFamilies, type Family } from '../../../domain/streams.js';
import type { Codec } from '../codec.js';
import type { ReadStreamOptions, ServerEvent } from './client.js';
import type { Connection } from './connection.js';
import { isStreamNotFound } from './errors.js';
import { createPageCache } from './page-cache.js';
import { logPosition } from '../placed-event.js';
import { START, type AppendReceipt, type Feed } from '../port.js';

export type LogNames = {
  /** Namespace of this log on the server; other logs have other namespaces. */
  readonly namespace: string;
  /** Position at which the log begins on the server: none of its events is earlier. */
  readonly origin: bigint;
};

/** Returns the last erased revision by stream; erased events stay in `$all` until the server is scavenged. */
export type ReadErased = () => Promise<ReadonlyMap<string, Revision>>;

const STREAM_PAGE = 500;
const HEAD_PAGE = 32;

export type ReaderOptions = {
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
  const nameOf = (event: ServerEvent) => event.streamId.slice(namespace.length) as StreamName;
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
      const page = await readAll(connection, { direction: 'backwards', from: from ?? 'end', maxCount: HEAD_PAGE });
      const newest = page.find(isOurs);
      if (newest) return placeOf(newest);
      const oldest = page.at(-1)?.position.commit;
      if (oldest === undefined || oldest <= origin) return START;
      from = oldest;
    }
  };

  const batches = (families: readonly Family[], max: number) => {
    const wanted = new Set(families.map((family) => `${namespace}${family}-`));
    const isWanted = ({ streamId }: ServerEvent) => wanted.has(streamId.slice(0, streamId.indexOf('-') + 1));
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

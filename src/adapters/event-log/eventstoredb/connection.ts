// Client of EventStoreDB with a timeout for every call: the driver's deadlines cover neither connecting nor streams. The driver has one
// table of pending appends per process, so there is one client, which is disposed and reused after a timeout.
import { BACKWARDS, END, EventStoreDBClient, type StreamingRead } from '@eventstore/db-client';
import { createCircuitBreaker } from '../../engine/server-breaker.js';
import type { Runtime } from '../../runtime.js';
import { EVENTSTOREDB, createFromUrl } from '../../configuration/servers.js';
import { classifyEventStoreError } from './errors.js';
import { Unavailable } from '../../../domain/errors.js';

export type Connection = {
  /** Runs a call. Throws {@link Unavailable}; errors caused by the request itself are thrown as the driver throws them. */
  call<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T>;
  /** Returns all results of a read within the timeout of a page; the read is always cancelled at the end. */
  collect<T>(read: (client: EventStoreDBClient) => StreamingRead<T>): Promise<T[]>;
  /** Client for subscriptions, which have no end; the caller supervises them. */
  readonly client: EventStoreDBClient;
  /** Resolves true as soon as the server responds, false when it does not within `ms`. */
  waitUntilUp(ms: number): Promise<boolean>;
  close(): Promise<void>;
};

type Sleeper = Pick<Runtime, 'sleep'>;

const CALL_TIMEOUT_MS = 2500;
/**
 * Maximum concurrent calls. The server processes everything it receives concurrently and abandons work that takes two seconds; more calls
 * at once are not faster.
 */
const MAX_CONCURRENT = 64;
const DISPOSE_TIMEOUT_MS = 1000;

/** Creates a client, which connects on first use. Throws `WrongConfiguration` for an invalid URL. */
export function createEventStoreClient(url: string): EventStoreDBClient {
  return createFromUrl('EVENTSTORE_URL', () => EventStoreDBClient.connectionString(url));
}

export function openConnection(url: string, runtime: Sleeper): Connection {
  const client = createEventStoreClient(url);
  let resetting: Promise<void> | null = null;
  /**
   * Number of resets. The driver ends a read as if it were complete when its connection is disposed, so reads compare this before and
   * after.
   */
  let resets = 0;

  /** Disposes the connection, which also discards the callers of late responses. */
  const reset = (): Promise<void> => {
    resets++;
    const done = new AbortController();
    const waited = runtime.sleep(DISPOSE_TIMEOUT_MS, done.signal);
    return (resetting ??= Promise.race([client.dispose().catch(() => undefined), waited]).finally(() => {
      done.abort();
      resetting = null;
    }));
  };

  const readAll = async <T>(stream: StreamingRead<T>): Promise<T[]> => {
    const resetsBefore = resets;
    // Otherwise a late error, after the loop has ended, would end the process.
    stream.on('error', () => undefined);
    const items = [];
    for await (const item of stream) items.push(item);
    if (resets !== resetsBefore) throw new Unavailable('the connection to EventStoreDB was lost while reading');
    return items;
  };
  const newest = { fromPosition: END, direction: BACKWARDS, maxCount: 1 } as const;
  const breaker = createCircuitBreaker({
    name: EVENTSTOREDB,
    runtime,
    limitMs: CALL_TIMEOUT_MS,
    awaitsSlowWork: false,
    maxConcurrent: MAX_CONCURRENT,
    probe: () => readAll(client.readAll(newest)),
    faultOf: classifyEventStoreError,
    reset,
  });

  return {
    client,
    call: (work) => breaker.run(() => work(client)),
    collect: async (read) => {
      let cancel = () => {};
      try {
        const readOnce = () => {
          const stream = read(client);
          cancel = () => void stream.cancel().catch(() => undefined);
          return readAll(stream);
        };
        return await breaker.run(readOnce, { isRepeatable: true });
      } finally {
        cancel();
      }
    },
    waitUntilUp: breaker.waitUntilUp,
    close: async () => {
      breaker.close();
      await reset();
    },
  };
}

// Client of the log server with a timeout for every call: the drivers' deadlines cover neither connecting nor streams. EventStoreDB's driver
// has one table of pending appends per process, so there is one client, which is disposed and reused after a timeout.
import { createCircuitBreaker } from '../../engine/server-breaker.js';
import type { Runtime } from '../../runtime.js';
import type { AppendResult, ClientEvent, ExpectedState, LogClient, ServerEvent, ServerRead } from './client.js';
import { classifyLogError } from './errors.js';
import { Unavailable } from '../../../domain/errors.js';

export type Connection = {
  /** Runs a call. Throws {@link Unavailable}; errors caused by the request itself are thrown as the driver throws them. */
  call<T>(work: (client: LogClient) => Promise<T>): Promise<T>;
  /** Appends events in one transaction. Throws the driver's conflict, which `findConflict` recognises. */
  append(stream: string, events: readonly ClientEvent[], expected: ExpectedState): Promise<AppendResult>;
  /** Returns all events of a read within the timeout of a page; the read is always cancelled at the end. */
  collect(read: (client: LogClient) => ServerRead): Promise<ServerEvent[]>;
  /** Client for subscriptions, which have no end; the caller supervises them. */
  readonly client: LogClient;
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

/** Takes over the client, which is disposed when the connection closes. `name`: of the server, in messages. */
export function openConnection(client: LogClient, runtime: Sleeper, name: string): Connection {
  let resetting: Promise<void> | null = null;
  /**
   * Number of resets. EventStoreDB's driver ends a read as if it were complete when its connection is disposed, so reads compare this before
   * and after.
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

  const readAll = async (read: ServerRead): Promise<ServerEvent[]> => {
    const resetsBefore = resets;
    // Otherwise a late error, after the loop has ended, would end the process.
    read.on?.('error', () => undefined);
    const events: ServerEvent[] = [];
    for await (const { event } of read) if (event) events.push(event as ServerEvent);
    if (resets !== resetsBefore) throw new Unavailable(`the connection to ${name} was lost while reading`);
    return events;
  };
  const newest = { fromPosition: 'end', direction: 'backwards', maxCount: 1 } as const;
  const breaker = createCircuitBreaker({
    name,
    runtime,
    limitMs: CALL_TIMEOUT_MS,
    awaitsSlowWork: false,
    maxConcurrent: MAX_CONCURRENT,
    probe: () => readAll(client.readAll(newest)),
    faultOf: classifyLogError,
    reset,
  });

  return {
    client,
    call: (work) => breaker.run(() => work(client)),
    append: (stream, events, expected) => {
      const options = { expectedRevision: expected, streamState: expected };
      return breaker.run(() => client.appendToStream(stream, [...events], options));
    },
    collect: async (read) => {
      let cancel = () => {};
      try {
        const readOnce = () => {
          const started = read(client);
          cancel = () => void (started.cancel?.() ?? started.return?.())?.catch(() => undefined);
          return readAll(started);
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

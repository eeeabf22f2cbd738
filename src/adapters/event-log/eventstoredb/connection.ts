// One client of EventStoreDB, and a time limit around every call to it: the driver's deadlines cover neither connecting nor streams.
// The driver keeps one table of pending appends per process, so there is one client, taken apart and used again after a silence.
import { BACKWARDS, END, EventStoreDBClient, type StreamingRead } from '@eventstore/db-client';
import { createBreaker } from '../../engine/server-breaker.js';
import type { Runtime } from '../../runtime.js';
import { EVENTSTOREDB, fromUrl } from '../../configuration/servers.js';
import { faultOfEventStore } from './errors.js';
import { Unavailable } from '../../../domain/errors.js';

export type Connection = {
  /** Throws {@link Unavailable}, and as the driver throws it what the request itself is the reason of. */
  call<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T>;
  /** All that a read gives, within the limit of a page; the read is cancelled however it ends. */
  collect<T>(read: (client: EventStoreDBClient) => StreamingRead<T>): Promise<T[]>;
  /** For subscriptions, which have no end; whoever uses it supervises them. */
  readonly client: EventStoreDBClient;
  /** True as soon as the server responds, false when it does not within `ms`. */
  isBack(ms: number): Promise<boolean>;
  close(): Promise<void>;
};

type Waiting = Pick<Runtime, 'sleep'>;

const LIMIT_MS = 2500;
/** The server works on all that it is sent at once and gives up what takes it two seconds. More under way make nothing faster. */
const AT_ONCE = 64;
const DISPOSE_MS = 1000;

/** Connects on first use. Throws `WrongConfiguration` for a URL that cannot be read. */
export function clientOf(url: string): EventStoreDBClient {
  return fromUrl('EVENTSTORE_URL', () => EventStoreDBClient.connectionString(url));
}

export function connect(url: string, runtime: Waiting): Connection {
  const client = clientOf(url);
  let resetting: Promise<void> | null = null;
  /** The driver ends a read whose connection is taken apart as if it were whole: whoever reads compares before and after. */
  let resets = 0;

  /** What a response that comes too late would be given to is forgotten with the connection. */
  const reset = (): Promise<void> => {
    resets++;
    const done = new AbortController();
    const waited = runtime.sleep(DISPOSE_MS, done.signal);
    return (resetting ??= Promise.race([client.dispose().catch(() => undefined), waited]).finally(() => {
      done.abort();
      resetting = null;
    }));
  };

  const readAll = async <T>(stream: StreamingRead<T>): Promise<T[]> => {
    const begun = resets;
    // A late failure, after the loop has ended, would otherwise end the process.
    stream.on('error', () => undefined);
    const found = [];
    for await (const item of stream) found.push(item);
    if (resets !== begun) throw new Unavailable('the connection to EventStoreDB was lost while reading');
    return found;
  };
  const newest = { fromPosition: END, direction: BACKWARDS, maxCount: 1 } as const;
  const breaker = createBreaker({
    name: EVENTSTOREDB,
    runtime,
    limitMs: LIMIT_MS,
    waitsForSlow: false,
    atOnce: AT_ONCE,
    probe: () => readAll(client.readAll(newest)),
    faultOf: faultOfEventStore,
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
    isBack: breaker.isBack,
    close: async () => {
      breaker.close();
      await reset();
    },
  };
}

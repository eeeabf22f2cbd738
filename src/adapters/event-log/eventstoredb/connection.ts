// Client of the log server with a timeout for every call: the driver's deadlines cover neither connecting nor streams. The
// driver has one table of pending appends per process, so there is one client, which is disposed and reused after a timeout.
import type { ErrorType } from '@eventstore/db-client';
import { Unavailable } from '../../../domain/errors.js';
import { createCircuitBreaker, type Fault } from '../../engine/server-breaker.js';
import type { Runtime } from '../../runtime.js';
import type { AppendResult, ClientEvent, ExpectedState, LogClient, ServerEvent, ServerRead } from './client.js';

export type Connection = {
  /** Runs a call. Throws {@link Unavailable}; errors caused by the request itself are thrown as the driver throws them. */
  call<T>(work: (client: LogClient) => Promise<T>): Promise<T>;
  /** Appends events in one transaction. Throws the driver's conflict, which `findConflict` recognises. */
  append(stream: string, events: readonly ClientEvent[], expected: ExpectedState): Promise<AppendResult>;
  /** Returns all events of a read, which may take longer than a call while events arrive; it is always cancelled at the end. */
  collect(read: (client: LogClient) => ServerRead): Promise<ServerEvent[]>;
  /** Client for subscriptions, which have no end; the caller supervises them. */
  readonly client: LogClient;
  /** Resolves true as soon as the server responds, false when it does not within `ms`. */
  waitUntilUp(ms: number): Promise<boolean>;
  close(): Promise<void>;
};

const CALL_TIMEOUT_MS = 2500;
/**
 * Maximum concurrent calls. The server processes everything it receives concurrently and abandons work that takes two seconds; more calls
 * at once are not faster.
 */
const MAX_CONCURRENT = 64;
const DISPOSE_TIMEOUT_MS = 1000;

/** Takes over the client, which is disposed when the connection closes. `name`: of the server, in messages. */
export function openConnection(client: LogClient, runtime: Pick<Runtime, 'sleep'>, name: string): Connection {
  let resetting: Promise<void> | null = null;
  /**
   * Number of resets. The driver ends a read as if it were complete when its connection is disposed, so reads compare this before
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

  const readAll = async (read: ServerRead, onEvent?: () => void): Promise<ServerEvent[]> => {
    const resetsBefore = resets;
    // Otherwise a late error, after the loop has ended, would end the process.
    read.on('error', () => undefined);
    const events: ServerEvent[] = [];
    for await (const { event } of read) {
      onEvent?.();
      if (event) events.push(event as ServerEvent);
    }
    if (resets !== resetsBefore) throw new Unavailable(`the connection to ${name} was lost while reading`);
    return events;
  };
  const newest = { fromPosition: 'end', direction: 'backwards', maxCount: 1 } as const;
  const breaker = createCircuitBreaker({
    name,
    runtime,
    limitMs: CALL_TIMEOUT_MS,
    maxConcurrent: MAX_CONCURRENT,
    probe: () => readAll(client.readAll(newest)),
    faultOf: classifyLogError,
    reset,
    failuresPerReset: 1,
  });

  return {
    client,
    call: (work) => breaker.run(() => work(client)),
    append: (stream, events, expected) => {
      return breaker.run(() => client.appendToStream(stream, [...events], { expectedRevision: expected }));
    },
    collect: async (read) => {
      let cancel = () => {};
      try {
        const readOnce = (onEvent: () => void) => {
          const started = read(client);
          cancel = () => void started.cancel().catch(() => undefined);
          return readAll(started, onEvent);
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

type DriverErrorType = `${ErrorType}`;

const WRONG_EXPECTED_VERSION: DriverErrorType = 'wrong-expected-version';
const STREAM_NOT_FOUND: DriverErrorType = 'stream-not-found';
const DEADLINE_EXCEEDED: DriverErrorType = 'deadline-exceeded';

/** Errors that the server would return again for the same request. */
const REFUSALS: ReadonlySet<unknown> = new Set<DriverErrorType>([
  WRONG_EXPECTED_VERSION,
  STREAM_NOT_FOUND,
  'invalid-argument',
  'invalid-transaction',
  'maximum-append-size-exceeded',
  'missing-required-metadata-property',
]);

/** Errors of a running server that need its operator: credentials, permissions, another version, a permanently deleted stream. */
const TRANSIENT: ReadonlySet<unknown> = new Set<DriverErrorType>([
  'access-denied',
  'not-found',
  'no-stream',
  'stream-deleted',
  'scavenge-not-found',
  'persistent-subscription-failed',
  'persistent-subscription-does-not-exist',
  'persistent-subscription-exists',
  'persistent-subscription-dropped',
  'maximum-subscribers-reached',
  'user-not-found',
  'user-conflict',
  'unsupported',
]);

const GRPC_INVALID_ARGUMENT = 3;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_TRANSIENT = new Set([5, 7, 12, 16]);

/**
 * Classifies an error. Errors without a type come from below the driver: gRPC codes, socket codes, plain errors of a closed channel or of a
 * cluster that was not found.
 */
export function classifyLogError(err: unknown): Fault {
  const fields = fieldsOf(err);
  const { type, code, message } = fields;
  // Response of the server itself, without an error of a call below it: it is up, and abandoned this append.
  if (type === DEADLINE_EXCEEDED && '_raw' in fields && fields['_raw'] === undefined) return 'passing';
  if (REFUSALS.has(type) || code === GRPC_INVALID_ARGUMENT) return 'ours';
  // The code has two meanings: a message that is too large, and a server short of resources.
  if (code === GRPC_RESOURCE_EXHAUSTED) return /larger than max/i.test(String(message)) ? 'ours' : 'passing';
  return TRANSIENT.has(type) || GRPC_TRANSIENT.has(Number(code)) ? 'passing' : 'away';
}

/** Returns the actual revision of a stream whose expected revision was wrong, undefined if it does not exist; null for any other error. */
export function findConflict(err: unknown): { readonly actual: bigint | undefined } | null {
  const { type, actualVersion, actualState } = fieldsOf(err);
  if (type !== WRONG_EXPECTED_VERSION) return null;
  const actual = actualVersion ?? actualState;
  return { actual: typeof actual === 'bigint' ? actual : undefined };
}

export function isStreamNotFound(err: unknown): boolean {
  return fieldsOf(err)['type'] === STREAM_NOT_FOUND;
}

function fieldsOf(err: unknown): { readonly [field: string]: unknown } {
  return typeof err === 'object' && err !== null ? (err as { readonly [field: string]: unknown }) : {};
}

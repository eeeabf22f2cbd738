// What each failure of EventStoreDB's driver means. All is taken for passing but what is known to be the fault of a request: no error about
// a connection, a limit, the state of a server or an unknown outcome may ever look like a fault of the events.
import { DeadlineExceededError, ErrorType } from '@eventstore/db-client';
import type { Fault } from '../../engine/server-breaker.js';

/** The server's responses to this one request: the same again would be answered the same. */
const REFUSALS: ReadonlySet<unknown> = new Set<ErrorType>([
  ErrorType.WRONG_EXPECTED_VERSION,
  ErrorType.STREAM_NOT_FOUND,
  ErrorType.INVALID_ARGUMENT,
  ErrorType.INVALID_TRANSACTION,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.MISSING_REQUIRED_METADATA_PROPERTY,
]);

/** The server is there, and wants its operator: credentials, rights, another version, a stream that was deleted for good. */
const PASSING: ReadonlySet<unknown> = new Set<ErrorType>([
  ErrorType.ACCESS_DENIED,
  ErrorType.NOT_FOUND,
  ErrorType.NO_STREAM,
  ErrorType.STREAM_DELETED,
  ErrorType.SCAVENGE_NOT_FOUND,
  ErrorType.PERSISTENT_SUBSCRIPTION_FAILED,
  ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST,
  ErrorType.PERSISTENT_SUBSCRIPTION_EXISTS,
  ErrorType.PERSISTENT_SUBSCRIPTION_DROPPED,
  ErrorType.MAXIMUM_SUBSCRIBERS_REACHED,
  ErrorType.USER_NOT_FOUND,
  ErrorType.USER_CONFLICT,
  ErrorType.UNSUPPORTED,
]);

const GRPC_INVALID_ARGUMENT = 3;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_PASSING = new Set([5, 7, 12, 16]);

/**
 * What has no type comes from below the driver: codes of gRPC, codes of sockets, plain errors of a closed channel or of a cluster that
 * was not found.
 */
export function faultOfEventStore(err: unknown): Fault {
  // The server's own response: it is there, and gave up on this append.
  if (err instanceof DeadlineExceededError && err._raw === undefined) return 'passing';
  const { type, code, message } = (typeof err === 'object' && err !== null ? err : {}) as {
    readonly [field: string]: unknown;
  };
  if (REFUSALS.has(type) || code === GRPC_INVALID_ARGUMENT) return 'ours';
  // The same code is used when the server is short of something.
  if (code === GRPC_RESOURCE_EXHAUSTED) return /larger than max/i.test(String(message)) ? 'ours' : 'passing';
  return PASSING.has(type) || GRPC_PASSING.has(Number(code)) ? 'passing' : 'away';
}

// Classification of the EventStoreDB driver's errors. All are transient except those that are known to be caused by a request: an error
// about a connection, a limit, the state of a server or an unknown outcome must never look like a fault of the events.
import { DeadlineExceededError, ErrorType } from '@eventstore/db-client';
import type { Fault } from '../../engine/server-breaker.js';

/** Errors that the server would return again for the same request. */
const REFUSALS: ReadonlySet<unknown> = new Set<ErrorType>([
  ErrorType.WRONG_EXPECTED_VERSION,
  ErrorType.STREAM_NOT_FOUND,
  ErrorType.INVALID_ARGUMENT,
  ErrorType.INVALID_TRANSACTION,
  ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  ErrorType.MISSING_REQUIRED_METADATA_PROPERTY,
]);

/** Errors of a running server that need its operator: credentials, permissions, another version, a permanently deleted stream. */
const TRANSIENT: ReadonlySet<unknown> = new Set<ErrorType>([
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
const GRPC_TRANSIENT = new Set([5, 7, 12, 16]);

/**
 * Classifies an error. Errors without a type come from below the driver: gRPC codes, socket codes, plain errors of a closed channel or of a
 * cluster that was not found.
 */
export function classifyEventStoreError(err: unknown): Fault {
  // Response of the server itself: it is up, and abandoned this append.
  if (err instanceof DeadlineExceededError && err._raw === undefined) return 'passing';
  const { type, code, message } = (typeof err === 'object' && err !== null ? err : {}) as {
    readonly [field: string]: unknown;
  };
  if (REFUSALS.has(type) || code === GRPC_INVALID_ARGUMENT) return 'ours';
  // The code has two meanings: a message that is too large, and a server short of resources.
  if (code === GRPC_RESOURCE_EXHAUSTED) return /larger than max/i.test(String(message)) ? 'ours' : 'passing';
  return TRANSIENT.has(type) || GRPC_TRANSIENT.has(Number(code)) ? 'passing' : 'away';
}

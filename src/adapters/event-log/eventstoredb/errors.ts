// Classification of the errors of both drivers, by the names that they share: each has classes of its own. All are transient except those
// that are known to be caused by a request: an error about a connection, a limit, the state of a server or an unknown outcome must never look
// like a fault of the events.
import type { ErrorType as EventStoreErrorType } from '@eventstore/db-client';
import type { ErrorType as KurrentErrorType } from '@kurrent/kurrentdb-client';
import type { Fault } from '../../engine/server-breaker.js';

type DriverErrorType = `${EventStoreErrorType}` | `${KurrentErrorType}`;

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
  'transaction-max-size-exceeded',
  'append-record-size-exceeded',
  'append-consistency-violation',
  'missing-required-metadata-property',
]);

/** Errors of a running server that need its operator: credentials, permissions, another version, a permanently deleted stream. */
const TRANSIENT: ReadonlySet<unknown> = new Set<DriverErrorType>([
  'access-denied',
  'not-found',
  'no-stream',
  'stream-deleted',
  'stream-tombstoned',
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

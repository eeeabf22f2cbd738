// Which failures of MongoDB mean that it cannot be reached or has not decided, and may be tried again.
import { MongoBulkWriteError, MongoDriverError, MongoNetworkError, MongoServerError } from 'mongodb';
import { MongoServerSelectionError, MongoSystemError, MongoWriteConcernError } from 'mongodb';
import { Unavailable } from '../event-log/port.js';

/** Not the primary, stepping down, shutting down, interrupted, timed out: the server's list of retryable states. */
const PASSING = new Set([
  6, 7, 50, 63, 64, 89, 91, 100, 112, 134, 150, 189, 234, 262, 317, 358, 9001, 10_058, 10_107, 11_600, 11_602, 13_388,
  13_435, 13_436,
]);

/** The error itself unless it means that the store is away. */
export function unavailableMongo(err: unknown): unknown {
  return isAway(err) ? new Unavailable(`MongoDB cannot be reached: ${messageOf(err)}`) : err;
}

/** The codes of a bulk write's single failures; undefined when it failed as a whole. */
export function errorsOfWrites(err: unknown): readonly (number | undefined)[] | undefined {
  if (!(err instanceof MongoBulkWriteError) || err.result.getWriteConcernError()) return undefined;
  const errors = err.result.getWriteErrors();
  return errors.length > 0 ? errors.map(({ code }) => code) : undefined;
}

/** Of a connection that had ended before it was written to: the driver hands these on as they are. */
const SOCKET_CODES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** No server was found, or the connection to it broke. */
export function isMongoLost(err: unknown): boolean {
  if (err instanceof Error && 'code' in err && SOCKET_CODES.has(String(err.code))) return true;
  return (
    err instanceof MongoNetworkError || err instanceof MongoSystemError || err instanceof MongoServerSelectionError
  );
}

function isAway(err: unknown): boolean {
  if (isMongoLost(err) || err instanceof MongoWriteConcernError) return true;
  if (err instanceof MongoBulkWriteError && err.result.getWriteConcernError()) return true;
  if (err instanceof MongoServerError) return PASSING.has(Number(err.code)) || err.hasErrorLabel('RetryableWriteError');
  // Pool cleared, wait queue timed out, client closed: the driver gave up before it had an answer.
  return err instanceof MongoDriverError && PASSING_NAMES.has(err.name);
}

const PASSING_NAMES = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
]);

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

// Classification of the MongoDB driver's errors. All are transient except those that are known to be caused by a request: an error about a
// connection, a limit, the state of a server or an unknown outcome must never look like a fault of the documents.
import { BSON, MongoBulkWriteError, MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb';
import { MongoError, MongoSystemError, MongoTopologyClosedError } from 'mongodb';
import type { Fault } from '../../engine/server-breaker.js';

/** Codes that the server would return again for the same request. */
const REFUSALS = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  15, // Overflow
  16, // InvalidLength
  22, // InvalidBSON
  28, // PathNotViable
  34, // InvalidPath
  40, // ConflictingUpdateOperators
  52, // DollarPrefixedFieldName
  53, // InvalidIdField
  54, // NotSingleValueField
  56, // EmptyFieldName
  57, // DottedFieldName
  66, // ImmutableField
  67, // CannotCreateIndex
  72, // InvalidOptions
  73, // InvalidNamespace
  85, // IndexOptionsConflict
  86, // IndexKeySpecsConflict
  121, // DocumentValidationFailure
  10_334, // BSONObjectTooLarge
  17_280, // KeyTooLong
  17_419, // the update would make the document too large
  17_420,
  40_414, // a field of the command is missing
  40_415, // a field of the command is unknown
]);

const DUPLICATE_KEY = 11_000;

export function classifyMongoError(err: unknown): Fault {
  const failure = causeOf(err);
  if (isRequestFault(failure)) return 'ours';
  return isConnectionLost(failure) ? 'away' : 'passing';
}

/** Returns whether a bulk write failed only for documents that existed already. */
export function isDuplicateOnly(err: unknown): boolean {
  if (!(err instanceof MongoBulkWriteError) || causeOf(err) !== err || err.result.getWriteConcernError()) return false;
  const errors = err.result.getWriteErrors();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}

/** Returns the cause of an error: a bulk write wraps it in an error of its own class, without a code or label of a lost connection. */
function causeOf(err: unknown): unknown {
  const inner: unknown = err instanceof MongoBulkWriteError ? err.errorResponse : undefined;
  return inner instanceof Error ? inner : err;
}

function isRequestFault(err: unknown): boolean {
  if (BSON.BSONError.isBSONError(err) || err instanceof MongoInvalidArgumentError) return true;
  if (err instanceof MongoBulkWriteError) {
    // Durability is then unknown; single failures occur again on a retry.
    if (err.result.getWriteConcernError()) return false;
    if (err.result.getWriteErrors().some(({ code }) => REFUSALS.has(Number(code)))) return true;
  }
  return err instanceof MongoServerError && REFUSALS.has(Number(err.code));
}

/** Returns whether no server was found, or the connection was lost. */
function isConnectionLost(err: unknown): boolean {
  if (err instanceof MongoNetworkError || err instanceof MongoSystemError) return true;
  // Thrown for work in progress when the driver was closed, or had never reached a server.
  if (err instanceof MongoTopologyClosedError) return true;
  // Error of a connection that ended before it was written to: the driver passes these on unchanged.
  return err instanceof Error && !(err instanceof MongoError) && 'code' in err && typeof err.code === 'string';
}

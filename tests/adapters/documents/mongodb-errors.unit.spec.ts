// The table of errors of MongoDB's driver: every class it exports has its place here, so that a version with a new one fails.
import { expect } from 'chai';
import * as driver from 'mongodb';
import type { Fault } from '../../../src/adapters/engine/server-breaker.js';
import { classifyMongoError, isDuplicateOnly } from '../../../src/adapters/documents/mongodb/errors.js';

const BY_CLASS: { readonly [name: string]: Fault } = {
  MongoAPIError: 'passing',
  MongoAWSError: 'passing',
  MongoAzureError: 'passing',
  MongoBatchReExecutionError: 'passing',
  MongoBulkWriteError: 'passing',
  MongoChangeStreamError: 'passing',
  MongoClientBulkWriteCursorError: 'passing',
  MongoClientBulkWriteError: 'passing',
  MongoClientBulkWriteExecutionError: 'passing',
  MongoClientClosedError: 'passing',
  MongoCompatibilityError: 'passing',
  MongoCryptAzureKMSRequestError: 'passing',
  MongoCryptCreateDataKeyError: 'passing',
  MongoCryptCreateEncryptedCollectionError: 'passing',
  MongoCryptError: 'passing',
  MongoCryptInvalidArgumentError: 'passing',
  MongoCryptKMSRequestNetworkTimeoutError: 'passing',
  MongoCursorExhaustedError: 'passing',
  MongoCursorInUseError: 'passing',
  MongoDecompressionError: 'passing',
  MongoDriverError: 'passing',
  MongoError: 'passing',
  MongoExpiredSessionError: 'passing',
  MongoGCPError: 'passing',
  MongoGridFSChunkError: 'passing',
  MongoGridFSStreamError: 'passing',
  MongoInvalidArgumentError: 'ours',
  MongoKerberosError: 'passing',
  MongoMissingCredentialsError: 'passing',
  MongoMissingDependencyError: 'passing',
  MongoNetworkError: 'away',
  MongoNetworkTimeoutError: 'away',
  MongoNotConnectedError: 'passing',
  MongoOIDCError: 'passing',
  MongoOperationTimeoutError: 'passing',
  MongoParseError: 'passing',
  MongoRuntimeError: 'passing',
  MongoServerClosedError: 'passing',
  MongoServerError: 'passing',
  MongoServerSelectionError: 'away',
  MongoStalePrimaryError: 'passing',
  MongoSystemError: 'away',
  MongoTailableCursorError: 'passing',
  MongoTopologyClosedError: 'away',
  MongoTransactionError: 'passing',
  MongoUnexpectedServerResponseError: 'passing',
  MongoWriteConcernError: 'passing',
};

type ErrorClass = new (...args: never[]) => Error;

/** Without its own constructor: each class has another one. */
const madeOf = (errorClass: ErrorClass): Error =>
  Object.setPrototypeOf(
    Object.assign(new driver.MongoError('as the driver says it'), { result: noResult }),
    errorClass.prototype,
  );
const noResult = { getWriteErrors: () => [], getWriteConcernError: () => undefined };
const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof Error;
const exported = Object.entries(driver).flatMap(([name, value]) =>
  isErrorClass(value) ? [[name, value] as const] : [],
);

const serverError = (code: number) => new driver.MongoServerError({ message: 'as the server says it', code });
type Result = { readonly writeErrors?: readonly number[]; readonly writeConcernError?: object };
const bulkError = (inner: unknown, { writeErrors = [], writeConcernError }: Result = {}) =>
  new driver.MongoBulkWriteError(
    inner as Error,
    {
      getWriteErrors: () => writeErrors.map((code) => ({ code })),
      getWriteConcernError: () => writeConcernError,
    } as never,
  );
const closed = new driver.MongoNetworkError('connection 7 to 127.0.0.1:27017 closed');

describe('errors of MongoDB', () => {
  it('has a place in the table for every class that the driver exports', () => {
    expect(exported.map(([name]) => name).sort()).to.deep.equal(Object.keys(BY_CLASS).sort());
  });
  for (const [name, errorClass] of exported) {
    it(`takes ${name} for ${BY_CLASS[name]}`, () => {
      expect(classifyMongoError(madeOf(errorClass))).to.equal(BY_CLASS[name]);
    });
    it(`takes a bulk write that ${name} ended for ${BY_CLASS[name]}`, () => {
      expect(classifyMongoError(bulkError(madeOf(errorClass)))).to.equal(BY_CLASS[name]);
    });
  }

  it('does not take a connection that closed under a bulk write for a fault of the documents', () => {
    expect(classifyMongoError(bulkError(closed))).to.equal('away');
    expect(isDuplicateOnly(bulkError(closed))).to.equal(false);
  });
  it('does not treat a bulk write that lost its connection after duplicate keys as a lost race', () => {
    const mixed = bulkError(closed, { writeErrors: [11_000, 11_000] });
    expect(isDuplicateOnly(mixed)).to.equal(false);
    expect(classifyMongoError(mixed)).to.equal('away');
  });
  it('knows a bulk write that met nothing but duplicate keys', () => {
    const taken = { message: 'E11000', code: 11_000 };
    expect(isDuplicateOnly(bulkError(taken, { writeErrors: [11_000, 11_000] }))).to.equal(true);
    expect(isDuplicateOnly(bulkError(taken, { writeErrors: [11_000, 91] }))).to.equal(false);
    expect(isDuplicateOnly(bulkError(taken, { writeErrors: [11_000], writeConcernError: {} }))).to.equal(false);
  });
  it('treats duplicate keys with a transient failure, and an unmet write concern, as transient', () => {
    const taken = { message: 'E11000', code: 11_000 };
    expect(classifyMongoError(bulkError(taken, { writeErrors: [11_000, 91] }))).to.equal('passing');
    expect(classifyMongoError(bulkError(taken, { writeErrors: [2], writeConcernError: {} }))).to.equal('passing');
  });
  it('takes a bulk write of which the server refused a document for our fault', () => {
    expect(classifyMongoError(bulkError({ message: 'no', code: 2 }, { writeErrors: [11_000, 10_334] }))).to.equal(
      'ours',
    );
    expect(classifyMongoError(bulkError(serverError(73)))).to.equal('ours');
  });

  for (const code of [
    ...[1, 6, 7, 8, 11, 13, 18, 24, 26, 43, 46, 50, 59, 63, 64, 79, 89, 91, 96, 100, 112, 134, 136, 150, 175, 189],
    ...[202, 211, 225, 234, 237, 246, 251, 262, 279, 290, 292, 317, 358, 365, 384, 391, 402, 9001, 10_003, 10_058],
    ...[10_107, 11_600, 11_601, 11_602, 13_388, 13_435, 13_436, 14_031, 17_399, 999_999],
  ]) {
    it(`takes the server's ${code} for passing, alone and in a bulk write`, () => {
      expect(classifyMongoError(serverError(code))).to.equal('passing');
      expect(classifyMongoError(bulkError(serverError(code)))).to.equal('passing');
    });
  }
  for (const code of [2, 9, 14, 72, 73, 86, 121, 10_334]) {
    it(`takes the server's ${code} for our fault`, () =>
      expect(classifyMongoError(serverError(code))).to.equal('ours'));
  }

  it('takes what comes from below the driver for passing, and errors of sockets for a lost connection', () => {
    const socketError = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    expect(classifyMongoError(socketError)).to.equal('away');
    expect(classifyMongoError(bulkError(socketError))).to.equal('away');
    expect(classifyMongoError(new TypeError('Cannot read properties of undefined'))).to.equal('passing');
    expect(classifyMongoError('a text')).to.equal('passing');
  });
  it('takes what cannot be made BSON for our fault', () => {
    expect(classifyMongoError(new driver.BSON.BSONError('circular'))).to.equal('ours');
  });
});

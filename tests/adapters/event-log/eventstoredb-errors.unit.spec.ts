// The table of errors of the driver: every kind that it names has its place here, so that a version with a new one fails.
import * as driver from '@eventstore/db-client';
import { ErrorType } from '@eventstore/db-client';
import { expect } from 'chai';
import type { Fault } from '../../../src/adapters/engine/server-breaker.js';
import {
  classifyLogError,
  findConflict,
  isStreamNotFound,
} from '../../../src/adapters/event-log/eventstoredb/connection.js';

const BY_TYPE: { readonly [type in ErrorType]: Fault } = {
  [ErrorType.TIMEOUT]: 'away',
  [ErrorType.DEADLINE_EXCEEDED]: 'away',
  [ErrorType.UNAVAILABLE]: 'away',
  [ErrorType.CANCELLED]: 'away',
  [ErrorType.UNKNOWN]: 'away',
  [ErrorType.NOT_LEADER]: 'away',
  [ErrorType.STREAM_NOT_FOUND]: 'ours',
  [ErrorType.NO_STREAM]: 'passing',
  [ErrorType.NOT_FOUND]: 'passing',
  [ErrorType.ACCESS_DENIED]: 'passing',
  [ErrorType.INVALID_ARGUMENT]: 'ours',
  [ErrorType.INVALID_TRANSACTION]: 'ours',
  [ErrorType.STREAM_DELETED]: 'passing',
  [ErrorType.SCAVENGE_NOT_FOUND]: 'passing',
  [ErrorType.WRONG_EXPECTED_VERSION]: 'ours',
  [ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED]: 'ours',
  [ErrorType.MISSING_REQUIRED_METADATA_PROPERTY]: 'ours',
  [ErrorType.PERSISTENT_SUBSCRIPTION_FAILED]: 'passing',
  [ErrorType.PERSISTENT_SUBSCRIPTION_DOES_NOT_EXIST]: 'passing',
  [ErrorType.PERSISTENT_SUBSCRIPTION_EXISTS]: 'passing',
  [ErrorType.PERSISTENT_SUBSCRIPTION_DROPPED]: 'passing',
  [ErrorType.MAXIMUM_SUBSCRIBERS_REACHED]: 'passing',
  [ErrorType.USER_NOT_FOUND]: 'passing',
  [ErrorType.USER_CONFLICT]: 'passing',
  [ErrorType.UNSUPPORTED]: 'passing',
};

/** Codes of gRPC by what a call that failed with one, and nothing else, says. */
const BY_CODE: readonly (readonly [number, string, Fault])[] = [
  [1, 'CANCELLED', 'away'],
  [2, 'UNKNOWN', 'away'],
  [3, 'INVALID_ARGUMENT', 'ours'],
  [4, 'DEADLINE_EXCEEDED', 'away'],
  [5, 'NOT_FOUND', 'passing'],
  [6, 'ALREADY_EXISTS', 'away'],
  [7, 'PERMISSION_DENIED', 'passing'],
  [8, 'RESOURCE_EXHAUSTED', 'passing'],
  [9, 'FAILED_PRECONDITION', 'away'],
  [10, 'ABORTED', 'away'],
  [11, 'OUT_OF_RANGE', 'away'],
  [12, 'UNIMPLEMENTED', 'passing'],
  [13, 'INTERNAL', 'away'],
  [14, 'UNAVAILABLE', 'away'],
  [15, 'DATA_LOSS', 'away'],
  [16, 'UNAUTHENTICATED', 'passing'],
];

describe('errors of the log server', () => {
  for (const [type, fault] of Object.entries(BY_TYPE)) {
    it(`takes ${type} for ${fault}`, () =>
      expect(classifyLogError(Object.assign(new Error(type), { type }))).to.equal(fault));
  }
  it('has a place in the table for every class that the driver exports', () => {
    const classes = Object.values(driver).filter(
      (value) => typeof value === 'function' && (value as { prototype?: unknown }).prototype instanceof Error,
    );
    const kinds = Object.values(driver.ErrorType);
    expect(Object.keys(BY_TYPE)).to.include.members(kinds);
    // Each class names one of the kinds above: as many classes as kinds, whatever they are called.
    expect(classes).to.have.length(kinds.length);
  });
  it('takes an append that the server itself gave up for passing: it is there', () => {
    expect(classifyLogError(new driver.DeadlineExceededError())).to.equal('passing');
  });
  it('finds the actual revision in a conflict', () => {
    const conflict = (current: bigint | 'no_stream') =>
      new driver.WrongExpectedVersionError(undefined, { streamName: 's', current, expected: 7n });
    expect(findConflict(conflict(4n))).to.deep.equal({ actual: 4n });
    expect(findConflict(conflict('no_stream'))).to.deep.equal({ actual: undefined });
    expect(findConflict(new driver.UnavailableError())).to.equal(null);
  });
  it('recognises a missing stream', () => {
    expect(isStreamNotFound(new driver.StreamNotFoundError(undefined, 's'))).to.equal(true);
    expect(isStreamNotFound(new driver.NotFoundError())).to.equal(false);
  });
  for (const [code, name, fault] of BY_CODE) {
    it(`takes a bare ${name} of gRPC for ${fault}`, () =>
      expect(classifyLogError(Object.assign(new Error(`${code} ${name}`), { code, details: name }))).to.equal(fault));
  }
  it('treats failures below gRPC as an unavailable server', () => {
    expect(classifyLogError(new Error('Failed to discover after 10 attempts.'))).to.equal('away');
    expect(classifyLogError(new Error('Cannot call startCall on a closed channel'))).to.equal('away');
    expect(classifyLogError(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))).to.equal('away');
    expect(classifyLogError(new TypeError('promiseBank.get(...) is not iterable'))).to.equal('away');
    expect(classifyLogError(undefined)).to.equal('away');
  });
  it('takes a message that is larger than the server allows for our fault', () => {
    const tooLarge = Object.assign(new Error('8 RESOURCE_EXHAUSTED: Sent message larger than max (9 vs. 4)'), {
      code: 8,
    });
    expect(classifyLogError(tooLarge)).to.equal('ours');
  });
});

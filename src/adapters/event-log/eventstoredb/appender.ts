// Appends to EventStoreDB. The server checks the expected revision; an append is repeated after a lost connection, and a conflict is
// resolved from the stored events, so that a repeat is no conflict.
import { validate as isUuid } from 'uuid';
import { logPosition, type Revision, type StreamName } from '../../../domain/envelope.js';
import { Unavailable, WrongRevision } from '../../../domain/errors.js';
import type { Runtime } from '../../runtime.js';
import type { Codec, UnplacedEvent } from '../codec.js';
import { START, type AppendReceipt, type EventLog, type ExpectedRevision } from '../port.js';
import type { AppendResult, ClientEvent, ExpectedState } from './client.js';
import { findConflict, type Connection } from './connection.js';
import type { Erasures } from './erasures.js';
import { placeOf, readStream } from './reader.js';

type AppenderOptions = {
  readonly connection: Connection;
  /** Prefix of every stream's name. */
  readonly namespace: string;
  readonly codec: Codec;
  readonly runtime: Pick<Runtime, 'sleep'>;
  readonly erasures: Pick<Erasures, 'markStale' | 'read'>;
  /** Returns revision and position of the newest event of a stream that is not erased. */
  readonly last: (stream: StreamName) => Promise<AppendReceipt | undefined>;
};

/** An append with an unknown outcome is repeated unchanged, once, if the server responds again within this time. */
const RECOVERY_WAIT_MS = 500;
const [MAX_READ_TRIES, READ_RETRY_MS] = [100, 10];

export function createAppender(o: AppenderOptions): EventLog['append'] {
  const { connection, namespace, codec, runtime, erasures, last } = o;

  /**
   * Resolves a conflict from the stored events, by the rule of `checkCommit`: the server also refuses a repeat that arrives before it has
   * indexed the first append, or after an erase.
   */
  const onConflict = async (
    stream: StreamName,
    expected: ExpectedRevision,
    sent: readonly ClientEvent[],
    actual: unknown,
  ) => {
    erasures.markStale();
    const base = (await erasures.read()).get(stream) ?? -1;
    const before = expected === 'none' ? base : Number(expected);
    const options = { fromRevision: BigInt(before + 1), maxCount: sent.length };
    const find = () => readStream(connection, `${namespace}${stream}`, options);
    let stored = await find();
    // For a concurrent repeat, the server reports an accepted revision before it can be read.
    const accepted = typeof actual === 'bigint' && before >= base ? Math.min(sent.length, Number(actual) - before) : 0;
    for (let tries = 0; stored.length < accepted && tries < MAX_READ_TRIES; tries++) {
      await runtime.sleep(READ_RETRY_MS);
      stored = await find();
    }
    const lastStored = stored.at(-1);
    const isRepeat = stored.length === sent.length && stored.every(({ id }, i) => id === sent[i]?.id);
    if (lastStored && isRepeat && before >= base)
      return { revision: Number(lastStored.revision), position: placeOf(lastStored) };
    const isEmpty = typeof actual !== 'bigint' || Number(actual) === base;
    throw new WrongRevision(stream, expected, isEmpty ? 'none' : Number(actual));
  };

  /** Waits until a new append is readable: the server re-opens an erased stream by a second write of its own. */
  const waitUntilReadable = async (stream: StreamName, revision: Revision): Promise<void> => {
    for (let tries = 0; tries < MAX_READ_TRIES; tries++) {
      if (((await last(stream))?.revision ?? -1) >= revision) return;
      await runtime.sleep(READ_RETRY_MS);
    }
  };

  const lastOf = async (stream: StreamName): Promise<AppendReceipt> => {
    const newest = await last(stream);
    return newest ?? { revision: (await erasures.read()).get(stream) ?? -1, position: START };
  };

  /** Returns the position of an append. The server reports it for a first append; for a repeat it is read. */
  const appendedAt = async (
    stream: StreamName,
    { nextExpectedRevision, position }: AppendResult,
  ): Promise<AppendReceipt> => {
    const revision = Number(nextExpectedRevision);
    if (position && position.commit > 0n) return { revision, position: logPosition(position.commit) };
    const options = { fromRevision: nextExpectedRevision, maxCount: 1 };
    const [event] = await readStream(connection, `${namespace}${stream}`, options);
    return { revision, position: event ? placeOf(event) : START };
  };

  return async (stream, expected, events) => {
    if (events.length === 0) return lastOf(stream);
    const sent = (await codec.encodeObjects(stream, events)).map(eventDataOf);
    const send = async (): Promise<AppendReceipt> => {
      try {
        const result = await connection.append(`${namespace}${stream}`, sent, stateOf(expected));
        return await appendedAt(stream, result);
      } catch (err) {
        const conflict = findConflict(err);
        if (!conflict) throw err;
        return onConflict(stream, expected, sent, conflict.actual);
      }
    };
    const appended = await repeatAfterRecovery(connection, expected, send);
    // The revision continues after erased events.
    const { revision } = appended;
    if (expected === 'none' && revision >= events.length) await waitUntilReadable(stream, revision);
    return appended;
  };
}

/** Repeats work after a lost connection. With `any` a repeat could store the events twice, so it is left to the caller. */
async function repeatAfterRecovery<T>(
  connection: Connection,
  expected: ExpectedRevision,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof Unavailable) || expected === 'any' || !(await connection.waitUntilUp(RECOVERY_WAIT_MS)))
      throw err;
    return work();
  }
}

const utf8 = new TextEncoder();

/**
 * Converts an event. Invalid input would make the driver hang outside the promise of the call. The driver parses its own JSON again
 * character by character, through base64, but sends metadata bytes unchanged.
 */
function eventDataOf({ id, type, v, data, meta }: UnplacedEvent): ClientEvent {
  if (!isUuid(id)) throw new Error(`event id ${id} is not a UUID`);
  const metadata = utf8.encode(JSON.stringify({ v, meta }));
  return { id, type, contentType: 'application/json', data: data, metadata };
}

function stateOf(expected: ExpectedRevision): ExpectedState {
  if (expected === 'any') return 'any';
  return expected === 'none' || expected < 0 ? 'no_stream' : BigInt(expected);
}

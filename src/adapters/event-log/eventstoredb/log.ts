// Event log on EventStoreDB, or KurrentDB, as it is called since 2025. The server checks the expected revision of an append; the rest is
// names, positions and limits.
import { v5 as uuidV5, validate as isUuid } from 'uuid';
import { logPosition, type Revision, type StreamName } from '../../../domain/envelope.js';
import type { Runtime } from '../../runtime.js';
import type { Codec, UnplacedEvent } from '../codec.js';
import { createLogClient, type AppendResult, type ClientEvent, type ExpectedState } from './client.js';
import { openConnection, type Connection, findConflict } from './connection.js';
import { logServerName } from '../../configuration/servers.js';
import { createErasures } from './erasures.js';
import { notifyRegularly, notifyOnGrowth } from './append-notifier.js';
import { createReader, placeOf, readStream } from './reader.js';
import type { OpenLog } from '../embedded/log.js';
import { followLog, createWakeup } from '../follow.js';
import { START, type AppendReceipt, type ExpectedRevision } from '../port.js';
import { Unavailable, WrongRevision } from '../../../domain/errors.js';

export type EventStoreOptions = {
  readonly url: string;
  readonly codec: Codec;
  readonly runtime: Pick<Runtime, 'sleep' | 'randomBytes'>;
  /** Prefix of every stream's name, so that logs may share a server. */
  readonly namespace?: string | undefined;
};

/** An append with an unknown outcome is repeated unchanged, once, if the server responds again within this time. */
const RECOVERY_WAIT_MS = 500;
const [MAX_READ_TRIES, READ_RETRY_MS] = [100, 10];
const LOG_ID_NAMESPACE = '7b1f6d54-2f0a-4d39-8a0e-8f5a3a1d2c11';

/** Opens the log. Throws {@link Unavailable} when the server does not respond, `WrongConfiguration` for an invalid URL. */
export async function openEventStoreLog({ url, codec, runtime, namespace = '' }: EventStoreOptions): Promise<OpenLog> {
  const connection = openConnection(await createLogClient(url), runtime, logServerName(url));
  const closing = new AbortController();
  const wakeup = createWakeup();
  const erasuresStream = `${namespace}erasures`;
  try {
    const { identity, origin } = await openLogIdentity(connection, `${namespace}log`, runtime);
    const erasures = createErasures(connection, erasuresStream);
    const names = { namespace, origin };
    const reader = createReader({ connection, names, codec, erased: erasures.read, growth: wakeup.count });
    const notify = (prefixes: readonly string[], onGrowth: () => void) =>
      notifyOnGrowth(connection, runtime, closing.signal, { prefixes, onGrowth });
    const notifiers = [notify([erasuresStream], erasures.markStale)];
    /** The server sends each event to each subscription, so this one is opened only for followers. */
    const watchGrowth = () => {
      if (notifiers.length > 1) return;
      notifiers.push(notify(reader.prefixes, wakeup.wake), notifyRegularly(wakeup, runtime, closing.signal));
    };

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
      const accepted =
        typeof actual === 'bigint' && before >= base ? Math.min(sent.length, Number(actual) - before) : 0;
      for (let tries = 0; stored.length < accepted && tries < MAX_READ_TRIES; tries++) {
        await runtime.sleep(READ_RETRY_MS);
        stored = await find();
      }
      const last = stored.at(-1);
      const isRepeat = stored.length === sent.length && stored.every(({ id }, i) => id === sent[i]?.id);
      if (last && isRepeat && before >= base) return { revision: Number(last.revision), position: placeOf(last) };
      const isEmpty = typeof actual !== 'bigint' || Number(actual) === base;
      throw new WrongRevision(stream, expected, isEmpty ? 'none' : Number(actual));
    };

    return {
      identity: async () => identity,
      local: null,
      head: reader.head,
      read: reader.read,
      async append(stream, expected, events) {
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
        wakeup.wake();
        return appended;
      },
      follow: ({ after, families, max, signal }) =>
        followLog({
          after: after === 'start' ? START : after,
          signal,
          isClosed: () => closing.signal.aborted,
          readBatch: reader.batches(families, max),
          growth: wakeup.count,
          wait: (lastGrowth, until) => {
            watchGrowth();
            return wakeup.wait(lastGrowth, until);
          },
        }),
      async erase(stream) {
        const newest = await reader.last(stream);
        if (!newest) return;
        await erasures.add(stream, newest.revision);
        const options = { expectedRevision: BigInt(newest.revision) };
        await connection
          .call((client) => client.deleteStream(`${namespace}${stream}`, options))
          .catch((err: unknown) => {
            if (!findConflict(err)) throw err;
            throw new Unavailable('the stream grew while it was erased; retry', 1);
          });
      },
      async close() {
        closing.abort();
        wakeup.wake();
        await connection.close();
        await Promise.all(notifiers);
      },
    };

    /** Waits until a new append is readable: the server re-opens an erased stream by a second write of its own. */
    async function waitUntilReadable(stream: StreamName, revision: Revision): Promise<void> {
      for (let tries = 0; tries < MAX_READ_TRIES; tries++) {
        if (((await reader.last(stream))?.revision ?? -1) >= revision) return;
        await runtime.sleep(READ_RETRY_MS);
      }
    }

    async function lastOf(stream: StreamName): Promise<AppendReceipt> {
      const newest = await reader.last(stream);
      return newest ?? { revision: (await erasures.read()).get(stream) ?? -1, position: START };
    }

    /** Returns the position of an append. The server reports it for a first append; for a repeat it is read. */
    async function appendedAt(
      stream: StreamName,
      { nextExpectedRevision, position }: AppendResult,
    ): Promise<AppendReceipt> {
      const revision = Number(nextExpectedRevision);
      if (position && position.commit > 0n) return { revision, position: logPosition(position.commit) };
      const options = { fromRevision: nextExpectedRevision, maxCount: 1 };
      const [event] = await readStream(connection, `${namespace}${stream}`, options);
      return { revision, position: event ? placeOf(event) : START };
    }
  } catch (err) {
    closing.abort();
    await connection.close();
    throw err;
  }
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

/** Returns the identity of the log: the first event of the log's own stream, before all other events. Created by the first process. */
async function openLogIdentity(connection: Connection, stream: string, runtime: Pick<Runtime, 'randomBytes'>) {
  const find = () => readStream(connection, stream, { fromRevision: 0n, maxCount: 1 });
  let [created] = await find();
  if (!created) {
    const id = uuidV5(runtime.randomBytes(16).toString('hex'), LOG_ID_NAMESPACE);
    const event: ClientEvent = {
      id,
      type: 'LogCreated',
      contentType: 'application/json',
      data: { id },
      metadata: undefined,
    };
    await connection.append(stream, [event], 'no_stream').catch((err: unknown) => {
      if (!findConflict(err)) throw err;
    });
    [created] = await find();
  }
  if (!created) throw new Unavailable('the log server does not return an event that was written to it');
  return { identity: created.id, origin: created.position.commit };
}

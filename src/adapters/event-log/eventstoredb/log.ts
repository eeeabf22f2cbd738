// Event log on EventStoreDB, or KurrentDB, as it is called since 2025: its identity, the parts that read and append, what followers wait
// for, and erasing.
import { v5 as uuidV5 } from 'uuid';
import type { Runtime } from '../../runtime.js';
import type { Codec } from '../codec.js';
import { createAppender } from './appender.js';
import { createLogClient, type ClientEvent } from './client.js';
import { openConnection, type Connection, findConflict } from './connection.js';
import { logServerName } from '../../configuration/servers.js';
import { createErasures } from './erasures.js';
import { notifyRegularly, notifyOnGrowth } from './append-notifier.js';
import { createReader, readStream } from './reader.js';
import type { OpenLog } from '../embedded/log.js';
import { followLog, createWakeup } from '../follow.js';
import { START } from '../port.js';
import { Unavailable } from '../../../domain/errors.js';

export type EventStoreOptions = {
  readonly url: string;
  readonly codec: Codec;
  readonly runtime: Pick<Runtime, 'sleep' | 'randomBytes'>;
  /** Prefix of every stream's name, so that logs may share a server. */
  readonly namespace?: string | undefined;
};

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
    const append = createAppender({ connection, namespace, codec, runtime, erasures, last: reader.last });
    const notify = (prefixes: readonly string[], onGrowth: () => void) =>
      notifyOnGrowth(connection, runtime, closing.signal, { prefixes, onGrowth });
    const notifiers = [notify([erasuresStream], erasures.markStale)];
    /** The server sends each event to each subscription, so this one is opened only for followers. */
    const watchGrowth = () => {
      if (notifiers.length > 1) return;
      notifiers.push(notify(reader.prefixes, wakeup.wake), notifyRegularly(wakeup, runtime, closing.signal));
    };

    return {
      identity: async () => identity,
      local: null,
      head: reader.head,
      read: reader.read,
      append: async (stream, expected, events) => {
        const appended = await append(stream, expected, events);
        if (events.length > 0) wakeup.wake();
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
  } catch (err) {
    closing.abort();
    await connection.close();
    throw err;
  }
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

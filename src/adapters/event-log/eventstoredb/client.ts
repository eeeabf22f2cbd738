// The functions of a log server's driver that this adapter uses. EventStoreDB's driver and its successor, KurrentDB's, both have them: they
// speak the same protocol, so the adapter is written once, against these types, and loads only the driver that the URL names.
import { createFromUrl, logServerName } from '../../configuration/servers.js';

/** Event to append; `metadata` is sent unchanged. */
export type ClientEvent = {
  readonly id: string;
  readonly type: string;
  readonly contentType: 'application/json';
  readonly data: Record<string, unknown>;
  readonly metadata: Uint8Array | undefined;
};

/** Event as returned by the server. */
export type ServerEvent = {
  readonly streamId: string;
  readonly id: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly position: { readonly commit: bigint };
};

/** Expected state of a stream: its revision, or one of the drivers' constants. */
export type ExpectedState = bigint | 'any' | 'no_stream';

/** Result of an append: revision and, unless it was a repeat, position of its last event. */
export type AppendResult = { readonly nextExpectedRevision: bigint; readonly position?: { readonly commit: bigint } };

/** One driver takes the expected state under the first name, the other under the second; each ignores the other's. */
type AppendOptions = { readonly expectedRevision: ExpectedState; readonly streamState: ExpectedState };

type ReadOptions = { readonly maxCount: number; readonly direction?: 'backwards' };
export type ReadStreamOptions = ReadOptions & { readonly fromRevision: bigint | 'end' };
export type ReadAllOptions = ReadOptions & {
  readonly fromPosition: { readonly commit: bigint; readonly prepare: bigint } | 'start' | 'end';
};

/** Read in progress. One driver returns a stream of Node, which is cancelled; the other an iterator, which is returned. */
export type ServerRead = AsyncIterable<{ readonly event?: object }> & {
  on?(name: 'error', listener: () => void): unknown;
  cancel?(): Promise<unknown>;
  return?(): Promise<unknown>;
};

export type Subscription = {
  on(name: 'confirmation' | 'data' | 'error' | 'end' | 'close', listener: () => void): unknown;
  unsubscribe(): Promise<void>;
};

export type StreamFilter = {
  readonly filterOn: 'streamName';
  readonly prefixes: string[];
  readonly checkpointInterval: number;
};

/** Client of a server. Its errors are classified by their `type` (`errors.ts`), since each driver has classes of its own. */
export type LogClient = {
  appendToStream(stream: string, events: ClientEvent[], options: AppendOptions): Promise<AppendResult>;
  deleteStream(stream: string, options: { readonly expectedRevision: bigint }): Promise<unknown>;
  readStream(stream: string, options: ReadStreamOptions): ServerRead;
  readAll(options: ReadAllOptions): ServerRead;
  subscribeToAll(options: { readonly fromPosition: 'end'; readonly filter: StreamFilter }): Subscription;
  dispose(): Promise<void>;
};

/** Creates a client, which connects on first use. Throws `WrongConfiguration` for an invalid URL. */
export async function createLogClient(url: string): Promise<LogClient> {
  if (logServerName(url) === 'KurrentDB') {
    const { KurrentDBClient } = await import('@kurrent/kurrentdb-client');
    return createFromUrl('EVENTSTORE_URL', () => KurrentDBClient.connectionString(url));
  }
  const { EventStoreDBClient } = await import('@eventstore/db-client');
  return createFromUrl('EVENTSTORE_URL', () => EventStoreDBClient.connectionString(url));
}

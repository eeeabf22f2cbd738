// The functions of the log server's driver that this adapter uses. EventStoreDB's driver also speaks to KurrentDB, as the server is called
// since 2025: the protocol is the same.
import { createFromUrl } from '../../configuration/servers.js';

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

/** Expected state of a stream: its revision, or one of the driver's constants. */
export type ExpectedState = bigint | 'any' | 'no_stream';

/** Result of an append: revision and, unless it was a repeat, position of its last event. */
export type AppendResult = { readonly nextExpectedRevision: bigint; readonly position?: { readonly commit: bigint } };

type AppendOptions = { readonly expectedRevision: ExpectedState };

type ReadOptions = { readonly maxCount: number; readonly direction?: 'backwards' };
export type ReadStreamOptions = ReadOptions & { readonly fromRevision: bigint | 'end' };
export type ReadAllOptions = ReadOptions & {
  readonly fromPosition: { readonly commit: bigint; readonly prepare: bigint } | 'start' | 'end';
};

/** Read in progress. */
export type ServerRead = AsyncIterable<{ readonly event?: object }> & {
  on(name: 'error', listener: () => void): unknown;
  cancel(): Promise<unknown>;
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

/** Client of a server. */
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
  const { EventStoreDBClient } = await import('@eventstore/db-client');
  // The driver knows the scheme of KurrentDB under its former name only.
  return createFromUrl('EVENTSTORE_URL', () =>
    EventStoreDBClient.connectionString(url.replace(/^kurrentdb(?=(\+discover)?:)/, 'esdb')),
  );
}

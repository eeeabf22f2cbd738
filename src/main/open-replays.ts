// Named copies of the charts: read, and made beside the service, where the log is in files.
import type { Logger } from 'pino';
import { codeFingerprint } from '../adapters/code-fingerprint.js';
import type { Config } from '../adapters/config.js';
import { createReplayMaking } from '../adapters/documents/replay-making.js';
import { createReplays, type Replays } from '../adapters/documents/replays.js';
import type { Runtime } from '../adapters/runtime.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import { createNamedCopies, type NamedCopies } from '../projections/build/named-copies.js';

export type OpenReplays = {
  readonly ofServices: { readonly replays: Replays | null; readonly namedCopies: NamedCopies | null };
  /** Those of a project that is gone. */
  removeAllOf(projectId: string): Promise<void>;
  /** Goes on with the copies that were asked for before. */
  start(): void;
  close(): Promise<void>;
};

export function openReplays(
  { EVENTSTORE_URL, DATA_DIR }: Config,
  { log, hash }: Pick<StoreDeps, 'log' | 'hash'>,
  runtime: Runtime,
  logger: Logger,
): OpenReplays {
  if (EVENTSTORE_URL !== undefined) {
    const ofServices = { replays: null, namedCopies: null };
    return { ofServices, removeAllOf: () => Promise.resolve(), start: () => undefined, close: () => Promise.resolve() };
  }
  const replays = createReplays(DATA_DIR);
  const making = createReplayMaking(DATA_DIR);
  let ofCode: string | undefined;
  const fingerprint = () => (ofCode ??= codeFingerprint());
  const onFailure = (name: string | null, err: unknown) =>
    logger.error({ replay: name, stack: err instanceof Error ? err.stack : String(err) }, 'replay failed');
  const namedCopies = createNamedCopies({ log, hash, runtime, replays, making, fingerprint, onFailure });
  return {
    ofServices: { replays, namedCopies },
    removeAllOf: namedCopies.removeAllOf,
    start: namedCopies.start,
    close: async () => {
      await namedCopies.stop();
      await replays.close();
    },
  };
}

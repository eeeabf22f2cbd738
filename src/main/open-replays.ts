// Named copies of the charts: where they are, and what makes them beside the service.
import type { Logger } from 'pino';
import { codeFingerprint } from '../adapters/code-fingerprint.js';
import type { Config } from '../adapters/config.js';
import { replaysInDocuments, sharedReplayCollections } from '../adapters/replays/documents.js';
import { replaysInFiles } from '../adapters/replays/files.js';
import { replayMakingInDocuments } from '../adapters/replays/making-in-documents.js';
import { replayMakingInFiles } from '../adapters/replays/making-in-files.js';
import type { Replays } from '../adapters/replays/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import { createNamedCopies, type NamedCopies } from '../projections/build/named-copies.js';

export type OpenReplays = { readonly replays: Replays; readonly namedCopies: NamedCopies };

/** Several processes keep them in documents that all of them read. */
export async function openReplays(
  { DATA_DIR }: Pick<Config, 'DATA_DIR'>,
  isShared: boolean,
  { log, docs, hash }: Pick<StoreDeps, 'log' | 'docs' | 'hash'>,
  runtime: Runtime,
  logger: Logger,
): Promise<OpenReplays> {
  const shared = { docs, runtime, dataDir: DATA_DIR };
  if (isShared) await docs.ensure(sharedReplayCollections);
  const replays = isShared ? replaysInDocuments(shared) : replaysInFiles(DATA_DIR);
  const making = isShared ? replayMakingInDocuments(shared) : replayMakingInFiles(DATA_DIR);
  let ofCode: string | undefined;
  const fingerprint = () => (ofCode ??= codeFingerprint());
  const onFailure = (name: string | null, err: unknown) =>
    logger.error({ replay: name, stack: err instanceof Error ? err.stack : String(err) }, 'replay failed');
  const deps = { log, hash, runtime, replays, making, fingerprint, isShared, onFailure };
  return { replays, namedCopies: createNamedCopies(deps) };
}

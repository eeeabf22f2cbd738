// Opens what the configuration names: the log in a file or on EventStoreDB, the documents in a file or on MongoDB. Whatever is kept in
// files belongs to one process; only both servers together may be shared by several.
import { existsSync } from 'node:fs';
import { vocabulary } from '../../domain/vocabulary.js';
import type { Config } from '../configuration/config.js';
import {
  openEmbeddedDocuments,
  openEmbeddedDocumentsForReading,
  type WrittenDocuments,
} from '../documents/embedded/store.js';
import type { DocStore } from '../documents/port.js';
import { createCodec, type Codec } from '../event-log/codec.js';
import { openEmbeddedLog, openEmbeddedLogReader, type OpenLog } from '../event-log/embedded/log.js';
import type { EventLog } from '../event-log/port.js';
import type { DataKeys, KeyEraser } from '../event-log/sealing.js';
import { dataDirectoryFault, dataFiles, keepPrivate, roomAt } from '../configuration/data-directory.js';
import { rewrapDataKeys, type Rewrapped } from '../keys/rewrap.js';
import type { Runtime } from '../runtime.js';
import { lockDirectory } from '../sqlite/lock.js';
import { createDataKeys, dataKeyCollection, type MasterKeys } from '../keys/vault.js';
import { expectLogOf, expectSomeFiles, lookForFiles } from './data-completeness.js';

export type Engine = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly dataKeys: DataKeys & KeyEraser;
  /** Wraps all data keys under the first key of the ring. */
  readonly rewrapKeys: () => Promise<Rewrapped>;
  /** Other processes may be working on the same log and documents. */
  readonly isShared: boolean;
  /** For other threads of this process: what they read, and what they write through; null where it is on a server. */
  readonly files: EngineFiles | null;
  readonly target: DocumentsTarget | null;
  /** Bytes free in the data directory; null when nothing is kept there, or when it is gone. */
  diskFree(): Promise<number | null>;
  close(): Promise<void>;
};

/** Where log and documents are, and the keys of what is sealed there. */
export type EngineFiles = { readonly log: string; readonly documents: string; readonly masters: MasterKeys };

/** Documents in a file, which another thread reads and has written by this one. */
export type DocumentsTarget = Pick<WrittenDocuments, 'file' | 'apply'>;

export type EngineConfig = Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL' | 'EVENTSTORE_NAMESPACE' | 'MONGODB_URL'>;

/** Another one than the usual for who moves events without opening them. */
export type CodecFor = (keys: DataKeys, runtime: Runtime) => Codec;

type Closable = { close(): Promise<void> };

/**
 * Throws `DirectoryInUse` when another process owns the directory, `IncompleteData` or `DamagedFile` when files of it are missing or
 * broken, `WrongConfiguration` for a URL that no driver can read, `Unavailable` when a server cannot be reached. `masters` is called
 * once the directory is ours, with whether it was in use before.
 */
export async function openEngine(
  config: EngineConfig,
  masters: (isUsed: boolean) => MasterKeys,
  runtime: Runtime,
  codecFor: CodecFor = codecOf,
): Promise<Engine> {
  const isShared = hasServers(config);
  const files = dataFiles(config.DATA_DIR);
  const unlock = isShared ? () => undefined : lockDirectory(config.DATA_DIR);
  const opened: Closable[] = [];
  const close = async () => {
    for (const part of opened.reverse()) await part.close();
    unlock();
  };
  try {
    if (existsSync(config.DATA_DIR)) keepPrivate(config.DATA_DIR);
    const found = lookForFiles(config);
    await checkEventStoreUrl(config.EVENTSTORE_URL);
    const docs = await (config.MONGODB_URL === undefined
      ? openEmbeddedDocuments({ file: files.documents })
      : openMongo(config.MONGODB_URL, runtime));
    opened.push(docs);
    await docs.ensure([dataKeyCollection]);
    const ring = masters(await expectLogOf(docs, found, config.DATA_DIR));
    const dataKeys = createDataKeys(docs, ring, runtime, { isAlone: !isShared });
    const codec = codecFor(dataKeys, runtime);
    const log = await (config.EVENTSTORE_URL === undefined
      ? openEmbeddedLog({ file: files.log, codec })
      : openEventStore(config.EVENTSTORE_URL, config, codec, runtime));
    opened.push(log);
    return {
      log,
      docs,
      dataKeys,
      rewrapKeys: () => rewrapDataKeys(docs, ring, runtime),
      isShared,
      files: filesOf(config, ring),
      target: 'apply' in docs ? docs : null,
      diskFree: diskFreeOf(config),
      close,
    };
  } catch (err) {
    await close();
    throw dataDirectoryFault(config.DATA_DIR, err);
  }
}

/** For commands beside a running service: reads only what is in files. Throws when there is nothing to read yet, or not all of it. */
export async function openEngineForReading(
  config: EngineConfig,
  masters: MasterKeys,
  runtime: Runtime,
  codecFor: CodecFor = codecOf,
): Promise<Engine> {
  const files = dataFiles(config.DATA_DIR);
  expectSomeFiles(config);
  const docs =
    config.MONGODB_URL === undefined
      ? openEmbeddedDocumentsForReading({ file: files.documents })
      : await openMongo(config.MONGODB_URL, runtime);
  const dataKeys = createDataKeys(docs, masters, runtime);
  const codec = codecFor(dataKeys, runtime);
  const log: OpenLog =
    config.EVENTSTORE_URL === undefined
      ? openEmbeddedLogReader({ file: files.log, codec, sleep: (ms, signal) => runtime.sleep(ms, signal) })
      : await openEventStore(config.EVENTSTORE_URL, config, codec, runtime);
  const close = async () => {
    await log.close();
    await docs.close();
  };
  const rewrapKeys = () => rewrapDataKeys(docs, masters, runtime);
  const [isShared, diskFree] = [hasServers(config), diskFreeOf(config)];
  return { log, docs, dataKeys, rewrapKeys, isShared, files: filesOf(config, masters), target: null, diskFree, close };
}

/** In another thread: the log, and the keys of what is sealed in it. */
export async function openEngineFiles(
  files: EngineFiles,
  runtime: Runtime,
): Promise<Pick<Engine, 'log' | 'dataKeys' | 'close'>> {
  const docs = openEmbeddedDocumentsForReading({ file: files.documents });
  await docs.ensure([dataKeyCollection]);
  const dataKeys = createDataKeys(docs, files.masters, runtime);
  const codec = codecOf(dataKeys, runtime);
  const log = openEmbeddedLogReader({ file: files.log, codec, sleep: (ms, signal) => runtime.sleep(ms, signal) });
  const close = async () => {
    await log.close();
    await docs.close();
  };
  return { log, dataKeys, close };
}

/** The servers' drivers take a quarter of a second to load, which an installation in files never needs. */
async function openMongo(url: string, runtime: Runtime) {
  const { openMongoDocuments } = await import('../documents/mongodb/store.js');
  return openMongoDocuments({ url, runtime });
}

/** Before the documents are opened: a URL that cannot be read is reported also while MongoDB is away. Throws `WrongConfiguration`. */
async function checkEventStoreUrl(url: string | undefined): Promise<void> {
  if (url !== undefined) (await import('../event-log/eventstoredb/connection.js')).clientOf(url);
}

async function openEventStore(url: string, config: EngineConfig, codec: Codec, runtime: Runtime) {
  const { openEventStoreLog } = await import('../event-log/eventstoredb/log.js');
  return openEventStoreLog({ url, namespace: config.EVENTSTORE_NAMESPACE, codec, runtime });
}

/** Several processes may run on them. */
export function hasServers(config: EngineConfig): boolean {
  return config.EVENTSTORE_URL !== undefined && config.MONGODB_URL !== undefined;
}

function filesOf(config: EngineConfig, masters: MasterKeys): EngineFiles | null {
  if (config.EVENTSTORE_URL !== undefined || config.MONGODB_URL !== undefined) return null;
  return { ...dataFiles(config.DATA_DIR), masters };
}

function diskFreeOf(config: EngineConfig): () => Promise<number | null> {
  return async () => (hasServers(config) ? null : ((await roomAt(config.DATA_DIR))?.free ?? null));
}

function codecOf(keys: DataKeys, runtime: Runtime): Codec {
  return createCodec(vocabulary, { keys, randomBytes: (size) => runtime.randomBytes(size) });
}

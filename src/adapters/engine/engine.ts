// Opens the configured storage: the log in a file or on EventStoreDB, the documents in a file or on MongoDB. Data in files belongs to one
// process; an installation may have several processes only with both servers.
import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { vocabulary } from '../../domain/vocabulary.js';
import type { Config } from '../configuration/config.js';
import {
  openEmbeddedDocuments,
  openEmbeddedDocumentsForReading,
  type WritableDocuments,
} from '../documents/embedded/store.js';
import type { DocStore } from '../documents/port.js';
import { createCodec, type Codec } from '../event-log/codec.js';
import { openEmbeddedLog, openEmbeddedLogReader, type OpenLog } from '../event-log/embedded/log.js';
import type { EventLog } from '../event-log/port.js';
import type { DataKeys, KeyEraser } from '../event-log/sealing.js';
import { dataDirectoryFault, dataFiles, restrictAccess, diskSpaceAt } from '../configuration/data-directory.js';
import { rewrapDataKeys, type RewrapResult } from '../keys/rewrap.js';
import { countInMemory } from '../rate-counters/memory.js';
import { openMongoCounters, type MongoConnection } from '../rate-counters/mongodb.js';
import type { OpenCounter } from '../rate-counters/port.js';
import type { Runtime } from '../runtime.js';
import { lockDirectory } from '../sqlite/lock.js';
import { createDataKeys, dataKeyCollection, type MasterKeys } from '../keys/vault.js';
import { checkLogExists, checkHasData, checkFiles } from './data-completeness.js';

export type Engine = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly dataKeys: DataKeys & KeyEraser;
  /** Wraps all data keys with the first key of the ring. */
  readonly rewrapKeys: () => Promise<RewrapResult>;
  /** True when other processes may use the same log and documents. */
  readonly isShared: boolean;
  /** Opens the counters of rate limits: in MongoDB if other processes may use the installation, otherwise in memory. Throws `Unavailable`. */
  openCounters(): Promise<OpenCounter>;
  /** Files that other threads of this process read, and the target that they write through; null for data on a server. */
  readonly files: EngineFiles | null;
  readonly target: DocumentsTarget | null;
  /** Returns the free bytes in the data directory; null when it stores no data or is missing. */
  diskFree(): Promise<number | null>;
  close(): Promise<void>;
};

/** Paths of log and documents, and the master keys of their encrypted data. */
export type EngineFiles = { readonly log: string; readonly documents: string; readonly masters: MasterKeys };

/** Documents in a file which this thread writes on behalf of another thread. */
export type DocumentsTarget = Pick<WritableDocuments, 'file' | 'apply'>;

export type EngineConfig = Pick<Config, 'DATA_DIR' | 'EVENTSTORE_URL' | 'EVENTSTORE_NAMESPACE' | 'MONGODB_URL'>;

/** Creates the codec; not the default one for code that moves events without decrypting them. */
export type CodecFactory = (keys: DataKeys, runtime: Runtime) => Codec;

/**
 * Opens the engine. Throws `DirectoryInUse` when another process owns the directory, `IncompleteData` or `DamagedFile` when its files are
 * missing or damaged, `WrongConfiguration` for a URL that the driver cannot parse, `Unavailable` when a server cannot be reached. `masters`
 * is called once this process owns the directory; its argument is whether the installation was used before.
 */
export async function openEngine(
  config: EngineConfig,
  masters: (isUsed: boolean) => MasterKeys,
  runtime: Runtime,
  codecFor: CodecFactory = createDefaultCodec,
): Promise<Engine> {
  const isShared = hasServers(config);
  const files = dataFiles(config.DATA_DIR);
  const unlock = isShared ? () => undefined : lockDirectory(config.DATA_DIR);
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of opened.reverse()) await part.close();
    unlock();
  };
  try {
    if (existsSync(config.DATA_DIR)) restrictAccess(config.DATA_DIR);
    const fileState = checkFiles(config);
    await checkEventStoreUrl(config.EVENTSTORE_URL);
    const docs = await (config.MONGODB_URL === undefined
      ? openEmbeddedDocuments({ file: files.documents })
      : openMongo(config.MONGODB_URL, runtime));
    opened.push(docs);
    await docs.ensure([dataKeyCollection]);
    const ring = masters(await checkLogExists(docs, fileState, config.DATA_DIR));
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
      openCounters: () => openCountersOn(isShared && 'connection' in docs ? docs.connection : null, ring),
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

/** Opens the engine read-only, for commands next to a running service. Throws when there is no data yet, or when files are missing. */
export async function openEngineForReading(
  config: EngineConfig,
  masters: MasterKeys,
  runtime: Runtime,
  codecFor: CodecFactory = createDefaultCodec,
): Promise<Engine> {
  const files = dataFiles(config.DATA_DIR);
  checkHasData(config);
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
  return {
    log,
    docs,
    dataKeys,
    rewrapKeys,
    isShared,
    openCounters: () => openCountersOn(null, masters),
    files: filesOf(config, masters),
    target: null,
    diskFree,
    close,
  };
}

/** Opens the log and its data keys in another thread. */
export async function openEngineFiles(
  files: EngineFiles,
  runtime: Runtime,
): Promise<Pick<Engine, 'log' | 'dataKeys' | 'close'>> {
  const docs = openEmbeddedDocumentsForReading({ file: files.documents });
  await docs.ensure([dataKeyCollection]);
  const dataKeys = createDataKeys(docs, files.masters, runtime);
  const codec = createDefaultCodec(dataKeys, runtime);
  const log = openEmbeddedLogReader({ file: files.log, codec, sleep: (ms, signal) => runtime.sleep(ms, signal) });
  const close = async () => {
    await log.close();
    await docs.close();
  };
  return { log, dataKeys, close };
}

/** The driver takes a quarter of a second to load, so it is loaded only when configured. */
async function openMongo(url: string, runtime: Runtime) {
  const { openMongoDocuments } = await import('../documents/mongodb/store.js');
  return openMongoDocuments({ url, runtime });
}

/**
 * Checks the URL before the documents are opened: an invalid one is reported even while MongoDB is unavailable. Throws
 * `WrongConfiguration`.
 */
async function checkEventStoreUrl(url: string | undefined): Promise<void> {
  if (url !== undefined) await (await import('../event-log/eventstoredb/client.js')).createLogClient(url);
}

async function openEventStore(url: string, config: EngineConfig, codec: Codec, runtime: Runtime) {
  const { openEventStoreLog } = await import('../event-log/eventstoredb/log.js');
  return openEventStoreLog({ url, namespace: config.EVENTSTORE_NAMESPACE, codec, runtime });
}

/** Keys of counters are hashed with a key of their own, derived from the current master key. */
async function openCountersOn(connection: MongoConnection | null, [{ key }]: MasterKeys): Promise<OpenCounter> {
  if (!connection) return countInMemory;
  return openMongoCounters(connection, Buffer.from(hkdfSync('sha256', key, '', 'rate counters', 32)));
}

/** Returns whether several processes may share the installation. */
export function hasServers(config: EngineConfig): boolean {
  return config.EVENTSTORE_URL !== undefined && config.MONGODB_URL !== undefined;
}

function filesOf(config: EngineConfig, masters: MasterKeys): EngineFiles | null {
  if (config.EVENTSTORE_URL !== undefined || config.MONGODB_URL !== undefined) return null;
  return { ...dataFiles(config.DATA_DIR), masters };
}

function diskFreeOf(config: EngineConfig): () => Promise<number | null> {
  return async () => (hasServers(config) ? null : ((await diskSpaceAt(config.DATA_DIR))?.free ?? null));
}

function createDefaultCodec(keys: DataKeys, runtime: Runtime): Codec {
  return createCodec(vocabulary, { keys, randomBytes: (size) => runtime.randomBytes(size) });
}

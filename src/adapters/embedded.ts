// The engine that needs no server: log, documents and generated keys in one directory that one process owns.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vocabulary } from '../domain/vocabulary.js';
import { openEmbeddedDocuments, openEmbeddedDocumentsForReading } from './documents/embedded.js';
import type { DocStore } from './documents/port.js';
import { createCodec } from './event-log/codec.js';
import { openEmbeddedLog, openEmbeddedLogReader } from './event-log/embedded.js';
import type { EventLog } from './event-log/port.js';
import type { Runtime } from './runtime.js';
import { lockDirectory } from './sqlite/lock.js';
import type { DataKeys } from './event-log/sealing.js';
import { createDataKeys, dataKeyCollection, type MasterKeys } from './vault.js';

export type Engine = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly dataKeys: DataKeys;
  close(): Promise<void>;
};

const files = (directory: string) => ({
  log: join(directory, 'log.sqlite'),
  documents: join(directory, 'documents.sqlite'),
});

/** Throws `DirectoryInUse` when another process owns the directory; `masters` is asked for once it is ours. */
export async function openEmbedded(directory: string, masters: () => MasterKeys, runtime: Runtime): Promise<Engine> {
  const unlock = lockDirectory(directory);
  try {
    const { log: logFile, documents } = files(directory);
    const docs = await openEmbeddedDocuments({ file: documents });
    await docs.ensure([dataKeyCollection]);
    const dataKeys = createDataKeys(docs, masters(), runtime);
    const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: (size) => runtime.randomBytes(size) });
    const log = await openEmbeddedLog({ file: logFile, codec });
    const close = async () => {
      await log.close();
      await docs.close();
      unlock();
    };
    return { log, docs, dataKeys, close };
  } catch (err) {
    unlock();
    throw err;
  }
}

/** For commands beside a running server: reads only. Throws when there is nothing to read yet. */
export function openEmbeddedForReading(directory: string, masters: MasterKeys, runtime: Runtime): Engine {
  const { log: logFile, documents } = files(directory);
  if (!existsSync(logFile) || !existsSync(documents)) {
    throw new Error(`${directory} holds no data yet; start the service once, or set DATA_DIR`);
  }
  const docs = openEmbeddedDocumentsForReading({ file: documents });
  const dataKeys = createDataKeys(docs, masters, runtime);
  const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: (size) => runtime.randomBytes(size) });
  const log = openEmbeddedLogReader({ file: logFile, codec, sleep: (ms, signal) => runtime.sleep(ms, signal) });
  const close = async () => {
    await log.close();
    await docs.close();
  };
  return { log, docs, dataKeys, close };
}

/** A secret kept in the directory with mode 0600; `isNew` when this call made it. */
export function secretFile(directory: string, name: string, make: () => string): { value: string; isNew: boolean } {
  const file = join(directory, name);
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), isNew: false };
  const value = make();
  writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return { value, isNew: true };
}

// Opens the data of a running or stopped service for commands that only read.
import { existsSync } from 'node:fs';
import { readConfig, WrongConfiguration, type Config } from '../../adapters/config.js';
import { openEngineForReading, type Engine } from '../../adapters/engine.js';
import { storedNamingKey } from '../../adapters/naming.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { existingMasterKeys, masterKeyFile } from '../../adapters/keys/secrets.js';
import { dataKeyCollection, type MasterKeys } from '../../adapters/keys/vault.js';
import { keyedHash, type KeyedHash } from '../../domain/ids.js';
import { Failure } from './failure.js';

export type Reading = Pick<Engine, 'log' | 'docs' | 'files'> & { readonly hash: KeyedHash; close(): Promise<void> };

/** Throws `WrongConfiguration`, `CannotOpen`, and {@link Failure} when there is nothing to read yet. */
export async function openForReading(env: Readonly<Record<string, string | undefined>>): Promise<Reading> {
  const config = readConfig(env);
  const { DATA_DIR } = config;
  const isInFiles = config.EVENTSTORE_URL === undefined || config.MONGODB_URL === undefined;
  if (isInFiles && !existsSync(DATA_DIR)) {
    throw new Failure(`DATA_DIR ${DATA_DIR} does not exist; name the directory that the service runs on`);
  }
  const engine = await openEngineForReading(config, mastersOf(config), systemRuntime());
  const { log, docs, dataKeys, close } = engine;
  try {
    await docs.ensure([dataKeyCollection]);
    const key = await storedNamingKey(dataKeys);
    if (!key) {
      const place = isInFiles ? `DATA_DIR ${DATA_DIR} holds` : 'EVENTSTORE_NAMESPACE and MONGODB_URL name';
      throw new Failure(`${place} no data yet; start the service once`);
    }
    return { log, docs, files: engine.files, hash: keyedHash(key), close };
  } catch (err) {
    await close();
    throw err;
  }
}

export function mastersOf(config: Config): MasterKeys {
  const existing = existingMasterKeys(config);
  if (existing) return existing;
  throw new WrongConfiguration([`MASTER_KEY: is not set, and there is no ${masterKeyFile(config)}`]);
}

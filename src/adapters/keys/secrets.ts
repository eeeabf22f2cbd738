// The two secrets of an installation: from the configuration, else made once in the data directory.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../configuration/config.js';
import { secretFile } from '../configuration/data-directory.js';
import type { Runtime } from '../runtime.js';
import { WrongConfiguration } from '../configuration/wrong-configuration.js';
import type { MasterKeys } from './vault.js';

/** Where the master key is kept that no configuration gives. */
export function masterKeyFile({ DATA_DIR }: Config): string {
  return join(DATA_DIR, 'master.key');
}

/** The ring that opens and seals records, as far as there is one: null before the first start. */
export function existingMasterKeys(config: Config): MasterKeys | null {
  if (config.MASTER_KEY) return config.MASTER_KEY;
  const file = masterKeyFile(config);
  return existsSync(file) ? ringOf(readFileSync(file, 'utf8').trim()) : null;
}

/**
 * The ring, with a key made when there is none; the directory must be this process's own then. Throws {@link WrongConfiguration} when it
 * is in use: another key opens nothing of what is there.
 */
export function masterKeysOf(config: Config, isUsed: boolean, runtime: Runtime, logger: Logger): MasterKeys {
  const existing = existingMasterKeys(config);
  if (existing) return existing;
  if (isUsed) {
    const file = masterKeyFile(config);
    const cure = `restore that file, or set MASTER_KEY to what it held`;
    throw new WrongConfiguration([
      `MASTER_KEY: is not set, and ${file}, which the data was sealed with, is missing; ${cure}`,
    ]);
  }
  const made = secretFile(config.DATA_DIR, 'master.key', () => runtime.randomBytes(32).toString('base64'));
  logger.warn({ file: masterKeyFile(config) }, 'made a master key; back it up apart from the data');
  return ringOf(made.value);
}

function ringOf(base64: string): MasterKeys {
  return [{ id: 'k1', key: Buffer.from(base64, 'base64') }];
}

/** Signs access tokens; another one ends them all. */
export function jwtSecretOf(config: Config, runtime: Runtime, logger: Logger): string {
  if (config.JWT_SECRET !== undefined) return config.JWT_SECRET;
  const made = secretFile(config.DATA_DIR, 'jwt.secret', () => runtime.randomBytes(48).toString('base64'));
  if (made.isNew) logger.warn({ file: `${config.DATA_DIR}/jwt.secret` }, 'made a secret for access tokens');
  return made.value;
}

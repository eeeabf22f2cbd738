// Secrets of an installation: from the configuration, or created once in the data directory.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../configuration/config.js';
import { readOrCreateSecret } from '../configuration/data-directory.js';
import type { Runtime } from '../runtime.js';
import { WrongConfiguration } from '../configuration/wrong-configuration.js';
import type { MasterKeys } from './vault.js';

/** Returns the path of the master key file, used when the configuration has no key. */
export function masterKeyFile({ DATA_DIR }: Config): string {
  return join(DATA_DIR, 'master.key');
}

/** Returns the ring of master keys; null before the first start. */
export function readMasterKeys(config: Config): MasterKeys | null {
  if (config.MASTER_KEY) return config.MASTER_KEY;
  const file = masterKeyFile(config);
  return existsSync(file) ? ringFromBase64(readFileSync(file, 'utf8').trim()) : null;
}

/**
 * Returns the ring, with a new key when there is none; the directory must then belong to this process. Throws {@link WrongConfiguration}
 * when the installation is in use: a new key would decrypt nothing.
 */
export function openMasterKeys(config: Config, isUsed: boolean, runtime: Runtime, logger: Logger): MasterKeys {
  const existing = readMasterKeys(config);
  if (existing) return existing;
  if (isUsed) {
    const file = masterKeyFile(config);
    const remedy = `restore that file, or set MASTER_KEY to its content`;
    throw new WrongConfiguration([
      `MASTER_KEY: is not set, and ${file}, which the data was sealed with, is missing; ${remedy}`,
    ]);
  }
  const secret = readOrCreateSecret(config.DATA_DIR, 'master.key', () => runtime.randomBytes(32).toString('base64'));
  logger.warn({ file: masterKeyFile(config) }, 'created a master key; back it up separately from the data');
  return ringFromBase64(secret.value);
}

function ringFromBase64(base64: string): MasterKeys {
  return [{ id: 'k1', key: Buffer.from(base64, 'base64') }];
}

/** Returns the secret that signs access tokens; a new one revokes all of them. */
export function openJwtSecret(config: Config, runtime: Runtime, logger: Logger): string {
  if (config.JWT_SECRET !== undefined) return config.JWT_SECRET;
  const secret = readOrCreateSecret(config.DATA_DIR, 'jwt.secret', () => runtime.randomBytes(48).toString('base64'));
  if (secret.isNew) logger.warn({ file: `${config.DATA_DIR}/jwt.secret` }, 'created a secret for access tokens');
  return secret.value;
}

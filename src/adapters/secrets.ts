// The two secrets of an installation: from the configuration, else made once in the data directory.
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { secretFile } from './embedded.js';
import type { Runtime } from './runtime.js';
import type { MasterKeys } from './vault.js';

/** The ring that opens and seals records. The directory must be this process's own when a key may have to be made. */
export function masterKeysOf(config: Config, runtime: Runtime, logger: Logger): MasterKeys {
  if (config.MASTER_KEY) return config.MASTER_KEY;
  const made = secretFile(config.DATA_DIR, 'master.key', () => runtime.randomBytes(32).toString('base64'));
  const file = `${config.DATA_DIR}/master.key`;
  if (made.isNew) logger.warn({ file }, 'made a master key; back it up apart from the data');
  return [{ id: 'k1', key: Buffer.from(made.value, 'base64') }];
}

/** Signs access tokens; another one ends them all. */
export function jwtSecretOf(config: Config, runtime: Runtime, logger: Logger): string {
  if (config.JWT_SECRET !== undefined) return config.JWT_SECRET;
  const made = secretFile(config.DATA_DIR, 'jwt.secret', () => runtime.randomBytes(48).toString('base64'));
  if (made.isNew) logger.warn({ file: `${config.DATA_DIR}/jwt.secret` }, 'made a secret for access tokens');
  return made.value;
}

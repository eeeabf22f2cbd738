// Reads `.env` of the working directory into the environment, for every command.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { fileFault, systemCodeOf, WrongConfiguration } from '../../adapters/configuration/wrong-configuration.js';

/** A variable of the environment wins, even an empty one. Throws `WrongConfiguration` for a file that cannot be read. */
export function loadEnvFile(env: Record<string, string | undefined>, file = '.env'): void {
  for (const [name, value] of Object.entries(parseEnv(textOf(file)))) env[name] ??= value;
}

/** Returns an empty text if the file does not exist, which is the usual case. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (systemCodeOf(err) === 'ENOENT') return '';
    throw new WrongConfiguration([
      `${file} in ${process.cwd()} ${fileFault(err)}; make it a file that this user may read, or remove it`,
    ]);
  }
}

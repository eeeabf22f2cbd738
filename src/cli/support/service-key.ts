// Address of a running service and the key of a caller, for commands that use its API.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { WrongConfiguration } from '../../adapters/configuration/wrong-configuration.js';

const DEFAULT_URL = 'http://127.0.0.1:3000';
const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''));

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws {@link WrongConfiguration} without a key or with an address that is none. */
export function readServiceKey(env: Environment): { readonly url: string; readonly apiKey: string } {
  const { data: url } = address.safeParse(env['SUBLEDGER_URL'] || DEFAULT_URL);
  if (url === undefined)
    throw new WrongConfiguration(['SUBLEDGER_URL: must be an address such as https://billing.example.com']);
  const file = env['SUBLEDGER_API_KEY_FILE'];
  const apiKey = (env['SUBLEDGER_API_KEY'] || (file ? readFileSync(file, 'utf8') : '')).trim();
  if (apiKey !== '') return { url, apiKey };
  throw new WrongConfiguration([
    'SUBLEDGER_API_KEY: set it to a secret API key (sk_…), or SUBLEDGER_API_KEY_FILE to a file that contains one',
  ]);
}

// `subledger mcp`: tools for an assistant over stdio. Nothing but the protocol is written to stdout.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { WrongConfiguration } from '../adapters/configuration/wrong-configuration.js';
import { keyScopes, type KeyScope } from '../domain/project/roles.js';
import { openMcpConnection, serveMcpOverStdio } from '../main/mcp-stdio.js';
import { Failure, WrongUse } from './support/outcome.js';

const DEFAULT_URL = 'http://127.0.0.1:3000';
const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''));

export async function mcp({ allow, pii }: { readonly allow?: string; readonly pii?: true }): Promise<void> {
  const scopes = allow === undefined ? keyScopes : parseScopes(allow);
  const { url, apiKey } = readEnvironment(process.env);
  const connection = await openMcpConnection({ url, apiKey }).catch((err: unknown) => {
    throw new Failure(`${url}: ${err instanceof Error ? err.message : String(err)}`);
  });
  const allowed = connection.scopes.filter((scope) => scopes.includes(scope));
  if (allowed.length === 0) {
    throw new WrongUse(`--allow: the key has none of these scopes; it has ${connection.scopes.join(', ')}`);
  }
  serveMcpOverStdio(connection, { scopes: allowed, showsPersonal: pii === true });
}

function parseScopes(text: string): readonly KeyScope[] {
  return text.split(',').map((part) => {
    const { data } = z.enum(keyScopes).safeParse(part.trim());
    if (data !== undefined) return data;
    throw new WrongUse(`--allow: ${part.trim()} is not a scope; use ${keyScopes.join(', ')}`);
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

function readEnvironment(env: Environment): { readonly url: string; readonly apiKey: string } {
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

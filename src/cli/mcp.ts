// `subledger mcp`: tools for an assistant over stdio. Nothing but the protocol is written to stdout.
import { z } from 'zod';
import { keyScopes, type KeyScope } from '../domain/project/roles.js';
import { openMcpConnection, serveMcpOverStdio } from '../main/mcp-stdio.js';
import { Failure, WrongUse } from './support/outcome.js';
import { readServiceKey } from './support/service-key.js';

export async function mcp({ allow, pii }: { readonly allow?: string; readonly pii?: true }): Promise<void> {
  const scopes = allow === undefined ? keyScopes : parseScopes(allow);
  const { url, apiKey } = readServiceKey(process.env);
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

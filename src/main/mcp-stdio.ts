// Tools for assistants over stdio: the same tools as `POST /mcp`, over HTTP to a running service.
import { createHmac, randomBytes } from 'node:crypto';
import { createClient, type Client } from '#sdk/client.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { KeyScope } from '../domain/project/roles.js';
import { createConfirmations } from '../http/mcp/change.js';
import { createMcpServer } from '../http/mcp/server.js';
import { bodyOf } from '../http/mcp/tool.js';
import { VERSION } from './version.js';

export type McpConnection = {
  readonly url: string;
  readonly connect: () => Client;
  readonly keyId: string;
  readonly projectId: string;
  readonly scopes: readonly KeyScope[];
};

/** Checks the key and reads its scopes. Rejects with the message of the service, or if it cannot be reached. */
export async function openMcpConnection({
  url,
  apiKey,
}: {
  readonly url: string;
  readonly apiKey: string;
}): Promise<McpConnection> {
  const connect = () => createClient({ baseUrl: url, apiKey });
  const { id: keyId, projectId, kind, scopes } = bodyOf(await connect().GET('/v1/api-key', {}));
  if (kind !== 'secret') throw new Error('this is a public key; use a secret one (sk_…)');
  return { url, connect, keyId, projectId, scopes };
}

/** Serves until stdin ends. `scopes`: those of the key, or fewer. */
export function serveMcpOverStdio(
  { url, connect, keyId, projectId }: McpConnection,
  o: { readonly scopes: readonly KeyScope[]; readonly showsPersonal: boolean },
): void {
  const now = Date.now;
  const secret = randomBytes(32);
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const onError = (err: unknown) => void process.stderr.write(`${err instanceof Error ? err.stack : String(err)}\n`);
  const confirmations = createConfirmations(hash, { owner: keyId, now });
  const options = {
    ...o,
    connect,
    projectId,
    now,
    confirmations,
    dashboardUrl: `${url}/dashboard`,
    version: VERSION,
    onError,
  };
  serveStdio(() => createMcpServer(options), { onerror: onError });
}

// A webhook receiver on loopback: verifies signatures by Standard Webhooks 1.0.0, and reports the received webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export type ReceivedWebhook = {
  readonly id: string;
  readonly type: string;
  /** Null for a test message, which has no customer. */
  readonly appUserId: string | null;
  readonly isSigned: boolean;
};

export type WebhookReceiver = {
  readonly url: string;
  /** Sets the secret of the service. Without one no signature is valid. */
  trust(secret: string): void;
  stop(): Promise<void>;
};

const MAX_AGE_S = 300;
const body = z.object({ event: z.object({ id: z.string(), type: z.string(), appUserId: z.string().nullish() }) });

/** Responds with 204 to a valid signature and with 401 to any other. */
export async function startWebhookReceiver(onReceived: (webhook: ReceivedWebhook) => void): Promise<WebhookReceiver> {
  let secret = '';
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const isSigned = verify(secret, req.headers, bytes);
      const read = body.safeParse(parseJson(bytes));
      if (read.success) {
        const { id, type, appUserId = null } = read.data.event;
        onReceived({ id, type, appUserId, isSigned });
      }
      res.writeHead(isSigned ? 204 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust: (newSecret) => {
      secret = newSecret;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function verify(secret: string, headers: IncomingHttpHeaders, bytes: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (secret === '' || Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_AGE_S) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const right = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(bytes)
    .digest();
  return String(signatures)
    .split(' ')
    .map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'))
    .some((sent) => sent.length === right.length && timingSafeEqual(sent, right));
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // Invalid JSON is not a webhook; the response depends on the signature only.
    return undefined;
  }
}

// An assistant's client of `POST /mcp`, and a project with a purchase, a refund and hostile texts.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { KeyScope } from '../../../src/domain/project/roles.js';
import { MONTHLY, notification, type Harness, type Json, type Slice } from '../support/harness.js';

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

export type Assistant = {
  readonly names: () => Promise<readonly string[]>;
  /** Returns the structured content; throws for an error. */
  readonly ask: (tool: string, input?: object) => Promise<Json>;
  /** Returns the whole result. */
  readonly call: (tool: string, input?: object) => Promise<Json>;
  readonly client: Client;
};

/** Connects with a key; `2026` negotiates the newest revision, `2025` begins with `initialize`. */
export async function connect(harness: Harness, key: string, era: Era = '2026'): Promise<Assistant> {
  const options = era === '2026' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'spec-assistant', version: '1.0' }, options);
  const url = new URL(`${harness.service().url ?? ''}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return assistantOf(client);
}

export function assistantOf(client: Client): Assistant {
  const call = (name: string, input: object = {}): Promise<Json> => client.callTool({ name, arguments: { ...input } });
  return {
    client,
    call,
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    ask: async (name, input) => {
      const result = await call(name, input);
      expect(result.isError, `${name}: ${JSON.stringify(result.content)}`).to.not.equal(true);
      return result.structuredContent;
    },
  };
}

export async function makeKey({ call }: Harness, slice: Slice, scopes: readonly KeyScope[]): Promise<string> {
  const body = { name: `assistant ${scopes.join()}`, scopes };
  return (await call('POST', `/v1/projects/${slice.projectId}/api-keys`, body, { token: slice.token })).body.key;
}

const DAY = 86_400_000;

export type History = {
  readonly customer: string;
  readonly transactionId: string;
  readonly customerId: string;
  /** Instant before the refund was recorded. */
  readonly beforeRefund: string;
  readonly webhookId: string;
};

/** A customer who bought a month and got the money back, and a webhook. */
export async function playHistory(harness: Harness, slice: Slice): Promise<History> {
  const { call, service } = harness;
  const as = { key: slice.secretKey };
  const base = `/v1/projects/${slice.projectId}`;
  const now = Date.now();
  const transactionId = '2000000000000001';
  const hook = await call(
    'POST',
    `${base}/webhooks`,
    { url: 'https://hooks.example.com/secret-path?token=hook-token' },
    as,
  );
  const purchase = {
    transactionId,
    productId: MONTHLY,
    purchaseDate: now - 5 * DAY,
    expiresDate: now + 25 * DAY,
    price: 9990,
    currency: 'USD',
    storefront: 'DEU',
  };
  const send = async (body: unknown) => {
    const { status } = await call('POST', slice.notificationPath, body);
    expect(status).to.equal(200);
    await service().idle();
  };
  await send(
    notification({
      notificationType: 'SUBSCRIBED',
      subtype: 'INITIAL_BUY',
      signedDate: now - 5 * DAY,
      transaction: purchase,
    }),
  );
  const bought = await call('GET', `${base}/transactions/${transactionId}`, undefined, as);
  const beforeRefund = new Date(Date.now()).toISOString();
  // The next event must be recorded at a later millisecond.
  while (new Date(Date.now()).toISOString() <= beforeRefund) await new Promise((resolve) => setImmediate(resolve));
  const refunded = { ...purchase, revocationDate: now - DAY, revocationReason: 1 as const };
  await send(notification({ notificationType: 'REFUND', signedDate: now - DAY, transaction: refunded }));
  return {
    customer: bought.body.customer.appUserId,
    customerId: bought.body.customer.id,
    transactionId,
    beforeRefund,
    webhookId: hook.body.id,
  };
}

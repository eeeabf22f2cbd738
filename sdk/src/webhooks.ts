// Verifies webhook requests: Standard Webhooks 1.0.0, signature `v1` (HMAC-SHA256).
import { createHmac, timingSafeEqual } from 'node:crypto';

export class InvalidWebhook extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidWebhook';
  }
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** Maximum difference between the time of the signature and now, in seconds; default 300. */
  readonly toleranceSeconds?: number;
  /** Current time in milliseconds since the epoch; default is the system clock. */
  readonly nowMs?: number;
};

/**
 * Returns the parsed event. `payload` is the unmodified body, `secret` the webhook's `whsec_…`; pass both secrets while one is being
 * rotated. Throws {@link InvalidWebhook} if the signature is missing, does not match, or is too old.
 */
export function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): unknown {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new InvalidWebhook('a webhook header is missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new InvalidWebhook('webhook-timestamp is not a Unix time in seconds');
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new InvalidWebhook('the signature is too old or too new');
  const body = typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const expected = (typeof secret === 'string' ? [secret] : secret).map((one) => sign(signed, one));
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [Buffer.from(part.slice(3))] : []));
  if (!given.some((g) => expected.some((e) => g.length === e.length && timingSafeEqual(g, e))))
    throw new InvalidWebhook('the signature does not match');
  return JSON.parse(body.toString('utf8')) as unknown;
}

function sign(content: Buffer, secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
}

function read(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

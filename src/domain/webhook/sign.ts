// Signatures of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, one for each valid secret, newest first.
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** Returns the value of `webhook-signature`. `timestamp`: seconds since the epoch, as sent in `webhook-timestamp`. */
export function signatureOf(secrets: readonly string[], id: string, timestamp: string, body: Buffer): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
      return `v1,${mac}`;
    })
    .join(' ');
}

/**
 * Returns the value of `x-revenuecat-webhook-signature`. The key is the secret as text, prefix included. One signature only, since
 * receivers accept no second one: during a rotation that of the newest secret.
 */
export function revenueCatSignatureOf(secrets: readonly string[], timestamp: string, body: Buffer): string {
  const mac = createHmac('sha256', secrets[0] ?? '')
    .update(`${timestamp}.`)
    .update(body)
    .digest('hex');
  return `t=${timestamp},v1=${mac}`;
}

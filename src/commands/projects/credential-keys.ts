// What users upload as credentials of a store, checked for form: a key that cannot be read or used is refused when it is given, not
// when it is first needed. Fingerprints are of the public half.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { readSigningKey, type SigningAlgorithm } from '../../adapters/keys/signing-keys.js';
import { Rejection, UnusableKey } from '../../domain/errors.js';

export type CheckedKey = { readonly secret: string; readonly fingerprint: string };

/** Throws {@link Rejection} unless the text is an elliptic-curve key (P-256) in PEM, as the ios-store gives it. */
export function checkIosKey(pem: string): CheckedKey {
  return { secret: pem, fingerprint: fingerprintOf(usable('ES256', pem, 'privateKey')) };
}

/** Of a service account's file only what identifies it and signs for it is kept; addresses in it are never followed. */
const serviceAccount = z.object({
  type: z.literal('service_account'),
  client_email: z.email().max(254),
  private_key: z.string().max(20_000),
  private_key_id: z.string().max(200).optional(),
});

/** Throws {@link Rejection} unless the value, or the JSON text, is a service account with an RSA key of 2048 to 4096 bits. */
export function checkServiceAccount(given: unknown): CheckedKey & { readonly clientEmail: string } {
  const { success, data } = serviceAccount.safeParse(typeof given === 'string' ? parsed(given) : given);
  if (!success) {
    throw refused('serviceAccountJson must be the key file of a service account: type, client_email and private_key');
  }
  const key = usable('RS256', data.private_key, 'private_key of serviceAccountJson');
  return { secret: JSON.stringify(data), fingerprint: fingerprintOf(key), clientEmail: data.client_email };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no service account either; the check that follows says so.
    return undefined;
  }
}

function usable(algorithm: SigningAlgorithm, pem: string, field: string): KeyObject {
  try {
    return readSigningKey(algorithm, pem);
  } catch (err) {
    throw err instanceof UnusableKey ? refused(`${field} ${err.message}`) : err;
  }
}

function fingerprintOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}

function refused(message: string): Rejection {
  return new Rejection('invalid', 'credentials-unreadable', message);
}

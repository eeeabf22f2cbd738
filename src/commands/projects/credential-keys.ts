// Format checks of store credentials: an unreadable or unusable key is refused when it is uploaded, not when it is first needed.
// Fingerprints are of the public half.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { readSigningKey, type SigningAlgorithm } from '../../adapters/keys/signing-keys.js';
import { Rejection, UnusableKey } from '../../domain/errors.js';

export type CheckedKey = { readonly secret: string; readonly fingerprint: string };

/** Throws {@link Rejection} for a key of another kind. `field` names it in the message. */
export function parseUsableKey(algorithm: SigningAlgorithm, pem: string, field: string): KeyObject {
  try {
    return readSigningKey(algorithm, pem);
  } catch (err) {
    throw err instanceof UnusableKey ? unreadableCredentials(`${field} ${err.message}`) : err;
  }
}

export function fingerprintOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}

export function unreadableCredentials(message: string): Rejection {
  return new Rejection('invalid', 'credentials-unreadable', message);
}

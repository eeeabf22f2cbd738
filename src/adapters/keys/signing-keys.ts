// Private keys uploaded by tenants for their stores: parsing, limits, signing. The cost of a signature grows with the cube of the key size,
// which the tenant controls; so only keys of the usual sizes sign, and never on the caller's thread.
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { UnusableKey } from '../../domain/errors.js';

export type SigningAlgorithm = 'RS256' | 'ES256';

const MIN_MODULUS_BITS = 2048;
const MAX_MODULUS_BITS = 4096;
const MAX_EXPONENT = 0xffff_ffffn;

/** Parses a key. Throws {@link UnusableKey} unless the text is a private key in PEM for this algorithm. */
export function readSigningKey(algorithm: SigningAlgorithm, pem: string): KeyObject {
  const key = parsePrivateKey(pem);
  if (algorithm === 'RS256') checkRsa(key);
  else if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new UnusableKey('must be the content of the .p8 file: an EC key in PEM form');
  }
  return key;
}

/** Signs a JWT in compact form. Throws {@link UnusableKey}. */
export async function signJwt(
  algorithm: SigningAlgorithm,
  pem: string,
  o: { readonly keyId: string | null; readonly claims: Readonly<Record<string, unknown>> },
): Promise<string> {
  const key = readSigningKey(algorithm, pem);
  const header = { alg: algorithm, typ: 'JWT', ...(o.keyId !== null && { kid: o.keyId }) };
  const text = [header, o.claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  try {
    const signature = await signAsync('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  } catch {
    // The library's message is about its arithmetic: the numbers of the key do not match.
    throw new UnusableKey('cannot sign: download the key from the store again');
  }
}

/** Has a callback, so it runs on the thread pool. */
const signAsync = promisify<string, Buffer, { key: KeyObject; dsaEncoding: 'ieee-p1363' }, Buffer>(sign);

function parsePrivateKey(pem: string): KeyObject {
  try {
    if (pem.trimStart().startsWith('-----BEGIN')) return createPrivateKey(pem);
  } catch {
    // The library's message is about its decoder; the error below describes the expected format.
  }
  throw new UnusableKey('must be a private key in PEM form, as downloaded from the store');
}

function checkRsa(key: KeyObject): void {
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa') throw new UnusableKey('must be an RSA key in PEM form');
  if (bits < MIN_MODULUS_BITS || bits > MAX_MODULUS_BITS) {
    throw new UnusableKey(
      `has ${bits} bits, and must have ${MIN_MODULUS_BITS} to ${MAX_MODULUS_BITS}: create another key for the service account`,
    );
  }
  if (publicExponent > MAX_EXPONENT || !hasConsistentSize(key, bits)) {
    throw new UnusableKey('has inconsistent numbers: download the key from the store again');
  }
}

/** Returns whether all numbers fit the key size: a short modulus may be combined with huge primes, with which signatures are computed. */
function hasConsistentSize(key: KeyObject, bits: number): boolean {
  const { d, p, q, dp, dq, qi } = key.export({ format: 'jwk' });
  const isWithin = (part: string | undefined, maxBits: number) => part !== undefined && bitsOf(part) <= maxBits;
  return isWithin(d, bits) && [p, q, dp, dq, qi].every((part) => isWithin(part, bits / 2 + 1));
}

function bitsOf(base64url: string): number {
  const bytes = Buffer.from(base64url, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first - 1) * 8 + (32 - Math.clz32(bytes[first] ?? 0));
}

// Credentials in the form in which the stores give them, with keys of nobody.
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const spki = { type: 'spki', format: 'pem' } as const;
const ec = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: pem, publicKeyEncoding: spki }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: pem, publicKeyEncoding: spki });

const first = ec();

/** The content of a `.p8` file, the same each time. */
export const iosKey = (): string => first;
export const anotherIosKey = (): string => ec();

export const SERVICE_EMAIL = 'subledger@example.iam.gserviceaccount.com';

export function serviceAccount(): Record<string, unknown> {
  return {
    type: 'service_account',
    project_id: 'example',
    private_key_id: 'a1b2c3',
    private_key: rsa.privateKey,
    client_email: SERVICE_EMAIL,
    token_uri: 'http://169.254.169.254/token',
  };
}

export const anotherRsaKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: pem, publicKeyEncoding: spki }).privateKey;

/** An RSA key of random numbers, of as many bits as asked for; it signs nothing, and takes as long for it as a real one. */
export function forgedRsaKey(bits: number, primeBits = bits / 2): string {
  const number = (size: number) => {
    const bytes = randomBytes(size / 8);
    bytes[0] = (bytes[0] ?? 0) | 0x80;
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
    return bytes.toString('base64url');
  };
  const [p, q, dp, dq, qi] = [1, 2, 3, 4, 5].map(() => number(primeBits)) as [string, string, string, string, string];
  const jwk = { kty: 'RSA', n: number(bits), e: 'AQAB', d: number(bits), p, q, dp, dq, qi };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export(pem).toString();
}

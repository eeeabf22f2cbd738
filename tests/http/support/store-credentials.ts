// Credentials in the form in which the stores give them, with keys of nobody.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

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

/**
 * An RSA key of random numbers, of as many bits as asked for; it signs nothing, and takes as long for it as a real one. It is written in DER here,
 * because newer engines refuse to make some of these keys.
 */
export function forgedRsaKey(bits: number, primeBits = bits / 2): string {
  const number = (size: number) => {
    const bytes = randomBytes(size / 8);
    bytes[0] = (bytes[0] ?? 0) | 0x80;
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
    return der(0x02, Buffer.of(0), bytes);
  };
  const primes = [1, 2, 3, 4, 5].map(() => number(primeBits));
  const key = der(0x30, ZERO, number(bits), PUBLIC_EXPONENT, number(bits), ...primes);
  const info = der(0x30, ZERO, RSA_ALGORITHM, der(0x04, key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${info.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}

const ZERO = Buffer.from('020100', 'hex');
const PUBLIC_EXPONENT = Buffer.from('0203010001', 'hex');
/** `rsaEncryption` without parameters. */
const RSA_ALGORITHM = Buffer.from('300d06092a864886f70d0101010500', 'hex');

/** Encodes a value in DER: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const hex = content.length.toString(16);
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const length = content.length < 128 ? digits : Buffer.concat([Buffer.of(0x80 | digits.length), digits]);
  return Buffer.concat([Buffer.of(tag), length, content]);
}

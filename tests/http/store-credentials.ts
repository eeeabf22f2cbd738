// Credentials in the form in which the stores give them, with keys of nobody.
import { generateKeyPairSync } from 'node:crypto';

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

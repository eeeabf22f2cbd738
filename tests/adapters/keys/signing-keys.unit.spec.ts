// Keys that tenants upload: which may sign, and what they sign.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect } from 'chai';
import { readSigningKey, signJwt, type SigningAlgorithm } from '../../../src/adapters/keys/signing-keys.js';
import { UnusableKey } from '../../../src/domain/errors.js';
import { forgedRsaKey, iosKey, anotherRsaKey } from '../../http/support/store-credentials.js';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey.export(pem).toString();

describe('keys of tenants', () => {
  const refused: readonly [string, SigningAlgorithm, () => string][] = [
    ['RSA of 1024 bits', 'RS256', () => forgedRsaKey(1024)],
    ['RSA of 8192 bits', 'RS256', () => forgedRsaKey(8192)],
    ['RSA with huge primes', 'RS256', () => forgedRsaKey(2048, 8192)],
    ['EC for RS256', 'RS256', iosKey],
    ['RSA for ES256', 'ES256', anotherRsaKey],
    ['EC of another curve', 'ES256', () => curve('P-384')],
    ['no key', 'ES256', () => 'nothing'],
  ];
  for (const [what, algorithm, key] of refused) {
    it(`are refused: ${what}`, () => expect(() => readSigningKey(algorithm, key())).to.throw(UnusableKey));
  }

  for (const [algorithm, key] of [
    ['RS256', anotherRsaKey()],
    ['ES256', iosKey()],
  ] as const) {
    it(`sign by ${algorithm}`, async () => {
      const token = await signJwt(algorithm, key, { keyId: 'k', claims: { iss: 'a' } });
      const [header = '', claims = '', signature = ''] = token.split('.');
      const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
      expect([read(header), read(claims)]).to.deep.equal([{ alg: algorithm, typ: 'JWT', kid: 'k' }, { iss: 'a' }]);
      const by = { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' as const };
      const text = Buffer.from(`${header}.${claims}`);
      expect(verify('sha256', text, by, Buffer.from(signature, 'base64url'))).to.equal(true);
    });
  }
});

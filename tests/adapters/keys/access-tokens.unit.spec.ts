// Access tokens: the one form that is let in, and many that look like it.
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { createAccessTokens } from '../../../src/adapters/keys/access-tokens.js';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
const START = Date.UTC(2026, 10, 20, 10);
const SECONDS = START / 1000;

function setUp() {
  const clock = { now: START };
  const versions = new Map([['usr_1', 3]]);
  const ended = new Set<string>();
  const tokens = createAccessTokens({
    secret: SECRET,
    ttlSeconds: 3600,
    runtime: { now: () => clock.now, randomBytes: (size) => Buffer.alloc(size, 7) },
    versionOf: async (userId) => versions.get(userId) ?? -1,
    isOpen: async (sessionId) => !ended.has(sessionId),
  });
  const issue = () => tokens.issue({ userId: 'usr_1', sessionId: 'ses_1', tokenVersion: 3 });
  return { clock, versions, ended, tokens, issue };
}

const CLAIMS = { sub: 'usr_1', sid: 'ses_1', tv: 3, typ: 'access', iat: SECONDS, exp: SECONDS + 3600, jti: 'j' };
const NAMES = { issuer: 'subledger', audience: 'subledger-api' };
type Claims = Record<string, string | number>;
const without = (name: string): Claims => Object.fromEntries(Object.entries(CLAIMS).filter(([k]) => k !== name));
const forge = (claims: Claims, options: jwt.SignOptions = {}) =>
  jwt.sign(claims, SECRET, { algorithm: 'HS256', ...NAMES, noTimestamp: claims['iat'] === undefined, ...options });

describe('access tokens', () => {
  it('lets in what it issued, until it expires', async () => {
    const { clock, tokens, issue } = setUp();
    const { token, expiresAtMs } = issue();
    expect(expiresAtMs).to.equal(START + 3_600_000);
    expect(await tokens.verify(token)).to.deep.equal({ userId: 'usr_1', sessionId: 'ses_1' });
    clock.now = START + 3_629_000;
    expect(await tokens.verify(token)).to.not.equal(null);
    clock.now = START + 3_630_000;
    expect(await tokens.verify(token)).to.equal(null);
  });

  it('lets in the claims that the cases below spoil', async () => {
    expect(await setUp().tokens.verify(forge(CLAIMS))).to.not.equal(null);
  });

  it('lets in what a clock issued that is ahead by less than the leeway', async () => {
    expect(await setUp().tokens.verify(forge({ ...CLAIMS, iat: SECONDS + 30 }))).to.not.equal(null);
  });

  it('issues one token for one grant', () => {
    const { clock, tokens } = setUp();
    const grant = { userId: 'usr_1', sessionId: 'ses_1', tokenVersion: 3, issuedAtMs: START, tokenId: 't' };
    const first = tokens.issue(grant);
    clock.now += 20_000;
    expect(tokens.issue(grant)).to.deep.equal(first);
  });

  it('rejects a token of an earlier version, and of an unknown user', async () => {
    const { versions, tokens, issue } = setUp();
    const { token } = issue();
    versions.set('usr_1', 4);
    expect(await tokens.verify(token)).to.equal(null);
    versions.delete('usr_1');
    expect(await tokens.verify(token)).to.equal(null);
    expect(await tokens.verify(forge({ ...CLAIMS, tv: -1 }))).to.equal(null);
  });
  it('refuses a token of a session that has ended', async () => {
    const { ended, tokens, issue } = setUp();
    const { token } = issue();
    ended.add('ses_1');
    expect(await tokens.verify(token)).to.equal(null);
  });

  const unsigned = [
    { alg: 'none', typ: 'JWT' },
    { ...CLAIMS, iss: 'subledger', aud: 'subledger-api' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const refused: Record<string, string> = {
    'without an algorithm': `${unsigned}.`,
    'without an algorithm but with a signature': `${unsigned}.${createHmac('sha256', SECRET).update(unsigned).digest('base64url')}`,
    'signed by HS384': forge(CLAIMS, { algorithm: 'HS384' }),
    'signed by HS512': forge(CLAIMS, { algorithm: 'HS512' }),
    'signed with another secret': jwt.sign(CLAIMS, `${SECRET}!`, { algorithm: 'HS256', ...NAMES }),
    'of another issuer': forge(CLAIMS, { issuer: 'somebody' }),
    'for another audience': forge(CLAIMS, { audience: 'another-api' }),
    'of another type': forge({ ...CLAIMS, typ: 'refresh' }),
    'that has expired': forge({ ...CLAIMS, exp: SECONDS - 31 }),
    'that was issued in the future': forge({ ...CLAIMS, iat: SECONDS + 31 }),
    'that is older than any may be, whatever it says of its end': forge({ ...CLAIMS, iat: SECONDS - 3630 }),
    'not valid yet': forge({ ...CLAIMS, nbf: SECONDS + 31 }),
    'whose payload is a text': jwt.sign('usr_1', SECRET, { algorithm: 'HS256' }),
    'with an empty subject': forge({ ...CLAIMS, sub: '' }),
    'with a fraction as version': forge({ ...CLAIMS, tv: 3.5 }),
    ...Object.fromEntries(Object.keys(CLAIMS).map((name) => [`without ${name}`, forge(without(name))])),
  };
  for (const [what, token] of Object.entries(refused)) {
    it(`refuses a token ${what}`, async () => {
      expect(await setUp().tokens.verify(token)).to.equal(null);
    });
  }

  it('refuses a token with any character changed', async () => {
    const { tokens, issue } = setUp();
    const { token } = issue();
    // The last character of the signature carries two bits that mean nothing.
    for (let i = 0; i < token.length - 1; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      expect(await tokens.verify(changed), `character ${i}`).to.equal(null);
    }
  });

  it('throws for no text whatever', async () => {
    const { tokens, issue } = setUp();
    const [header = '', payload = '', signature = ''] = issue().token.split('.');
    const part = fc.oneof(fc.constantFrom(header, payload, signature, '', 'e30', 'bnVsbA', 'W10'), fc.string());
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        fc.pre(text !== [header, payload, signature].join('.'));
        expect(await tokens.verify(text)).to.equal(null);
      }),
      { numRuns: 500 },
    );
  });

  it('does not start with a short secret', () => {
    const versionOf = async () => 0;
    const runtime = { now: () => START, randomBytes: (size: number) => Buffer.alloc(size) };
    expect(() =>
      createAccessTokens({ secret: 'x'.repeat(31), ttlSeconds: 60, runtime, versionOf, isOpen: async () => true }),
    ).to.throw('32 bytes');
  });
});

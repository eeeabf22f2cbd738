// Codes of the second factor against the tables of RFC 4226 and RFC 6238, and against an authenticator app that was written apart.
import { expect } from 'chai';
import {
  base32,
  findRecoveryCode,
  makeRecoveryCodes,
  matchTotpCode,
  normalizeCode,
  otpauthUrl,
  recoveryHashOf,
  stepAt,
  totpCodeOf,
} from '../../../src/commands/accounts/totp.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { showCode } from '../../../simulator/authenticator.js';

const SECRET = Buffer.from('12345678901234567890');
const NOW = Date.UTC(2026, 10, 20, 10, 0, 10);
const STEP = 30_000;

describe('codes of a second factor', () => {
  const hotp = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
  for (const [counter, code] of hotp.entries()) {
    it(`of counter ${counter} is ${code}`, () => expect(totpCodeOf(SECRET, counter)).to.equal(code));
  }

  // The table has eight digits; the last six are the code.
  const table = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const;
  for (const [seconds, code] of table) {
    it(`at ${seconds} s is ${code.slice(2)}`, () =>
      expect(totpCodeOf(SECRET, stepAt(seconds * 1000))).to.equal(code.slice(2)));
  }

  it('are those that an authenticator app shows', () => {
    for (let i = 0; i < 200; i++) {
      const secret = systemRuntime().randomBytes(20);
      expect(showCode(base32(secret), NOW + i * STEP)).to.equal(totpCodeOf(secret, stepAt(NOW + i * STEP)));
    }
  });

  const codeAt = (steps: number) => totpCodeOf(SECRET, stepAt(NOW) + steps);
  for (const [steps, isAccepted] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    it(`of a clock ${steps} steps away is ${isAccepted ? 'accepted' : 'refused'}`, () =>
      expect(matchTotpCode(SECRET, codeAt(steps), NOW, 0)).to.equal(isAccepted ? stepAt(NOW) + steps : null));
  }

  it('are refused again, and so are older ones', () => {
    for (const steps of [-1, 0]) expect(matchTotpCode(SECRET, codeAt(steps), NOW, stepAt(NOW))).to.equal(null);
    expect(matchTotpCode(SECRET, codeAt(1), NOW, stepAt(NOW))).to.equal(stepAt(NOW) + 1);
  });

  for (const text of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5000', `${' '.repeat(6)}`]) {
    it(`are not ${JSON.stringify(text)}`, () =>
      expect(matchTotpCode(SECRET, normalizeCode(text), NOW, 0)).to.equal(null));
  }

  it('are accepted with spaces, hyphens and in full width', () => {
    const code = codeAt(0);
    const fullWidth = [...code].map((d) => String.fromCodePoint(0xff10 + Number(d))).join('');
    for (const text of [` ${code.slice(0, 3)} ${code.slice(3)} `, `${code.slice(0, 3)}-${code.slice(3)}`, fullWidth]) {
      expect(matchTotpCode(SECRET, normalizeCode(text), NOW, 0)).to.equal(stepAt(NOW));
    }
  });

  it('are read by an app from an address whose account may contain anything', () => {
    const url = new URL(otpauthUrl(SECRET, 'a+b&c?d=e@example.com'));
    expect(url.searchParams.get('secret')).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(decodeURIComponent(url.pathname)).to.equal('//totp/Subledger:a+b&c?d=e@example.com'.slice(url.host ? 6 : 0));
  });
});

describe('recovery codes', () => {
  const codes = makeRecoveryCodes(systemRuntime());
  const hashes = codes.map(recoveryHashOf);

  it('are ten different ones of sixteen characters', () => {
    expect(new Set(codes)).to.have.property('size', 10);
    for (const code of codes) expect(code).to.match(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  });

  it('are found as printed, in lower case and without hyphens', () => {
    for (const [i, code] of codes.entries()) {
      for (const text of [code, code.toLowerCase(), code.replaceAll('-', ''), code.replaceAll('-', ' ')])
        expect(findRecoveryCode(normalizeCode(text), hashes)).to.equal(i);
    }
  });

  it('are not found by their hash, by a part, or among none', () => {
    const [code = '', hash = ''] = [codes[0], hashes[0]];
    for (const text of [hash, code.slice(0, -1), `${code}A`, ''])
      expect(findRecoveryCode(normalizeCode(text), hashes)).to.equal(-1);
    expect(findRecoveryCode(normalizeCode(code), [])).to.equal(-1);
  });
});

// Password rules.
import { expect } from 'chai';
import { commonPasswords, checkNewPassword } from '../../../src/commands/accounts/password-rules.js';
import { Rejection } from '../../../src/domain/errors.js';

const EMAIL = 'ann@example.com';
const refused: Record<string, string> = {
  'with nine characters': 'nine-char',
  'with nine emoji': '🦊'.repeat(9),
  'with 73 bytes': 'correct horse battery staple '.repeat(3).slice(0, 73),
  'with 37 letters of two bytes': 'éèêëàâäùûüôöîïç'.repeat(3).slice(0, 37),
  'with 129 characters': 'correct horse battery staple '.repeat(5).slice(0, 129),
  'with U+0000': 'long enough\u0000',
  'that is common': 'password123',
  'that is common in another case': 'QwertyUiop123',
  'of one character': 'zzzzzzzzzzzz',
  'of one pair repeated': '1212121212',
  'along the digits': '4567890123',
  'along the alphabet': 'defghijklmnop',
  'back along the keyboard': 'poiuytrewq',
  'that is the email': EMAIL,
};
const taken = [
  'exactly 10',
  'correct horse battery staple '.repeat(3).slice(0, 72),
  '🦊'.repeat(5) + 'abcde',
  'banana banana',
];

describe('password rules', () => {
  for (const [what, password] of Object.entries(refused)) {
    it(`refuse a password ${what}`, () => {
      expect(() => checkNewPassword(password, EMAIL))
        .to.throw(Rejection, /^password /)
        .that.includes({ kind: 'invalid', code: 'password-refused' });
    });
  }

  for (const password of taken) {
    it(`take ${password}`, () => checkNewPassword(password, EMAIL));
  }

  it('know at least 300 common passwords, each of which the length alone would let through, in lower case', () => {
    expect(commonPasswords.size).to.be.at.least(300);
    for (const password of commonPasswords) {
      expect(password).to.have.length.within(10, 72);
      expect(password).to.equal(password.toLowerCase());
    }
  });
});

// Rules for new passwords: length and a list of common ones. There are no rules for kinds of characters, which make passwords predictable.
import { Rejection } from '../../domain/errors.js';
import { commonPasswords } from './common-passwords.js';

const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 128;
/** Number of bytes that bcrypt reads: passwords that differ only after them would be equal. */
const MAX_BYTES = 72;

/** Rows of keyboards and of the alphabet, in both directions. */
const ROWS = ['01234567890', '1234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SEQUENCES = [...ROWS, 'qwertzuiop', 'azertyuiop'].flatMap((row) => [row, [...row].reverse().join('')]);
const MAX_REPEATED_UNIT = 4;

/** Throws {@link Rejection} that describes the problem. `email` is in its normal form. */
export function checkNewPassword(password: string, email: string): void {
  const characters = [...password].length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    throw invalid(`password must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`);
  }
  if (exceedsHashLength(password)) {
    throw invalid(
      `password must have at most ${MAX_BYTES} bytes in UTF-8; letters with accents and emoji take several`,
    );
  }
  if (password.includes('\u0000')) throw invalid('password must not contain the character U+0000');
  if (isGuessable(password.toLowerCase(), email)) {
    throw invalid('password is too easy to guess; choose another');
  }
}

/** Returns true for a password whose end the hash would ignore. */
export function exceedsHashLength(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') > MAX_BYTES;
}

function isGuessable(password: string, email: string): boolean {
  if (commonPasswords.has(password) || password === email) return true;
  return isRepetition(password) || SEQUENCES.some((row) => isWithin(password, row));
}

/** Detects repetitions such as `aaaaaaaaaa`, `1212121212`, `abcabcabca`. */
function isRepetition(password: string): boolean {
  for (let unit = 1; unit <= MAX_REPEATED_UNIT; unit++) {
    if (password === password.slice(0, unit).repeat(password.length).slice(0, password.length)) return true;
  }
  return false;
}

/** Detects a sequence along the row that may start anywhere and wrap around, such as `5678901234`. */
function isWithin(password: string, row: string): boolean {
  return row.repeat(Math.ceil(password.length / row.length) + 1).includes(password);
}

function invalid(message: string): Rejection {
  return new Rejection('invalid', 'password-refused', message);
}

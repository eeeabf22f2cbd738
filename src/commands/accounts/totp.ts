// Codes of the second factor: time-based one-time passwords (RFC 6238) with six digits, steps of 30 seconds and HMAC-SHA-1, which every
// authenticator app supports. Recovery codes replace such a code once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../../adapters/runtime.js';
import { sha256Of } from './api-key.js';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the current one whose codes are accepted, because clocks differ. */
const TOLERANCE = 1;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CODE = /^\d{6}$/;

const RECOVERY_CODES = 10;
/** 80 bits: too many to guess, whatever the number of tries. */
const RECOVERY_BYTES = 10;
const RECOVERY_FORM = /^[A-Z2-7]{16}$/;

type Random = Pick<Runtime, 'randomBytes'>;

export function makeTotpSecret(runtime: Random): Buffer {
  return runtime.randomBytes(SECRET_BYTES);
}

/** Returns the code of a time step. */
export function totpCodeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const truncated = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** Returns the step of an accepted code, or null. Steps up to `lastStep` were used already: a code works once. */
export function matchTotpCode(secret: Buffer, code: string, nowMs: number, lastStep: number): number | null {
  if (!CODE.test(code)) return null;
  let matched: number | null = null;
  // All steps are compared, so that the duration does not tell which one was right.
  for (let step = stepAt(nowMs) - TOLERANCE; step <= stepAt(nowMs) + TOLERANCE; step++) {
    const isEqual = timingSafeEqual(Buffer.from(totpCodeOf(secret, step)), Buffer.from(code));
    if (isEqual && step > lastStep) matched = step;
  }
  return matched;
}

/** Returns new recovery codes, such as `ABCD-EFGH-IJKL-MNOP`. Only their hashes are stored. */
export function makeRecoveryCodes(runtime: Random): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = base32(runtime.randomBytes(RECOVERY_BYTES));
    return (text.match(/.{4}/g) ?? []).join('-');
  });
}

/** Returns the hash of a recovery code in its normal form. */
export function recoveryHashOf(code: string): string {
  return sha256Of(normalizeCode(code));
}

/** Returns the index of a recovery code among the stored hashes, or -1. */
export function findRecoveryCode(code: string, hashes: readonly string[]): number {
  if (!RECOVERY_FORM.test(code)) return -1;
  const presented = Buffer.from(sha256Of(code));
  return hashes.findIndex((hash) => hash.length === presented.length && timingSafeEqual(Buffer.from(hash), presented));
}

/** Removes what people and apps add to codes: spaces, hyphens, lower case, full-width digits. */
export function normalizeCode(text: string): string {
  return text.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

/** Returns the secret as authenticator apps accept it when it is typed. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(parseInt(five.padEnd(5, '0'), 2))).join('');
}

/** Returns the address that an authenticator app reads from a QR code. */
export function otpauthUrl(secret: Buffer, account: string): string {
  const label = `Subledger:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Subledger&algorithm=SHA1&digits=${DIGITS}&period=30`;
}

// An authenticator app: shows the code of a secret that was typed into it (RFC 4226 and RFC 6238). Written apart from the service, to check it.
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the six digits that the app shows at this time. */
export function showCode(base32Secret: string, nowMs: number): string {
  const bits = [...base32Secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Math.floor(nowMs / 30_000)
    .toString(16)
    .padStart(16, '0');
  const digest = [...createHmac('sha1', Buffer.from(bytes)).update(Buffer.from(step, 'hex')).digest()];
  const start = (digest.at(-1) ?? 0) % 16;
  const [a = 0, b = 0, c = 0, d = 0] = digest.slice(start, start + 4);
  const number = (((a % 128) * 256 + b) * 256 + c) * 256 + d;
  return `${number}`.slice(-6).padStart(6, '0');
}

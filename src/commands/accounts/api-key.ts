// The format of API keys: `sk_`, `pk_` or `test_`, 30 random base62 characters, 6 of CRC32. The checksum avoids lookups of typos.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Runtime } from '../../adapters/runtime.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^(sk|pk|test)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const PREFIXES = { secret: 'sk', public: 'pk', test: 'test' } as const;

/** `test`: public key of the test app; SDKs recognise it by its prefix and open their own purchase dialog. */
export function makeApiKey(kind: keyof typeof PREFIXES, runtime: Pick<Runtime, 'randomBytes'>): string {
  const random = randomBase62(30, runtime);
  return `${PREFIXES[kind]}_${random}${checksum(random)}`;
}

/** Returns the parts of a key for a preview: its prefix with `_`, or three characters, and the last four. */
export function previewOf(key: string): { readonly prefix: string; readonly last4: string } {
  const [prefix = key.slice(0, 3)] = /^[a-z]{1,8}_/.exec(key) ?? [];
  return { prefix, last4: key.slice(-4) };
}

/** Returns false for a text that {@link makeApiKey} cannot have issued. */
export function isApiKey(text: string): boolean {
  const [, , random, check] = FORM.exec(text) ?? [];
  return random !== undefined && checksum(random) === check;
}

export function sha256Of(text: string): string {
  return hash('sha256', text);
}

/** Bytes of 248 and more are dropped, so that every character is equally likely. */
function randomBase62(length: number, runtime: Pick<Runtime, 'randomBytes'>): string {
  let out = '';
  while (out.length < length) {
    for (const byte of runtime.randomBytes(length)) {
      if (byte < 248 && out.length < length) out += ALPHABET.charAt(byte % 62);
    }
  }
  return out;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = ALPHABET.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

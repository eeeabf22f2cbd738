// A runtime whose IDs and random bytes are derived from a seed, so that a repeated request draws the same again.
import { createHmac } from 'node:crypto';
import { encodeTime } from 'ulid';
import type { Runtime } from '../../adapters/runtime.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
/** Nonce size of AES-GCM: a nonce used twice under one key would reveal the text, so each is drawn randomly. */
const NONCE_BYTES = 12;
const BLOCK_BYTES = 32;

/** The n-th id of a prefix and the n-th bytes of a length are always the same; the clock is the real one. `atMs`: time in the ids. */
export function repeatableRuntime(runtime: Runtime, seed: Buffer, atMs: number): Runtime {
  const counters = new Map<string, number>();
  const bytes = (purpose: string, size: number): Buffer => {
    const n = counters.get(purpose) ?? 0;
    counters.set(purpose, n + 1);
    const blocks = Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, (_, i) =>
      createHmac('sha256', seed).update(`${purpose}|${n}|${i}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, size);
  };
  return {
    ...runtime,
    newId: (prefix) => {
      const random = [...bytes(`id ${prefix}`, 16)].map((byte) => CROCKFORD.charAt(byte % 32)).join('');
      return `${prefix}_${encodeTime(atMs, 10).toLowerCase()}${random}`;
    },
    randomBytes: (size) => (size === NONCE_BYTES ? runtime.randomBytes(size) : bytes(`bytes ${size}`, size)),
  };
}

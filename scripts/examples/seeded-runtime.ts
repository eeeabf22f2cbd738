// Deterministic clock and random numbers for recordings: each run has the same IDs at the same times, so that two recordings can be
// compared.
import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';
import { systemRuntime, type Runtime } from '../../src/adapters/runtime.js';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

export function seededRuntime(now: () => number): Runtime {
  const drawn = new Map<string, number>();
  /** Draws from a separate sequence per name, so that draws for other names do not affect it. */
  const draw = (name: string, part = 0): Buffer => {
    const count = part === 0 ? (drawn.get(name) ?? 0) + 1 : (drawn.get(name) ?? 0);
    drawn.set(name, count);
    return createHash('sha256').update(`${name} ${count} ${part}`).digest();
  };
  return {
    ...systemRuntime(now),
    randomBytes: (size) => {
      const name = `bytes ${size}`;
      const parts = Array.from({ length: Math.ceil(size / 32) }, (_, part) => draw(name, part));
      return Buffer.concat(parts).subarray(0, size);
    },
    newId: (prefix) => {
      const chance = [...draw(prefix).subarray(0, RANDOM_CHARACTERS)].map((byte) => BASE32[byte % BASE32.length]);
      return `${prefix}_${encodeTime(now(), TIME_CHARACTERS).toLowerCase()}${chance.join('')}`;
    },
  };
}

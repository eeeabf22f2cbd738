// Seeded random numbers: the same seed gives the same numbers on each machine. Not for secrets.

export type Random = {
  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number;
  /** Returns true with the probability `share`. */
  chance(share: number): boolean;
  /** Returns a number from `low` (included) to `high` (excluded). */
  between(low: number, high: number): number;
  /** Returns an integer from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** Returns one of the choices, with probabilities by weight. */
  pick<T>(choices: readonly (readonly [T, number])[]): T;
};

/** Implements sfc32 of Chris Doty-Humphrey's PractRand, initialised from a hash of the seed. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first outputs correlate with the seed.
  for (let i = 0; i < 12; i++) next();
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    chance: (share) => next() < share,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    pick: (choices) => {
      const [first] = choices;
      if (!first) throw new RangeError('nothing to pick from');
      let remaining = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      return (choices.find(([, weight]) => (remaining -= weight) < 0) ?? first)[0];
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string, salt: number): number {
  return [...text].reduce((h, char) => Math.imul(h ^ (char.codePointAt(0) ?? 0), 16_777_619), 2_166_136_261 ^ salt);
}

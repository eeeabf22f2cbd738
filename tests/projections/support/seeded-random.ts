// Chance that can be repeated: SEED=<number> plays a run again.

export type Chance = { readonly seed: number; below(end: number): number };

export function chance(seed = Number(process.env['SEED'] ?? 7)): Chance {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { seed, below: (end) => Math.floor(next() * end) };
}

/** Says with which seed it failed. */
export async function withSeed<T>({ seed }: Chance, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (err) {
    if (err instanceof Error) err.message = `${err.message} (SEED=${seed})`;
    throw err;
  }
}

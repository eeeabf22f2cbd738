// Shared parts of all benchmarks: result rows, and side-by-side measurement of alternatives.

export type BenchRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly ok?: boolean;
};

/** Runs a benchmark. `short` uses fewer and smaller rounds, `long` adds measurements of tens of minutes. */
export type Bench = (short: boolean, long: boolean) => Promise<BenchRow[]>;

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the operations per second of one run of `work`, which returns their number. */
export async function rate(work: () => number | Promise<number>): Promise<number> {
  const start = performance.now();
  const count = await work();
  return (count / (performance.now() - start)) * 1000;
}

/**
 * Returns medians of `rounds` interleaved rounds after one warm-up round, so that other load affects all alternatives alike.
 * Each alternative prepares itself and returns the rate that it measured.
 */
export async function sideBySide<K extends string>(
  rounds: number,
  alternatives: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number>> {
  const names = Object.keys(alternatives) as K[];
  const found = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      globalThis.gc?.();
      const value = await alternatives[name]();
      if (round > 0) found.get(name)?.push(value);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Record<K, number>;
}

/** Returns a row that passes if `value` is at least `least`. */
export function atLeast(name: string, value: number, least: number, unit: string): BenchRow {
  return { name, value, unit, target: `>= ${least}`, ok: value >= least };
}

/** Returns a row that passes if `value` is at most `most`. */
export function atMost(name: string, value: number, most: number, unit: string): BenchRow {
  return { name, value, unit, target: `<= ${most}`, ok: value <= most };
}

/** Returns the quantile for a share from 0 to 1. Throws without values: a benchmark that measured nothing must not pass. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

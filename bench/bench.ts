// What every bench module shares: the row it reports, and measuring alternatives side by side.

export type BenchRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly ok?: boolean;
};

/** A module's measurements; `short` is a quick look with fewer and smaller rounds, `long` has all that was asked about. */
export type Bench = (short: boolean, long: boolean) => Promise<BenchRow[]>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Operations per second of one run of `work`, which says how many it did. */
export async function rate(work: () => number | Promise<number>): Promise<number> {
  const start = performance.now();
  const count = await work();
  return (count / (performance.now() - start)) * 1000;
}

/**
 * Medians of `rounds` interleaved rounds after one to warm up: what else the machine does then hits all alternatives alike.
 * Each alternative does its own preparation and returns the rate it measured.
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

/** A row that passes when `value` is at least `least`. */
export function atLeast(name: string, value: number, least: number, unit: string): BenchRow {
  return { name, value, unit, target: `>= ${least}`, ok: value >= least };
}

/** A row that passes when `value` is at most `most`. */
export function atMost(name: string, value: number, most: number, unit: string): BenchRow {
  return { name, value, unit, target: `<= ${most}`, ok: value <= most };
}

/** The value below which such a share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

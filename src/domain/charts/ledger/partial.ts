// Partial results of some of the customers, before rounding: each part of the customers is queried separately and merged. A customer is in
// exactly one part, so all numbers add up, also those that count a customer once.
import { unconvertedOf } from '../currency.js';
import type { UnconvertedCharges } from '../result/result.js';

type Sums = Float64Array<ArrayBuffer>;

/** Tables of sums in sequence: those of the segments, then that of the whole. */
export type PartialSeries = { readonly kind: 'series'; readonly sums: Sums };

/** Tables of rows. `earliest` is when the first member joined, UTC ms; Infinity for none. */
export type PartialCohorts = {
  readonly kind: 'cohorts';
  readonly sizes: Sums;
  readonly earliest: Sums;
  readonly sums: Sums;
};

/** Numbers of members by columns due, by columns paid, and by column of refunded payments. */
export type Renewals = { size: number; readonly due: number[]; readonly paid: number[]; readonly revoked: number[] };

/** Rows by segment; null for an empty row. */
export type PartialRenewals = { readonly kind: 'renewals'; readonly rows: readonly (readonly (Renewals | null)[])[] };

export type PartialResult = (PartialSeries | PartialCohorts | PartialRenewals) & {
  /** Transactions without a rate, and the days on which they occurred (their start, UTC ms); omitted if nothing is converted. */
  readonly missing?: { readonly transactions: number; readonly days: readonly number[] };
};

/** Merges partial results of one query. May modify the first one. */
export function mergePartials([first, ...others]: readonly [PartialResult, ...PartialResult[]]): PartialResult {
  return others.reduce((merged, other) => ({ ...mergePair(merged, other), ...mergeMissing([merged, other]) }), first);
}

function mergePair(a: PartialResult, b: PartialResult): PartialResult {
  if (a.kind === 'series' && b.kind === 'series') {
    addTo(a.sums, b.sums);
    return a;
  }
  if (a.kind === 'cohorts' && b.kind === 'cohorts') {
    addTo(a.sizes, b.sizes);
    addTo(a.sums, b.sums);
    for (let i = 0; i < a.earliest.length; i++) a.earliest[i] = Math.min(a.earliest[i] ?? 0, b.earliest[i] ?? 0);
    return a;
  }
  if (a.kind === 'renewals' && b.kind === 'renewals') {
    const rows = a.rows.map((own, n) => own.map((row, i) => sumRenewals([row, b.rows[n]?.[i] ?? null])));
    return { ...a, rows };
  }
  throw new Error(`cannot merge a partial result of kind ${b.kind} into kind ${a.kind}`);
}

function addTo(sums: Sums, others: Sums): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (others[i] ?? 0);
}

function mergeMissing(all: readonly PartialResult[]): Pick<PartialResult, 'missing'> {
  const found = all.flatMap(({ missing = [] }) => missing);
  if (found.length === 0) return {};
  const transactions = found.reduce((sum, one) => sum + one.transactions, 0);
  return { missing: { transactions, days: found.flatMap(({ days }) => days) } };
}

export function unconvertedIn({ missing }: PartialResult): { readonly unconverted?: UnconvertedCharges } {
  return missing ? { unconverted: unconvertedOf(missing.transactions, new Set(missing.days)) } : {};
}

export function addCount(counts: number[], k: number, by = 1): void {
  while (counts.length <= k) counts.push(0);
  counts[k] = (counts[k] ?? 0) + by;
}

export function sumRenewals(rows: readonly (Renewals | null)[]): Renewals | null {
  const all = rows.filter((row) => row !== null);
  const [first, ...others] = all;
  if (!first || others.length === 0) return first ?? null;
  const sum: Renewals = { size: 0, due: [], paid: [], revoked: [] };
  for (const one of all) {
    sum.size += one.size;
    for (const name of ['due', 'paid', 'revoked'] as const) one[name].forEach((by, k) => addCount(sum[name], k, by));
  }
  return sum;
}

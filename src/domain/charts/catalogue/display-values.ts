// Conversion of sums to displayed numbers. All earlier steps use integers.

export type Unit = 'count' | 'usd' | 'percent';
/** A sum, or a ratio of two sums. A ratio with a zero denominator has no value. */
export type Raw = number | { readonly of: number; readonly per: number };

/** Returns the number of rounding steps per unit. */
export function partsOf(unit: Unit): 1 | 100 {
  return unit === 'count' ? 1 : 100;
}

/**
 * Returns counts unchanged, money in units with two decimals (from micros), and rates in percent with two decimals, rounded half away from
 * zero.
 */
export function displayValue(raw: Raw, unit: Unit): number | null {
  const parts = valueInParts(raw, unit);
  return Number.isNaN(parts) ? null : parts / partsOf(unit);
}

/** Returns the same value in whole rounding steps; NaN for no value. */
function valueInParts(raw: Raw, unit: Unit): number {
  return typeof raw === 'number' ? ratioInParts(raw, 1, unit) : ratioInParts(raw.of, raw.per, unit);
}

/** Returns `of / per` in whole rounding steps; NaN if `per` is 0. */
export function ratioInParts(of: number, per: number, unit: Unit): number {
  if (per === 0) return NaN;
  if (unit === 'percent') return rounded(of * 10_000, per);
  return unit === 'usd' ? rounded(of, per * 10_000) : rounded(of, per);
}

function rounded(value: number, by: number): number {
  const top = Math.abs(value);
  const bottom = Math.abs(by);
  const whole = Math.floor(top / bottom);
  const size = 2 * (top - whole * bottom) >= bottom ? whole + 1 : whole;
  return size === 0 ? 0 : value < 0 !== by < 0 ? -size : size;
}

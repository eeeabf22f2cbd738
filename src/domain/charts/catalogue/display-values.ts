// Numbers as results show them. Everything before this is in integers.

export type Unit = 'count' | 'usd' | 'percent';
/** A sum, or a ratio of two; of nothing there is no ratio. */
export type Raw = number | { readonly of: number; readonly per: number };

/** Into how many parts of one a value of the unit is rounded. */
export function partsOf(unit: Unit): 1 | 100 {
  return unit === 'count' ? 1 : 100;
}

/** Counts as they are; money from micros to two decimals; rates in percent with two decimals. Half away from zero. */
export function displayValue(raw: Raw, unit: Unit): number | null {
  const parts = valueInParts(raw, unit);
  return Number.isNaN(parts) ? null : parts / partsOf(unit);
}

/** The same as a whole number of parts; NaN for no value. */
export function valueInParts(raw: Raw, unit: Unit): number {
  return typeof raw === 'number' ? ratioInParts(raw, 1, unit) : ratioInParts(raw.of, raw.per, unit);
}

/** The same of `of / per`. */
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

// Sums and roundings of the reference calculator.

export const round = (value: number, step: number) => Math.sign(value) * Math.round(Math.abs(value) / step) * step || 0;
export const usd = (micros: number) => round(micros, 1e4) / 1e6;
export const rate = (of: number, per: number) => (per === 0 ? null : exact(of * 10_000, per) / 100);
export const perOne = (of: number, per: number) => (per === 0 ? null : exact(of, per * 10_000) / 100);
/** Half away from zero, without fractions. */
export function exact(of: number, by: number): number {
  const [n, d] = [BigInt(Math.abs(of)), BigInt(by)];
  const size = Number((2n * n + d) / (2n * d));
  return of < 0 ? -size || 0 : size;
}
export const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);
export function partOf(e: { usd: number; tax: number; fee: number }, type = 'revenue'): number {
  return type === 'revenue' ? e.usd : type === 'proceeds' ? e.usd - e.tax - e.fee : e.usd - e.tax;
}

// Calendar of the reference calculator. It shares nothing with the product: not even this.

export type Interval = 'day' | 'week' | 'month' | 'quarter' | 'year';
export const DAY = 24 * 3600 * 1000;

export function dayOf(t: number): number {
  const d = new Date(t);
  return Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate());
}

export function bucketStart(t: number, interval: Interval): number {
  const d = new Date(dayOf(t));
  if (interval === 'week') while (d.getUTCDay() !== 1) d.setUTCDate(d.getUTCDate() - 1);
  if (interval === 'month' || interval === 'quarter' || interval === 'year') d.setUTCDate(1);
  if (interval === 'quarter') while (![0, 3, 6, 9].includes(d.getUTCMonth())) d.setUTCMonth(d.getUTCMonth() - 1);
  if (interval === 'year') d.setUTCMonth(0);
  return d.getTime();
}

export function plus(t: number, n: number, interval: Interval): number {
  if (interval === 'day') return t + n * DAY;
  if (interval === 'week') return t + n * 7 * DAY;
  return plusMonths(t, n * { month: 1, quarter: 3, year: 12 }[interval]);
}

export function plusMonths(t: number, n: number): number {
  const d = new Date(t);
  const wanted = d.getUTCDate();
  d.setUTCDate(1);
  d.setUTCMonth(d.getUTCMonth() + n);
  const last = new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + 1, 0)).getUTCDate();
  d.setUTCDate(Math.min(wanted, last));
  return d.getTime();
}

/** `n` durations like P1M, P1W, P2Y after `t`. */
export function plusDuration(t: number, n: number, duration: string): number {
  const count = n * Number(/\d+/.exec(duration)?.[0]);
  if (duration.endsWith('D')) return t + count * DAY;
  if (duration.endsWith('W')) return t + count * 7 * DAY;
  return plusMonths(t, duration.endsWith('Y') ? count * 12 : count);
}

export type Bucket = { readonly a: number; readonly b: number; readonly till: number };

export function bucketsOf(start: number, end: number, interval: Interval, now: number): Bucket[] {
  const found: Bucket[] = [];
  for (let t = bucketStart(start, interval); t < end; t = plus(t, 1, interval)) {
    const a = Math.max(t, start);
    const b = Math.min(plus(t, 1, interval), end);
    if (a < now) found.push({ a, b, till: Math.min(b, now) });
  }
  return found;
}

// Two values beside each other as they are shown, and the reasons in the smallest step of their unit: they add up to the difference.
import { displayValue, partsOf, type Unit } from '../catalogue/display-values.js';
import type { RawReason } from './packed.js';

/** `amount` in the unit of the measure. */
export type Reason = RawReason;
export type Difference = {
  readonly then: number | null;
  readonly now: number | null;
  readonly difference: number | null;
  /** Left out for what does not add up, and where nobody has changed. */
  readonly reasons?: readonly Reason[];
};

/** The smallest step that is shown, in units of the sums: micros of a cent. */
export const RAW_STEP: Readonly<Record<Unit, number>> = { count: 1, usd: 10_000, percent: 1 };

/** Values as results show them; `reasons` null for a measure that does not add up. */
export function differenceOf(
  then: number | null,
  now: number | null,
  unit: Unit,
  reasons: (() => readonly RawReason[]) | null,
): Difference {
  if (then === null || now === null) return { then, now, difference: null };
  const parts = partsOf(unit);
  const steps = Math.round(now * parts) - Math.round(then * parts);
  const difference = steps / parts;
  const raw = reasons?.() ?? [];
  return { then, now, difference, ...(raw.length > 0 && { reasons: rounded(raw, steps, unit) }) };
}

/** An amount as it is shown where it stands alone, in the unit. */
export function shownAmount(amount: number, unit: Unit): number {
  return displayValue(amount, unit) ?? 0;
}

/** Each is rounded down, and what is left of the difference goes to those that lost most. */
function rounded(raw: readonly RawReason[], steps: number, unit: Unit): readonly Reason[] {
  const size = RAW_STEP[unit];
  const floors = raw.map(({ amount }) => Math.floor(amount / size));
  const lost = raw.map(({ amount }, i) => amount - (floors[i] ?? 0) * size);
  let left = steps - floors.reduce((a, b) => a + b, 0);
  const order = raw.map((_, i) => i).sort((a, b) => (lost[b] ?? 0) - (lost[a] ?? 0) || a - b);
  if (left < 0) order.reverse();
  for (const i of order) {
    if (left === 0) break;
    const one = Math.sign(left);
    floors[i] = (floors[i] ?? 0) + one;
    left -= one;
  }
  return raw.map((reason, i) => ({ ...reason, amount: (floors[i] ?? 0) / partsOf(unit) }));
}

// Differences between two displayed values, with reasons in whole rounding steps that add up to the difference.
import { displayValue, partsOf, type Unit } from '../catalogue/display-values.js';
import type { RawReason } from './packed-reasons.js';

export type Difference = {
  readonly then: number | null;
  readonly now: number | null;
  readonly difference: number | null;
  /** Amounts are in the unit of the measure. Omitted for measures that do not add up, and if no customer changed. */
  readonly reasons?: readonly RawReason[];
};

/** Size of a rounding step in the unit of the sums (USD micros for money). */
const RAW_STEP: Readonly<Record<Unit, number>> = { count: 1, usd: 10_000, percent: 1 };

/** Compares two displayed values; `reasons` is null for a measure that does not add up. */
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

/** Returns a single amount as displayed, in the unit. */
export function shownAmount(amount: number, unit: Unit): number {
  return displayValue(amount, unit) ?? 0;
}

/** Rounds each amount down, then distributes the rest of the difference to the amounts that lost most. */
function rounded(raw: readonly RawReason[], steps: number, unit: Unit): readonly RawReason[] {
  const size = RAW_STEP[unit];
  const floors = raw.map(({ amount }) => Math.floor(amount / size));
  const lost = raw.map(({ amount }, i) => amount - (floors[i] ?? 0) * size);
  let remainingSteps = steps - floors.reduce((a, b) => a + b, 0);
  const order = raw.map((_, i) => i).sort((a, b) => (lost[b] ?? 0) - (lost[a] ?? 0) || a - b);
  if (remainingSteps < 0) order.reverse();
  for (const i of order) {
    if (remainingSteps === 0) break;
    const one = Math.sign(remainingSteps);
    floors[i] = (floors[i] ?? 0) + one;
    remainingSteps -= one;
  }
  return raw.map((reason, i) => ({ ...reason, amount: (floors[i] ?? 0) / partsOf(unit) }));
}

// Numbers of the kinds of reasons in a comparison of ledgers.
import { otherKinds } from '../../compare/history-changes.js';
import { findKindNumber, kindName, KINDS } from '../knowledge-time.js';

/** Numbers after those of the event types. */
export const TIME = KINDS;
export const SETTING = KINDS + 1;
export const RATES = KINDS + 2;
export const PRODUCTS = KINDS + 3;
const others: Readonly<Record<number, string>> = {
  [TIME]: otherKinds.time,
  [SETTING]: otherKinds.setting,
  [RATES]: otherKinds.rates,
  [PRODUCTS]: otherKinds.products,
};
const otherNumbers = new Map(Object.entries(others).map(([number, kind]) => [kind, Number(number)]));

export function reasonName(kind: number): string {
  return others[kind] ?? kindName(kind);
}

/** Returns the number of a reason; undefined if unknown. */
export function reasonNumber(kind: string): number | undefined {
  return otherNumbers.get(kind) ?? findKindNumber(kind);
}

// Hypothetical rules for charts: another store commission, another refund policy. The customer's history is changed before it is read, so
// that everything derived from it is computed as usual.
import { z } from 'zod';
import { refundPolicy, type RefundPolicy } from '../subscriber/events/blocks.js';
import type { Adjustment, CustomerHistory, History, Line } from './history/history.js';

/** Valid names of chart replays. */
export const REPLAY_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Hypothetical rules; an omitted rule stays as it was. `commission` is the share (0..1) of the gross price that the stores retain. */
export const whatIfSchema = z.strictObject({
  refundPolicy: refundPolicy.optional(),
  commission: z.number().min(0).max(1).optional(),
});
export type WhatIf = Readonly<z.output<typeof whatIfSchema>>;

/** Returns a canonical text of the rules; empty if they change nothing. */
export function whatIfText({ refundPolicy, commission }: WhatIf = {}): string {
  return [refundPolicy ?? [], commission ?? []].flat().join(' ');
}

/** Returns the history that these rules would have led to; the same object if they change nothing. */
export function historyUnder<C extends CustomerHistory>(customer: C, whatIf: WhatIf | undefined): C {
  if (!whatIf || whatIfText(whatIf) === '') return customer;
  const merged = customer.merged.map((m) => ({ ...m, history: changedHistory(m.history, whatIf) }));
  return { ...customer, own: changedHistory(customer.own, whatIf), merged };
}

function changedHistory(h: History, whatIf: WhatIf): History {
  const adjustments = mapValues(h.adjustments, (all) => all.map((a) => changedAdjustment(a, whatIf)));
  return { ...h, lines: mapValues(h.lines, (line) => changedLine(line, whatIf)), adjustments };
}

function changedLine(line: Line, { commission: fee }: WhatIf): Line {
  return fee === undefined ? line : { ...line, periods: line.periods.map((period) => ({ ...period, fee })) };
}

function changedAdjustment(a: Adjustment, { commission: fee, refundPolicy }: WhatIf): Adjustment {
  if (a.kind !== 'refund') return a;
  const purchase = a.purchase && fee !== undefined ? { ...a.purchase, fee } : a.purchase;
  return { ...a, purchase, cuts: refundPolicy === undefined ? a.cuts : cutsUnder(refundPolicy, a) };
}

type Refund = Extract<Adjustment, { kind: 'refund' }>;

/**
 * Returns whether a refund ends access under the policy: only a refund of the latest transaction of its chain can. A decision under the
 * same policy is retained, because it also considered whether there was access left.
 */
function cutsUnder(policy: RefundPolicy, { cuts, policy: decided, isLatest }: Refund): boolean {
  return decided === policy ? cuts : policy === 'revoke_immediately' && isLatest;
}

function mapValues<T>(of: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

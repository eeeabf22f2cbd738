// What a chart would show under other rules: another share of the stores, another refund policy. A customer's history is changed before it
// is read, so that everything that follows from it is computed as ever.
import { z } from 'zod';
import { refundPolicy, type RefundPolicy } from '../subscriber/events/blocks.js';
import type { Adjustment, CustomerHistory, History, Line } from './history/history.js';

/** The names that a chart replay may have. */
export const REPLAY_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A rule that is left out is the one by which things happened. `commission`: share (0..1) of the gross price that the stores keep. */
export const whatIfSchema = z.strictObject({
  refundPolicy: refundPolicy.optional(),
  commission: z.number().min(0).max(1).optional(),
});
export type WhatIf = Readonly<z.output<typeof whatIfSchema>>;

/** The same text for the same rules; empty where nothing is changed. */
export function whatIfText({ refundPolicy, commission }: WhatIf = {}): string {
  return [refundPolicy ?? [], commission ?? []].flat().join(' ');
}

/** The history as these rules would have made it; the history itself where they change nothing. */
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
 * Only a refund of the latest transaction of its chain can take access, under whatever policy. What was decided under the same policy stays
 * as it was: it knew, besides, whether there was access left to take.
 */
function cutsUnder(policy: RefundPolicy, { cuts, policy: decided, isLatest }: Refund): boolean {
  return decided === policy ? cuts : policy === 'revoke_immediately' && isLatest;
}

function mapValues<T>(of: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

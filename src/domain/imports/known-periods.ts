// Periods of a purchase line that are recorded here when rows about the line are imported. A row's absence from a file says nothing.
import type { RetainedUpdate } from '../envelope.js';
import { parseUpdate } from '../subscriber/ordering/update-order.js';
import { isSameInstant } from '../time.js';
import type { ImportedPurchase } from './facts.js';

/** Period that is known by a message of the store or an earlier import. */
export type KnownPeriod = Pick<
  ImportedPurchase,
  'transactionId' | 'storeProductId' | 'purchasedAt' | 'expiresAt' | 'billingIssueAt'
>;

/** Returns the periods in the retained updates of a line. */
export function periodsIn(updates: readonly RetainedUpdate[]): readonly KnownPeriod[] {
  const commands = updates.flatMap((update) => parseUpdate(update).parsed);
  const failures = new Map(
    commands.flatMap((c) => (c.kind === 'recordBillingFailure' ? [[c.shown, c.storeTime] as const] : [])),
  );
  return commands.flatMap((c) => {
    if (c.kind !== 'recordPeriod') return [];
    const { transactionId, storeProductId } = c.purchase;
    const billingIssueAt = failures.get(transactionId) ?? null;
    return [{ transactionId, storeProductId, purchasedAt: c.purchasedAt, expiresAt: c.expiresAt, billingIssueAt }];
  });
}

/** Takes the times that are recorded here where those of the file are the same, and less precise. */
export function withKnownTimes(fact: ImportedPurchase, known: readonly KnownPeriod[]): ImportedPurchase {
  const same = known.find(({ transactionId }) => transactionId === fact.transactionId);
  if (!same) return fact;
  const preciseOf = (time: string | null, other: string | null) =>
    time !== null && other !== null && isSameInstant(time, other) ? other : time;
  const purchasedAt = preciseOf(fact.purchasedAt, same.purchasedAt) ?? fact.purchasedAt;
  return { ...fact, purchasedAt, expiresAt: preciseOf(fact.expiresAt, same.expiresAt) };
}

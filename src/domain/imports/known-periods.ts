// Periods of a purchase line that are recorded here when rows about the line are imported. A row's absence from a file says nothing.
import type { RetainedUpdate } from '../envelope.js';
import { parseUpdate } from '../subscriber/ordering/update-order.js';
import { isSameInstant, latest } from '../time.js';
import type { ImportedPurchase } from './facts.js';

/** Period that is known by a message of the store or an earlier import. */
export type KnownPeriod = Pick<
  ImportedPurchase,
  'transactionId' | 'storeProductId' | 'purchasedAt' | 'expiresAt' | 'graceExpiresAt' | 'billingIssueAt'
>;

/** Returns the periods in the retained updates of a line, one for each report of a period. */
export function periodsIn(updates: readonly RetainedUpdate[]): readonly KnownPeriod[] {
  const commands = updates.flatMap((update) => parseUpdate(update).parsed);
  const failures = new Map<string | undefined, Pick<KnownPeriod, 'billingIssueAt' | 'graceExpiresAt'>>();
  const extendedTo = new Map<string | undefined, string>();
  for (const c of commands) {
    if (c.kind === 'recordExtension') extendedTo.set(c.shown, latest(extendedTo.get(c.shown) ?? '', c.expiresAt));
    if (c.kind !== 'recordBillingFailure') continue;
    const graceExpiresAt = latestOrNull(failures.get(c.shown)?.graceExpiresAt ?? null, c.graceEndsAt);
    failures.set(c.shown, { billingIssueAt: c.storeTime, graceExpiresAt });
  }
  return commands.flatMap((c) => {
    if (c.kind !== 'recordPeriod') return [];
    const { transactionId, storeProductId } = c.purchase;
    const { billingIssueAt = null, graceExpiresAt = null } = failures.get(transactionId) ?? {};
    const expiresAt = latest(c.expiresAt, extendedTo.get(transactionId) ?? '');
    return [{ transactionId, storeProductId, purchasedAt: c.purchasedAt, expiresAt, graceExpiresAt, billingIssueAt }];
  });
}

type ReportedEnd = Pick<KnownPeriod, 'expiresAt' | 'graceExpiresAt' | 'billingIssueAt'>;

/** Adds a failed charge, a grace period and a later end that are recorded here: the row may be older, or of a service that clears them. */
export function withKnownEnds<P extends ReportedEnd>(period: P, known: readonly ReportedEnd[]): P {
  return known.reduce<P>((before, one) => {
    const expiresAt = before.expiresAt === null ? null : latestOrNull(before.expiresAt, one.expiresAt);
    const graceExpiresAt = latestOrNull(before.graceExpiresAt, one.graceExpiresAt);
    return { ...before, expiresAt, graceExpiresAt, billingIssueAt: before.billingIssueAt ?? one.billingIssueAt };
  }, period);
}

function latestOrNull(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : latest(a, b);
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

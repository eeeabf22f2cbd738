// Start of a state of knowledge as one number: the instant in UTC ms and, in the fraction of the millisecond, the step within that instant
// and the kind of event. Instants are whole numbers, so `from < asOf <= to` also works with knowledge times.
import type { ChartEventType } from '../history/record.js';

export type RecordedType = ChartEventType | 'CustomerMerged' | 'PurchaseHistoryRevised';

/** Persisted with the rows: a new type takes the next number, below {@link KINDS}. */
const numbers: Readonly<Record<RecordedType, number>> = {
  CustomerCreated: 0,
  CustomerSeen: 1,
  CustomerMerged: 2,
  SubscriptionStarted: 3,
  SubscriptionRenewed: 4,
  SubscriptionAutoRenewDisabled: 5,
  SubscriptionAutoRenewEnabled: 6,
  SubscriptionGracePeriodEntered: 7,
  SubscriptionGracePeriodExpired: 8,
  SubscriptionBillingRetryEntered: 9,
  SubscriptionPaused: 10,
  SubscriptionExpired: 11,
  SubscriptionRevoked: 12,
  SubscriptionExtended: 13,
  OneTimePurchaseCompleted: 14,
  TransactionRefunded: 15,
  TransactionRefundReversed: 16,
  TransactionPriceCorrected: 17,
  PurchaseHistoryRevised: 18,
};
/** Number of possible kinds. */
export const KINDS = 32;

const byKind: ReadonlyMap<string, number> = new Map(Object.entries(numbers));
const names = new Map([...byKind].map(([kind, number]) => [number, kind]));

/** Returns the number of an event type; undefined if unknown. */
export function findKindNumber(kind: string): number | undefined {
  return byKind.get(kind);
}

export function kindNumber(kind: string): number {
  const number = byKind.get(kind);
  if (number === undefined) throw new Error(`unknown event type ${kind}`);
  return number;
}

export function kindName(number: number): string {
  return names.get(number) ?? '';
}

/** Number of steps that can be distinguished within one instant. */
export const STEPS = 64;
/** A double is precise enough for this fraction until the year 2109. */
const PARTS = STEPS * KINDS;

export function knowledgeTimeOf(instant: number, step: number, kind: number): number {
  return instant + (step * KINDS + kind) / PARTS;
}

/** Returns the kind number of a knowledge time. */
export function kindAt(knowledgeTime: number): number {
  return ((knowledgeTime - Math.floor(knowledgeTime)) * PARTS) % KINDS;
}

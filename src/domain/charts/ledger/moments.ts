// When a state of knowledge begins, as one number: the instant in UTC ms, and in the fraction of the millisecond which step of that instant
// it is, and by which kind of event. Instants are whole numbers: `from < asOf <= to` asks the same of moments.
import type { ChartEventType } from '../history/record.js';

type LearnedBy = ChartEventType | 'CustomerMerged' | 'PurchaseHistoryRevised';

/** Kept with the rows: a new one takes the next number, below {@link KINDS}. */
const numbers: Readonly<Record<LearnedBy, number>> = {
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
/** So many numbers there may be. */
export const KINDS = 32;

const byKind: ReadonlyMap<string, number> = new Map(Object.entries(numbers));
const names = new Map([...byKind].map(([kind, number]) => [number, kind]));

/** Undefined for what is no such type. */
export function findKindNumber(kind: string): number | undefined {
  return byKind.get(kind);
}

export function kindNumber(kind: string): number {
  const number = byKind.get(kind);
  if (number === undefined) throw new Error(`the ledger knows no events of type ${kind}`);
  return number;
}

export function kindName(number: number): string {
  return names.get(number) ?? '';
}

/** So many steps of one instant are told apart. */
export const STEPS = 64;
/** A double has room for it up to the year 2109. */
const PARTS = STEPS * KINDS;

export function momentOf(instant: number, step: number, kind: number): number {
  return instant + (step * KINDS + kind) / PARTS;
}

export function instantOf(moment: number): number {
  return Math.floor(moment);
}

/** The number of the kind of event. */
export function kindAt(moment: number): number {
  return ((moment - Math.floor(moment)) * PARTS) % KINDS;
}

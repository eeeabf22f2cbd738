// The commands of a subscriber; those made from store messages are in `store-commands.ts`.
import type { ImportedRow } from '../../envelope.js';
import type { Money } from '../../money.js';
import type { SubscriberEventData } from '../events/events.js';
import type { MoneyEvent } from '../state/payer.js';
import type { AppDownload, Enrolment, Profile, PurchaseLine } from '../state/state.js';
import type { StoreCommand } from './store-commands.js';

/** Creates the customer if unknown. It comes before any other event about the customer. */
export type RegisterCustomer = FromImport & {
  readonly kind: 'registerCustomer';
  readonly appUserId: string;
  readonly source: 'sdk' | 'api' | 'store' | 'import';
  readonly country?: string | null;
  readonly platform?: string | null;
  readonly appVersion?: string | null;
  /** Creation time of the customer; default: the time of the command. */
  readonly at?: string;
} & CallerTrust;

/** `appUserId`: name of the customer in the request; it may be an alias. */
export type SetAttributes = FromImport & {
  readonly kind: 'setAttributes';
  readonly appUserId?: string;
  readonly changes: readonly AttributeChange[];
} & CallerTrust;

/** The row that the command follows from. */
type FromImport = { readonly importedFrom?: ImportedRow };

/** `isTrusted`: written with a secret key or by a user. A public key can be extracted from the app. */
type CallerTrust = { readonly isTrusted?: boolean };

/** `receivedAt`: time by the server's clock. It replaces an `updatedAt` that is missing or in the future. */
export type AttributeChange = {
  readonly key: string;
  readonly value: string | null;
  readonly updatedAt: string;
  readonly receivedAt: string;
};

/** Applies a deadline that has passed. `expectedAt`: the deadline that was scheduled; `dueBefore` must have reached it. */
export type PassDeadline = {
  readonly kind: 'passDeadline';
  readonly target: string;
  readonly expectedAt: string;
  readonly dueBefore: string;
};

/** Update of one purchase line. `orderedAt`: time of the store's message; for a receipt, of the purchase (ISO 8601 UTC). */
export type StoreUpdate = {
  readonly orderedAt: string;
  readonly commands: readonly StoreCommand[];
  readonly importedFrom?: ImportedRow;
};
/**
 * Records updates in the order of `orderedAt`, independent of the order of arrival. `passedBefore`: deadlines of the line before this time
 * pass as well (ISO 8601 UTC), for updates that are about the past.
 */
export type RecordStoreUpdates = {
  readonly kind: 'recordStoreUpdates';
  readonly storeChainId: string;
  readonly updates: readonly StoreUpdate[];
  readonly passedBefore?: string;
};

/** Fills in a price or rate that became known after the charge was recorded. */
export type CorrectPrice = { readonly kind: 'correctPrice'; readonly transactionId: string; readonly money: Money };

export type GrantPromotional = FromImport & {
  readonly kind: 'grantPromotional';
  readonly grantId: string;
  readonly entitlementId: string;
  readonly lookupKey: string;
  readonly duration: string | null;
  readonly startsAt: string;
  readonly expiresAt: string | null;
  /** Time of the grant; default: the time of the command. */
  readonly at?: string;
};
export type RevokePromotional = {
  readonly kind: 'revokePromotional';
  readonly entitlementId: string;
  readonly now: string;
};

export type Erase = {
  readonly kind: 'erase';
  readonly keys: readonly { readonly subject: string; readonly guard: string }[];
  readonly mergedCustomerIds: readonly string[];
};

export type Enrol = { readonly kind: 'enrol' } & Omit<Enrolment, 'enrolledAt'>;

/** Records an answer to the store's question about a refund. */
export type RecordRefundAnswer = {
  readonly kind: 'recordRefundAnswer';
  readonly answer: SubscriberEventData['RefundAnswerSent'];
};

export type RecordAppDownload = { readonly kind: 'recordAppDownload'; readonly download: AppDownload };

type Transfer<K extends string> = {
  readonly kind: K;
  readonly fromCustomerId: string;
  readonly toCustomerId: string;
  readonly storeChainId: string;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
};
export type ReleaseLine = Transfer<'releaseLine'>;
export type TakeLine = Transfer<'takeLine'> & { readonly line: PurchaseLine };

/** Books a money event from the stream of the current holder (`heldBy`) for the customer who paid. */
export type BookForPayer = { readonly kind: 'bookForPayer'; readonly heldBy: string; readonly event: MoneyEvent };

/** Data that a merged customer hands over, apart from purchases. */
export type CarriedData = Pick<
  Profile,
  'first' | 'aliases' | 'attributes' | 'trust' | 'grants' | 'experiments' | 'downloads' | 'spentMicros'
>;
export type MergeIn = CarriedData & {
  readonly kind: 'mergeIn';
  readonly mergedCustomerId: string;
  readonly mergedAppUserId: string;
};
export type MergeInto = { readonly kind: 'mergeInto'; readonly customerId: string; readonly appUserId: string };

export type SubscriberCommand =
  | RegisterCustomer
  | SetAttributes
  | StoreCommand
  | RecordStoreUpdates
  | PassDeadline
  | CorrectPrice
  | GrantPromotional
  | RevokePromotional
  | Enrol
  | RecordAppDownload
  | RecordRefundAnswer
  | Erase
  | ReleaseLine
  | TakeLine
  | BookForPayer
  | MergeIn
  | MergeInto;

// The commands of a subscriber; those made from store messages are in `store-commands.ts`.
import type { Money } from '../../money.js';
import type { MoneyEvent } from '../state/payer.js';
import type { Enrolment, Profile, PurchaseLine } from '../state/state.js';
import type { StoreCommand } from './store-commands.js';

/** Makes the customer unless known; any event about an unknown customer is preceded by it. */
export type RegisterCustomer = {
  readonly kind: 'registerCustomer';
  readonly appUserId: string;
  readonly source: 'sdk' | 'api' | 'store' | 'import';
  readonly country?: string | null;
  readonly platform?: string | null;
  readonly appVersion?: string | null;
  /** When the customer came to be; the command's own time when left out. */
  readonly at?: string;
} & FromCaller;

/** `appUserId`: how the caller named the customer, who may have another name by now. */
export type SetAttributes = {
  readonly kind: 'setAttributes';
  readonly appUserId?: string;
  readonly changes: readonly AttributeChange[];
} & FromCaller;

/** `isTrusted`: a secret key or a user; a public key can be read out of the app by anybody. */
type FromCaller = { readonly isTrusted?: boolean };

/** `receivedAt`: by the server's clock; also `updatedAt` where the client gave no time, or one ahead of that clock. */
export type AttributeChange = {
  readonly key: string;
  readonly value: string | null;
  readonly updatedAt: string;
  readonly receivedAt: string;
};

/** Time passed: `expectedAt` is the deadline that was seen; `now - slack` must have reached it. */
export type PassDeadline = {
  readonly kind: 'passDeadline';
  readonly target: string;
  readonly expectedAt: string;
  readonly dueBefore: string;
};

/**
 * A store's update of one purchase line. `saidAt`: the time of the store's message (ISO 8601 UTC); of a receipt, when the purchase took place.
 */
export type StoreUpdate = {
  readonly saidAt: string;
  readonly commands: readonly StoreCommand[];
  /** The store was asked just now: nothing older can come later, so a response that changes nothing need not be kept. */
  readonly isStoreRead?: true;
};
/** Decided in the order of `saidAt`, whatever the order of arrival. */
export type RecordStoreUpdates = {
  readonly kind: 'recordStoreUpdates';
  readonly storeChainId: string;
  readonly updates: readonly StoreUpdate[];
};

/** A price or rate learned after the charge was recorded. Nothing when the value is known already. */
export type CorrectPrice = { readonly kind: 'correctPrice'; readonly transactionId: string; readonly money: Money };

export type GrantPromotional = {
  readonly kind: 'grantPromotional';
  readonly grantId: string;
  readonly entitlementId: string;
  readonly lookupKey: string;
  readonly duration: string | null;
  readonly startsAt: string;
  readonly expiresAt: string | null;
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

type Transfer<K extends string> = {
  readonly kind: K;
  readonly fromCustomerId: string;
  readonly toCustomerId: string;
  readonly storeChainId: string;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
};
export type ReleaseLine = Transfer<'releaseLine'>;
export type TakeLine = Transfer<'takeLine'> & { readonly line: PurchaseLine };

/** Money of a purchase that `heldBy` holds by now, as its stream shows it. */
export type BookForPayer = { readonly kind: 'bookForPayer'; readonly heldBy: string; readonly event: MoneyEvent };

/** What a customer had besides purchases when it was merged away. */
export type Carried = Pick<
  Profile,
  'first' | 'aliases' | 'attributes' | 'trust' | 'grants' | 'experiments' | 'spentMicros'
>;
export type MergeIn = Carried & {
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
  | Erase
  | ReleaseLine
  | TakeLine
  | BookForPayer
  | MergeIn
  | MergeInto;

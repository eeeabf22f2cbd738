// Commands made from store messages: neutral, so that each store's translator makes the same ones.
// They are kept in the log as JSON (`meta.update`) and decided again: fields are only ever added, as optional ones.
// `storeTime` is the time of the store's message (ISO 8601 UTC); null for sources without intents (a receipt).
import type { Money } from '../../money.js';
import type {
  CancelReason,
  ExpirationReason,
  Offer,
  OneTimePurchaseRef,
  PeriodType,
  Price,
  RefundPolicy,
  RevocationReason,
} from '../events/blocks.js';

type StoreCommandOf<K extends string> = {
  readonly kind: K;
  readonly storeChainId: string;
  readonly storeTime: string | null;
  /** When the store was asked, where it responds with what is true then and not with what was true at `storeTime`. */
  readonly readAt?: string;
  /** The transaction that the store's message shows; absent where it shows none. */
  readonly shown?: string;
};

/** `inferred`: read from a snapshot, not from a notification of its own. */
type Readable = { readonly inferred: boolean };

/** `reason`: what the store calls it. A `purchase` is the customer's own act; recoveries and re-signups while it lasts are renewals. */
export type RecordPeriod = StoreCommandOf<'recordPeriod'> &
  Readable & {
    readonly purchase: OneTimePurchaseRef;
    /** The id that the subscription gets if this period begins a new one. */
    readonly newSubscriptionId: string;
    readonly reason: 'purchase' | 'renewal';
    readonly periodType: PeriodType;
    readonly periodDuration: string | null;
    readonly productDuration: string | null;
    readonly purchasedAt: string;
    readonly expiresAt: string;
    readonly money: Money;
    readonly offer: Offer;
    /**
     * The store does not show when it began: where the one before ended, if nothing came between them; else `purchasedAt`. `inGrace`: a
     * payment that was late; only a running grace period has filled the time until then.
     */
    readonly followsOn?: 'always' | 'inGrace';
    /** The store's end is not the contract's (it includes a grace period): a transaction that is known keeps its own. */
    readonly keepsEnd?: true;
    /** When the store signed what a device shows: by then the end was this one. Absent for messages, which have their `storeTime`. */
    readonly signedAt?: string;
    /** The store names the purchase whose place this one takes: the former one was running until then. */
    readonly replacesRunning?: true;
    /** No order shows a charge: if it ends with what the former purchase of the same product has paid for, there was none. */
    readonly isChargeUnproven?: true;
  };

/** Bought, not paid yet: gives no access until its period arrives. */
export type RecordPending = StoreCommandOf<'recordPending'> & {
  readonly purchase: OneTimePurchaseRef;
  readonly newSubscriptionId: string;
  readonly pendingSince: string;
  /** The store names the purchase whose place this one will take. */
  readonly replacesRunning?: true;
};
export type RecordPendingCancelled = StoreCommandOf<'recordPendingCancelled'> & {
  /** Null: of the subscription that waits; else a one-time purchase. */
  readonly purchase: OneTimePurchaseRef | null;
  readonly reason: string;
};

export type RecordOneTimePurchase = StoreCommandOf<'recordOneTimePurchase'> & {
  readonly purchase: OneTimePurchaseRef;
  readonly productType: 'consumable' | 'non_consumable' | 'non_renewing_subscription';
  readonly quantity: number;
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly money: Money;
  readonly offer: Offer;
};

/** `effectiveAt`: when it takes effect, where that is not the end of access (a commitment's end). */
export type RecordAutoRenew = StoreCommandOf<'recordAutoRenew'> &
  Readable & { readonly on: boolean; readonly reason: CancelReason; readonly effectiveAt?: string };

export type RecordBillingFailure = StoreCommandOf<'recordBillingFailure'> &
  Readable & { readonly graceEndsAt: string | null };
export type RecordGraceEnd = StoreCommandOf<'recordGraceEnd'>;
export type RecordExpiry = StoreCommandOf<'recordExpiry'> & {
  readonly reason: ExpirationReason;
  /** Where the store shows when access ended (ISO 8601 UTC), however late it is asked; while it tried to charge, that is not the end. */
  readonly endedAt?: string;
};

/** Which product the next renewal is of. Its own product: no change is planned (any more). */
export type RecordNextProduct = StoreCommandOf<'recordNextProduct'> &
  Readable & {
    readonly productId: string | null;
    readonly storeProductId: string;
    /** Null: at the contract's end. */
    readonly effectiveAt: string | null;
  };

/** `changed`: by the developer's own call, without anybody's consent. */
export type RecordPriceIncrease = StoreCommandOf<'recordPriceIncrease'> &
  Readable & {
    readonly status: 'requested' | 'accepted' | 'changed';
    readonly newPrice: Price | null;
    readonly effectiveAt: string | null;
    readonly respondBy: string | null;
  };

/** `pauseAt` null: at the contract's end. `planned` false: the pause was cancelled; null: changed, but the message does not show how. */
export type RecordPausePlan = StoreCommandOf<'recordPausePlan'> &
  Readable & {
    readonly planned: boolean | null;
    readonly pauseAt: string | null;
    readonly autoResumeAt: string | null;
  };
export type RecordPause = StoreCommandOf<'recordPause'> &
  Readable & { readonly pausedAt: string; readonly autoResumeAt: string | null };

/** The end moved by the developer through the store, free of charge. */
export type RecordExtension = StoreCommandOf<'recordExtension'> & Readable & { readonly expiresAt: string };
export type RecordExtensionFailure = StoreCommandOf<'recordExtensionFailure'> & { readonly requestIdentifier: string };

export type RecordOffer = StoreCommandOf<'recordOffer'> & { readonly offer: Offer };
export type RecordMetadata = StoreCommandOf<'recordMetadata'> & {
  readonly details: Readonly<Record<string, string | null>>;
};
/** `storeChainId` is the new name of the chain. */
export type RecordMigration = StoreCommandOf<'recordMigration'> & { readonly fromChainId: string };

/** Of the period, or one-time purchase, that the transaction is. */
export type RecordRevocation = StoreCommandOf<'recordRevocation'> & {
  readonly transactionId: string;
  readonly revokedAt: string;
  readonly reason: RevocationReason;
};

/** The store marks the charge as replaced by an upgrade, at `storeTime` or before; it does not show by which charge. */
export type RecordReplacement = StoreCommandOf<'recordReplacement'> & { readonly transactionId: string };

export type RecordRefund = StoreCommandOf<'recordRefund'> & {
  readonly transactionId: string;
  readonly refundedAt: string;
  readonly refund: { readonly kind: 'full' | 'prorated' | 'partial_quantity'; readonly share: number };
  readonly policy: RefundPolicy;
};
export type RecordRefundReversal = StoreCommandOf<'recordRefundReversal'> & {
  readonly transactionId: string;
  readonly reversedAt: string;
};
export type RecordRefundDeclined = StoreCommandOf<'recordRefundDeclined'> & { readonly transactionId: string };
export type RecordConsumptionRequest = StoreCommandOf<'recordConsumptionRequest'> & {
  readonly transactionId: string;
  readonly reason: string | null;
  readonly respondBy: string;
  readonly pendingRefundToken: string | null;
};

export type StoreCommand =
  | RecordPeriod
  | RecordPending
  | RecordPendingCancelled
  | RecordOneTimePurchase
  | RecordAutoRenew
  | RecordBillingFailure
  | RecordGraceEnd
  | RecordExpiry
  | RecordNextProduct
  | RecordPriceIncrease
  | RecordPausePlan
  | RecordPause
  | RecordExtension
  | RecordExtensionFailure
  | RecordOffer
  | RecordMetadata
  | RecordMigration
  | RecordRevocation
  | RecordReplacement
  | RecordRefund
  | RecordRefundReversal
  | RecordRefundDeclined
  | RecordConsumptionRequest;

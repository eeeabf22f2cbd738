// Commands made from store messages: neutral, so that each store's translator makes the same ones.
// They are stored in the log as JSON (`meta.update`) and decided again: fields are only ever added, as optional ones.
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
  /** Time of the store API request, if the response is valid as of then and not as of `storeTime`. */
  readonly readAt?: string;
  /** Transaction in the store's message; absent if it contains none. */
  readonly shown?: string;
};

/** `inferred`: read from a snapshot, not from a notification of its own. */
type SnapshotOrigin = { readonly inferred: boolean };

/** `reason`: as the store reports it. A `purchase` is an act of the customer; recoveries and sign-ups during the period are renewals. */
export type RecordPeriod = StoreCommandOf<'recordPeriod'> &
  SnapshotOrigin & {
    readonly purchase: OneTimePurchaseRef;
    /** Id of the subscription if this period begins a new one. */
    readonly newSubscriptionId: string;
    readonly reason: 'purchase' | 'renewal';
    readonly periodType: PeriodType;
    readonly periodDuration: string | null;
    readonly productDuration: string | null;
    readonly purchasedAt: string;
    readonly expiresAt: string;
    /** End of the commitment that this period is one of the payments of. */
    readonly commitmentEndsAt?: string;
    readonly money: Money;
    readonly offer: Offer;
    /**
     * The store does not report the start: it is the end of the previous period if there is no gap, else `purchasedAt`. `inGrace`: a late
     * payment; only a running grace period fills the time until then.
     */
    readonly followsOn?: 'always' | 'inGrace';
    /** The end includes a grace period: a known transaction keeps its own end. */
    readonly keepsEnd?: true;
    /** The store reports the end of access as it is now: a known transaction may end earlier than before. */
    readonly isCurrentEnd?: true;
    /** Time of the customer's cancellation: after the paid time, the end is that of a grace period. */
    readonly cancelledAt?: string;
    /** Time at which the store signed the receipt, as of which the end is valid. Absent for messages, which have `storeTime`. */
    readonly signedAt?: string;
    /** The store reports the purchase that this one replaces: the previous one was running until then. */
    readonly replacesRunning?: true;
    /** No order proves a charge: there was none if the period ends with the previous purchase of the same product. */
    readonly isChargeUnproven?: true;
  };

/** Records an unpaid purchase, which gives no access until its period arrives. */
export type RecordPending = StoreCommandOf<'recordPending'> & {
  readonly purchase: OneTimePurchaseRef;
  readonly newSubscriptionId: string;
  readonly pendingSince: string;
  /** The store reports the purchase that this one will replace. */
  readonly replacesRunning?: true;
};
export type RecordPendingCancelled = StoreCommandOf<'recordPendingCancelled'> & {
  /** One-time purchase; null for the pending subscription. */
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

/** `effectiveAt`: time at which it takes effect, if that is not the end of access (a commitment's end). */
export type RecordAutoRenew = StoreCommandOf<'recordAutoRenew'> &
  SnapshotOrigin & { readonly on: boolean; readonly reason: CancelReason; readonly effectiveAt?: string };

export type RecordBillingFailure = StoreCommandOf<'recordBillingFailure'> &
  SnapshotOrigin & { readonly graceEndsAt: string | null };
export type RecordGraceEnd = StoreCommandOf<'recordGraceEnd'>;
export type RecordExpiry = StoreCommandOf<'recordExpiry'> & {
  readonly reason: ExpirationReason;
  /** End of access reported by the store (ISO 8601 UTC), valid at any later time; after billing retries it is not the end. */
  readonly endedAt?: string;
};

/** Product of the next renewal. The current product: no change is planned (any more). */
export type RecordNextProduct = StoreCommandOf<'recordNextProduct'> &
  SnapshotOrigin & {
    readonly productId: string | null;
    readonly storeProductId: string;
    /** Time of the change; null: the end of the contract. */
    readonly effectiveAt: string | null;
  };

/** `changed`: by a request of the developer, without consent of the customer. */
export type RecordPriceIncrease = StoreCommandOf<'recordPriceIncrease'> &
  SnapshotOrigin & {
    readonly status: 'requested' | 'accepted' | 'changed';
    readonly newPrice: Price | null;
    readonly effectiveAt: string | null;
    readonly respondBy: string | null;
  };

/** `pauseAt` null: at the contract's end. `planned` false: the pause was cancelled; null: changed, but the message does not show how. */
export type RecordPausePlan = StoreCommandOf<'recordPausePlan'> &
  SnapshotOrigin & {
    readonly planned: boolean | null;
    readonly pauseAt: string | null;
    readonly autoResumeAt: string | null;
  };
export type RecordPause = StoreCommandOf<'recordPause'> &
  SnapshotOrigin & { readonly pausedAt: string; readonly autoResumeAt: string | null };

/** Records an extension by the developer through the store, free of charge. */
export type RecordExtension = StoreCommandOf<'recordExtension'> & SnapshotOrigin & { readonly expiresAt: string };
export type RecordExtensionFailure = StoreCommandOf<'recordExtensionFailure'> & { readonly requestIdentifier: string };

export type RecordOffer = StoreCommandOf<'recordOffer'> & { readonly offer: Offer };
export type RecordMetadata = StoreCommandOf<'recordMetadata'> & {
  readonly details: Readonly<Record<string, string | null>>;
};
/** `storeChainId` is the new name of the chain. */
export type RecordMigration = StoreCommandOf<'recordMigration'> & { readonly fromChainId: string };

/** Revokes the period or the one-time purchase of the transaction. */
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
  readonly refund: {
    /** `partial_quantity`: of a part of what was bought, which leaves the access of the rest. */
    readonly kind: 'full' | 'prorated' | 'partial_quantity';
    readonly share: number;
    /** The share is that of all refunds of the charge so far; `amount`: their sum, which decides if the charge is known in its currency. */
    readonly isTotal?: true;
    readonly amount?: { readonly amountMicros: number; readonly currency: string };
  };
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

// Chart data of one customer as plain JSON: the normal form of all events that affect a measure. Times are UTC milliseconds. Every entry
// has the time it took effect (`at`) and the time it was recorded (`known`), so that charts can be computed as of any past instant.
import type { PeriodType, RefundPolicy } from '../../subscriber/events/blocks.js';

export type Stamp = {
  readonly at: number;
  readonly known: number;
  /** Time at which the entry was withdrawn; absent while it is valid. */
  readonly gone?: number;
  /** Type of the event that recorded the entry; absent if it follows from the kind of entry (see `stepsOf`). */
  readonly by?: string;
};

/** Attributes for filters and segments, as of the start of the subscription, also after a product change in its trial. */
export type About = {
  readonly store: string;
  readonly appId: string;
  readonly productId: string | null;
  /** Store ID of the product, set only if the product was not in the catalogue when it was bought. */
  readonly storeProductId?: string;
  readonly productDuration: string | null;
  readonly offeringId: string | null;
  readonly offerType: string | null;
  readonly startReason: string | null;
  readonly country: string | null;
};

/**
 * One period or one-time purchase. `usd` in micros, null if unknown; `tax` and `fee` are shares of it; `until` is null for one-time
 * purchases.
 */
export type Period = Stamp & {
  readonly id: string;
  readonly type: PeriodType | 'one_time';
  readonly until: number | null;
  readonly duration: string | null;
  readonly usd: number | null;
  readonly tax: number;
  readonly fee: number;
};

/** Change of a subscription between payments. `cut` means that the store ended it. */
export type Mark = Stamp &
  (
    | { readonly kind: 'renew_on' | 'renew_off' | 'cut' }
    | { readonly kind: 'grace' | 'extended'; readonly until: number }
  );

/** Attributes, environment and ownership of a purchase. */
export type Origin = { readonly about: About; readonly isSandbox: boolean; readonly isShared: boolean };

/**
 * Change of the money of one transaction. A refund is `share` of the price if given, else `usd`. With `purchase`, it counts although the
 * charge belongs to another customer.
 */
export type Adjustment = Stamp &
  (
    | {
        readonly kind: 'refund';
        readonly usd: number | null;
        readonly share: number | null;
        /** True if the refund ended access, as decided under `policy`. */
        readonly cuts: boolean;
        readonly policy: RefundPolicy;
        /** True for the latest transaction of its chain: only its refund can end access. */
        readonly isLatest: boolean;
        readonly purchase: (Origin & { readonly tax: number; readonly fee: number }) | null;
      }
    | { readonly kind: 'reversal' }
    | { readonly kind: 'corrected'; readonly usd: number | null }
  );

/** One subscription or one-time purchase. */
export type Line = Origin & {
  /** True if `about` comes from the start of the subscription, false if it comes from the earliest renewal seen. */
  readonly isStarted: boolean;
  readonly periods: readonly Period[];
  readonly marks: readonly Mark[];
};

export type History = {
  readonly created: (Stamp & { readonly country: string | null; readonly platform: string | null }) | null;
  readonly seen: readonly Stamp[];
  /** Lines by subscription ID, or by transaction ID for one-time purchases. */
  readonly lines: { readonly [id: string]: Line };
  /** Adjustments by transaction ID. */
  readonly adjustments: { readonly [id: string]: readonly Adjustment[] };
};

export const noHistory: History = { created: null, seen: [], lines: {}, adjustments: {} };

export type MergeRecord = Stamp & { readonly customerId: string; readonly history: History };

/** History of a customer: its own, those of customers merged into it, and, after it was merged itself, the customer that took it over. */
export type CustomerHistory = {
  readonly own: History;
  readonly merged: readonly MergeRecord[];
  readonly movedTo: (Stamp & { readonly customerId: string }) | null;
};

export const emptyCustomerHistory: CustomerHistory = { own: noHistory, merged: [], movedTo: null };

/** Returns whether the entry counts as of `asOf`: it took effect and was recorded before, and was not withdrawn by then. */
function isKnown({ at, known, gone = Infinity }: Stamp, asOf: number): boolean {
  return at < asOf && known < asOf && gone >= asOf;
}

/** Filter of entries by knowledge. */
export type Knowledge = <S extends Stamp>(stamps: readonly S[]) => readonly S[];

/** Returns the filter for what was known at `asOf` (UTC ms); Infinity for all that is known now. */
export function knownAt(asOf: number): Knowledge {
  return asOf === Infinity ? valid : (stamps) => stamps.filter((s) => isKnown(s, asOf));
}

/** Returns the entries that are not withdrawn. */
export function valid<S extends Stamp>(stamps: readonly S[]): readonly S[] {
  return stamps.some((f) => f.gone !== undefined) ? stamps.filter((f) => f.gone === undefined) : stamps;
}

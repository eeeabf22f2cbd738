// What the charts know of one customer, as plain JSON: the normal form of all events that bear on a measure. Times are UTC milliseconds;
// every entry has when it took effect (`at`) and when it was learned (`known`), so that charts can be computed as of any past moment.
import type { PeriodType, RefundPolicy } from '../../subscriber/events/blocks.js';

export type Stamp = {
  readonly at: number;
  readonly known: number;
  /** When it was learned that the entry does not hold; absent while it does. */
  readonly gone?: number;
  /** The type of the event that it was learned by; absent where {@link file://./learned.ts} knows it from the kind of entry. */
  readonly by?: string;
};

/** What purchases are filtered and split by; as the subscription started, also after a change of product in its trial. */
export type About = {
  readonly store: string;
  readonly appId: string;
  readonly productId: string | null;
  /** What the store calls it, where the catalogue did not know the product when it was bought. */
  readonly storeProductId?: string;
  readonly productDuration: string | null;
  readonly offeringId: string | null;
  readonly offerType: string | null;
  readonly startReason: string | null;
  readonly country: string | null;
};

/** One period or one-time purchase. `usd` in micros, null if unknown; `tax` and `fee` are shares of it; `until` is null for goods. */
export type Period = Stamp & {
  readonly id: string;
  readonly type: PeriodType | 'one_time';
  readonly until: number | null;
  readonly duration: string | null;
  readonly usd: number | null;
  readonly tax: number;
  readonly fee: number;
};

/** What happens to a subscription between payments. `cut`: the store ended it. */
export type Mark = Stamp &
  (
    | { readonly kind: 'renew_on' | 'renew_off' | 'cut' }
    | { readonly kind: 'grace' | 'extended'; readonly until: number }
  );

/** Where a purchase belongs. */
export type Origin = { readonly about: About; readonly isSandbox: boolean; readonly isShared: boolean };

/**
 * What happens to the money of one transaction. A refund is `share` of the price where it is given, else `usd`. With `purchase` it counts
 * although the charge is another customer's.
 */
export type Adjustment = Stamp &
  (
    | {
        readonly kind: 'refund';
        readonly usd: number | null;
        readonly share: number | null;
        /** True when the refund took access, as decided under `policy`. */
        readonly cuts: boolean;
        readonly policy: RefundPolicy;
        /** True for the latest transaction of its chain: only a refund of that one can take access. */
        readonly isLatest: boolean;
        readonly purchase: (Origin & { readonly tax: number; readonly fee: number }) | null;
      }
    | { readonly kind: 'reversal' }
    | { readonly kind: 'corrected'; readonly usd: number | null }
  );

/** One subscription, or one one-time purchase. */
export type Line = Origin & {
  /** `about` is that of the start, not of the earliest renewal seen. */
  readonly isStarted: boolean;
  readonly periods: readonly Period[];
  readonly marks: readonly Mark[];
};

export type History = {
  readonly created: (Stamp & { readonly country: string | null; readonly platform: string | null }) | null;
  readonly seen: readonly Stamp[];
  /** By subscription id, or by transaction id for one-time purchases. */
  readonly lines: { readonly [id: string]: Line };
  /** By transaction id. */
  readonly adjustments: { readonly [id: string]: readonly Adjustment[] };
};

export const noHistory: History = { created: null, seen: [], lines: {}, adjustments: {} };

export type Merged = Stamp & { readonly customerId: string; readonly history: History };

/** A customer's own history, those of customers merged in, and, once it is merged itself, since when it counts there. */
export type CustomerHistory = {
  readonly own: History;
  readonly merged: readonly Merged[];
  readonly movedTo: (Stamp & { readonly customerId: string }) | null;
};

export const emptyCustomerHistory: CustomerHistory = { own: noHistory, merged: [], movedTo: null };

/** False for what took effect or was learned at or after `asOf`, and for what was known by then not to hold. */
export function isKnown({ at, known, gone = Infinity }: Stamp, asOf: number): boolean {
  return at < asOf && known < asOf && gone >= asOf;
}

/** Chooses, of all entries, those that are known. */
export type Knowledge = <S extends Stamp>(stamps: readonly S[]) => readonly S[];

/** What is known at `asOf` (UTC ms) of the time before it; Infinity for all that is known. */
export function knownAt(asOf: number): Knowledge {
  return asOf === Infinity ? valid : (stamps) => stamps.filter((s) => isKnown(s, asOf));
}

/** Of all that is known by now: what still holds. */
export function valid<S extends Stamp>(stamps: readonly S[]): readonly S[] {
  return stamps.some((f) => f.gone !== undefined) ? stamps.filter((f) => f.gone === undefined) : stamps;
}

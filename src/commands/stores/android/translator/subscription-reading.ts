// Response of the android-store about one purchase token, with the recorded facts about its items.
import type { AndroidSubscription } from '../../../../adapters/android-store/port.js';

export type SubscriptionReading = {
  readonly purchaseToken: string;
  /** First token of the linked purchases. */
  readonly storeChainId: string;
  readonly subscription: AndroidSubscription;
  /** Type of the notification that triggered the read; null for a receipt, a poll or our own request. */
  readonly type: string | null;
  /** Time of the notification or of the request. */
  readonly storeTime: string;
  /** Product of the replaced purchase. */
  readonly replacedProductId: string | null;
  /** True if another purchase replaced it: it has no intents any more. */
  readonly isReplaced: boolean;
  /** True if its add-ons continue under the same chains in the successor. */
  readonly handsOnAddOns: boolean;
  /** Number of its orders, counted from the first, that have been recorded. */
  readonly charges: number;
  /** True if a planned change has taken place: the token was recorded with another product. */
  readonly isOtherProduct: boolean;
  readonly known: KnownItems;
  /** True for an add-on of the purchase. */
  readonly isAddOn: boolean;
};

/** Recorded items of a token: the subscription itself (null if unknown), and its add-ons. */
export type KnownItems = {
  readonly storeProductId: string | null;
  readonly addOns: readonly string[];
  /** Token that names the chains of its add-ons; null: its own. */
  readonly addOnRoot: string | null;
};

// Response of the android-store about one purchase token, with the recorded facts about its items.
import type { AndroidSubscription } from '../../../../adapters/android-store/port.js';

export type SubscriptionReading = {
  readonly purchaseToken: string;
  /** The first token of the purchases that the store has linked. */
  readonly storeChainId: string;
  readonly subscription: AndroidSubscription;
  /** Type of the notification that triggered the read; null for a receipt, a poll or our own request. */
  readonly type: string | null;
  /** The notification's time, or that of the question. */
  readonly storeTime: string;
  /** The product of the purchase that this one took the place of. */
  readonly replacedProductId: string | null;
  /** Another purchase has taken its place: it yields no intents any more. */
  readonly isReplaced: boolean;
  /** True if its add-ons continue under the same chains in the successor. */
  readonly handsOnAddOns: boolean;
  /** Number of its orders, counted from the first, that have been recorded. */
  readonly charges: number;
  /** True if a planned change has taken place: the token was recorded with another product. */
  readonly isOtherProduct: boolean;
  readonly known: KnownItems;
  /** It is about something that was added to the purchase. */
  readonly isAddOn: boolean;
};

/** Recorded items of a token: the subscription itself (null if unknown), and its add-ons. */
export type KnownItems = {
  readonly storeProductId: string | null;
  readonly addOns: readonly string[];
  /** The token by which the chains of its added parts are named; null: its own. */
  readonly addOnRoot: string | null;
};

// The android-store's response about one purchase token, and what is known already of what it bought.
import type { AndroidSubscription } from '../../../../adapters/android-store/port.js';

export type SubscriptionReading = {
  readonly purchaseToken: string;
  /** The first token of the purchases that the store has linked. */
  readonly storeChainId: string;
  readonly subscription: AndroidSubscription;
  /** What the notification was called that led here; null: a receipt, a sweep, a question of our own. */
  readonly type: string | null;
  /** The notification's time, or that of the question. */
  readonly storeTime: string;
  /** The product of the purchase that this one took the place of. */
  readonly replacedProductId: string | null;
  /** Another purchase has taken its place: it yields no intents any more. */
  readonly isReplaced: boolean;
  /** What was added to it goes on under the same chains in the purchase that took its place. */
  readonly handsOnAddOns: boolean;
  /** How many of its orders, counted from the first, have been recorded. */
  readonly charges: number;
  /** A planned change has taken place: the token was known to have bought another product. */
  readonly isOtherProduct: boolean;
  readonly known: KnownItems;
  /** It is about something that was added to the purchase. */
  readonly isAddOn: boolean;
};

/** What a token is known to have bought: the subscription itself (null: not known yet), and what was added to it. */
export type KnownItems = {
  readonly storeProductId: string | null;
  readonly addOns: readonly string[];
  /** The token by which the chains of its added parts are named; null: its own. */
  readonly addOnRoot: string | null;
};

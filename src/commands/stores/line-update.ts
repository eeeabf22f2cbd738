// What a store's translator makes of the store's words: neutral facts, which are decided and recorded alike whatever store they are of.
import type { StoreFactCommand } from '../../domain/subscriber/decide/store-facts.js';

/** Facts about one store chain, oldest first, and the name that the store gives its owner. */
export type StoreFacts = {
  readonly storeChainId: string;
  readonly facts: readonly StoreFactCommand[];
  /** When the store said it, where that is not the time that the facts carry: of a response, when it was asked. */
  readonly saidAt?: string;
  readonly accountToken: string | null;
  /** When the transaction took place, for a customer that comes to be through it. */
  readonly firstAt: string;
  /** Another chain, whose owner owns this one too: its former name, or the purchase that it was added to. */
  readonly ownedWith?: string;
};

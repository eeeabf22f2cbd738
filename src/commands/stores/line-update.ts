// What a store's translator makes of a message, a receipt or a read: commands that are the same whatever the store.
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';

/**
 * What a store shows of one purchase line: `facts` are store commands, oldest first. Re-processing names its command by the JSON of this
 * (`reprocess.ts`), so the keys and their order stay as they are.
 */
export type LineUpdate = {
  readonly storeChainId: string;
  readonly facts: readonly StoreCommand[];
  /** The time of the update where it is not that of the commands: of a read, when the store was asked (ISO 8601 UTC). */
  readonly saidAt?: string;
  readonly accountToken: string | null;
  /** When the transaction took place, for a customer that comes to be through it. */
  readonly firstAt: string;
  /** Another chain, whose owner owns this one too: its former name, or the purchase that it was added to. */
  readonly ownedWith?: string;
};

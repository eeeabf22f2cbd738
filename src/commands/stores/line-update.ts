// Result of a store's translator for a message, a receipt or a read: commands that are the same for every store.
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';

/**
 * Update of one purchase line: `commands` are store commands, oldest first. A new key, or another order of the keys, changes {@link
 * serializeUpdates}.
 */
export type LineUpdate = {
  readonly storeChainId: string;
  readonly commands: readonly StoreCommand[];
  /** Time of the update where it differs from that of the commands: of a read, the time of the request (ISO 8601 UTC). */
  readonly orderedAt?: string;
  readonly accountToken: string | null;
  /** Time of the transaction, for a customer that is created by it. */
  readonly firstAt: string;
  /** Another chain with the same owner: its former name, or the purchase that it was added to. */
  readonly ownedWith?: string;
};

/**
 * Serializes the translation of a message, to detect an equal second translation. Command ids in the log are derived from the result, so
 * that `commands` keeps its original name `facts` in it.
 */
export function serializeUpdates(translated: LineUpdate | readonly LineUpdate[]): string {
  const renameCommands = (update: LineUpdate) =>
    Object.fromEntries(Object.entries(update).map(([key, value]) => [key === 'commands' ? 'facts' : key, value]));
  return JSON.stringify('storeChainId' in translated ? renameCommands(translated) : translated.map(renameCommands));
}

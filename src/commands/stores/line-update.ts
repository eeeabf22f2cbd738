// What a store's translator makes of a message, a receipt or a read: commands that are the same whatever the store.
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';

/**
 * What a store shows of one purchase line: `commands` are store commands, oldest first. A new key, or another order of the keys, changes
 * {@link textOfUpdates}.
 */
export type LineUpdate = {
  readonly storeChainId: string;
  readonly commands: readonly StoreCommand[];
  /** The time of the update where it is not that of the commands: of a read, when the store was asked (ISO 8601 UTC). */
  readonly saidAt?: string;
  readonly accountToken: string | null;
  /** When the transaction took place, for a customer that comes to be through it. */
  readonly firstAt: string;
  /** Another chain, whose owner owns this one too: its former name, or the purchase that it was added to. */
  readonly ownedWith?: string;
};

/**
 * JSON of what a message was translated to, by which a second translation is recognised as the same. Names of commands in the log follow
 * from it, so that `commands` keeps the name that it had first.
 */
export function textOfUpdates(translated: LineUpdate | readonly LineUpdate[]): string {
  const named = (update: LineUpdate) =>
    Object.fromEntries(Object.entries(update).map(([key, value]) => [key === 'commands' ? 'facts' : key, value]));
  return JSON.stringify('storeChainId' in translated ? named(translated) : translated.map(named));
}

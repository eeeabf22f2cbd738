// Store commands as the store updates in whose order they are decided.
import type { StoreUpdate } from '../../domain/subscriber/decide/commands.js';
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';

/**
 * A message is one update. A receipt comes without the store's time: each transaction in it has its place by its own time.
 * `saidAt`: when the store was asked (ISO 8601 UTC), for a response that is the truth of that instant whatever led to the question.
 */
export function updatesOf(storeCommands: readonly StoreCommand[], saidAt?: string): readonly StoreUpdate[] {
  if (saidAt !== undefined) {
    const commands = storeCommands.map((command) => ({ ...command, readAt: saidAt }));
    return commands.length === 0 ? [] : [{ saidAt, commands, isStoreRead: true }];
  }
  const updates = new Map<string, StoreCommand[]>();
  for (const command of storeCommands) {
    const at = command.storeTime ?? happenedAt(command);
    updates.set(at, [...(updates.get(at) ?? []), command]);
  }
  return [...updates].map(([at, commands]) => ({ saidAt: at, commands }));
}

function happenedAt(command: StoreCommand): string {
  if ('purchasedAt' in command) return command.purchasedAt;
  if ('refundedAt' in command) return command.refundedAt;
  return 'revokedAt' in command ? command.revokedAt : '';
}

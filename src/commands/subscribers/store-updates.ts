// Facts from a store as the updates in whose order they are decided.
import type { StoreUpdate } from '../../domain/subscriber/decide/commands.js';
import type { StoreFactCommand } from '../../domain/subscriber/decide/store-facts.js';

/**
 * A message is one update. What a device shows says nothing of when the store said it: each transaction has its place by its own time.
 * `saidAt`: when the store was asked (ISO 8601 UTC), for a response that is the truth of that instant whatever led to the question.
 */
export function updatesOf(facts: readonly StoreFactCommand[], saidAt?: string): readonly StoreUpdate[] {
  if (saidAt !== undefined) {
    const commands = facts.map((fact) => ({ ...fact, readAt: saidAt }));
    return commands.length === 0 ? [] : [{ saidAt, commands, isStoreRead: true }];
  }
  const updates = new Map<string, StoreFactCommand[]>();
  for (const fact of facts) {
    const at = fact.storeTime ?? happenedAt(fact);
    updates.set(at, [...(updates.get(at) ?? []), fact]);
  }
  return [...updates].map(([at, commands]) => ({ saidAt: at, commands }));
}

function happenedAt(fact: StoreFactCommand): string {
  if ('purchasedAt' in fact) return fact.purchasedAt;
  if ('refundedAt' in fact) return fact.refundedAt;
  return 'revokedAt' in fact ? fact.revokedAt : '';
}

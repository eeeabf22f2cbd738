// Days on which customers were first seen, as charts count them.
import { customerHistories, type FirstSeenDoc } from '../charts/customer-histories.js';
import type { ReadModels } from '../queries/read-models.js';

/** Customers that were merged one into another; a longer chain is not followed. */
const MAX_MERGES = 20;

/** Returns the days by customer; for one that was merged into another, that of the other. */
export async function readFirstSeenDays(
  readModels: ReadModels,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  /** Customers that are counted as the one that is read next. */
  let wanted = new Map(customerIds.map((id) => [id, [id]]));
  for (let merges = 0; merges <= MAX_MERGES && wanted.size > 0; merges++) {
    const ids = [...wanted.keys()];
    const docs = await readModels.getManyDerived<FirstSeenDoc>(customerHistories, 'first_seen_days', ids);
    const next = new Map<string, string[]>();
    for (const [id, { day, movedTo }] of docs) {
      const counted = wanted.get(id) ?? [];
      if (movedTo !== undefined) next.set(movedTo, [...(next.get(movedTo) ?? []), ...counted]);
      else if (day !== null) for (const one of counted) found.set(one, day);
    }
    wanted = next;
  }
  return found;
}

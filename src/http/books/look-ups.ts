// Results of looking up the orders and groups that only a report has: recorded, or why not.
import { z } from 'zod';
import type { BookEntry } from '../../domain/books/entries.js';
import { groupLookUpId, isOrderId } from '../../domain/books/look-ups.js';
import { lookUpOutcomes, lookUpTexts } from '../../domain/books/look-up-outcomes.js';
import type { EntryPlace } from '../../projections/books/month-view.js';
import { orderLookUpId, orderLookUps, type OrderLookUpDoc } from '../../projections/models/order-look-ups.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { Services } from '../dispatch/services.js';

export const lookUp = z.strictObject({
  outcome: z.enum([...lookUpOutcomes, 'waiting', 'not_named']),
  text: z.string(),
  at: z.string().nullable(),
});

const WAITING = 'The order is looked up at the store, at most 1,000 of a report a day and 5,000 in all.';
const NOT_NAMED =
  'The report names no transactions: the histories of customers who may be meant are read from the store within a day. You can also ask for past notifications (`subledger import notifications`).';

export function presentLookUp(
  { cause, orderId }: BookEntry,
  found: OrderLookUpDoc | undefined,
): BodyOf<typeof lookUp> | null {
  if (found) return { outcome: found.outcome, text: lookUpTexts[found.outcome], at: found.at };
  if (cause !== 'missing_here') return null;
  if (orderId === null) return { outcome: 'not_named', text: NOT_NAMED, at: null };
  if (!isOrderId(orderId)) return { outcome: 'unknown_order', text: lookUpTexts.unknown_order, at: null };
  return { outcome: 'waiting', text: WAITING, at: null };
}

/** Returns the name under which the look-up of an entry is recorded; null if it is not looked up. */
export function lookUpNameOf({ cause, orderId, rows: [line] }: BookEntry): string | null {
  if (orderId !== null) return orderId;
  return cause === 'missing_here' && line ? groupLookUpId(line) : null;
}

/** Returns the look-ups of the entries, by name. */
export async function lookUpsOf(
  { readModels }: Pick<Services, 'readModels'>,
  projectId: string,
  entries: readonly EntryPlace[],
): Promise<ReadonlyMap<string, OrderLookUpDoc>> {
  const ids = entries.flatMap(({ entry }) => {
    const name = lookUpNameOf(entry);
    return name === null ? [] : [orderLookUpId(projectId, name)];
  });
  const docs = await readModels.getMany(orderLookUps, [...new Set(ids)]);
  return new Map([...docs.values()].map((doc) => [doc.orderId, doc]));
}

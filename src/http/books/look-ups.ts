// Results of looking up the orders that only a report has: recorded, or why not.
import { z } from 'zod';
import type { BookEntry } from '../../domain/books/entries.js';
import { isOrderId } from '../../domain/books/look-ups.js';
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
  'The report names no transactions: refresh the customers who bought this product in this country, or ask for past notifications (`subledger import notifications`).';

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

/** Returns the look-ups of the entries' orders, by order. */
export async function lookUpsOf(
  { readModels }: Pick<Services, 'readModels'>,
  projectId: string,
  entries: readonly EntryPlace[],
): Promise<ReadonlyMap<string, OrderLookUpDoc>> {
  const ids = entries.flatMap(({ entry: { orderId } }) =>
    orderId === null ? [] : [orderLookUpId(projectId, orderId)],
  );
  const docs = await readModels.getMany(orderLookUps, [...new Set(ids)]);
  return new Map([...docs.values()].map((doc) => [doc.orderId, doc]));
}

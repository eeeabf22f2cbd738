// Product IDs of a request that attaches or detaches: in its body or, since proxies drop the bodies of DELETE, in its query.
import { z } from 'zod';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';

const productIds = z.array(id).min(1).max(100);

export const productsBody = z
  .union([z.strictObject({ productIds }), z.strictObject({ productId: id })], 'send productIds (or productId)')
  .transform((b) => ('productIds' in b ? b.productIds : [b.productId]));

export const productsQuery = z.strictObject({ productIds: z.string().max(8000).optional() });

/** Returns the product IDs of the body, or else those of the query. */
export function productIdsOf(body: readonly string[] | undefined, inQuery: string | undefined): readonly string[] {
  const named = body ?? inQuery?.split(',');
  if (!named) throw new HttpError(400, 'send productIds (or productId)');
  return productIds.parse(named);
}

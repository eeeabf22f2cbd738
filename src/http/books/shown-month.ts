// A month of the books to be shown: as known now, or at an instant.
import { MAX_CUSTOMERS_AS_OF } from '../../projections/books/transactions-as-of.js';
import { viewOf } from '../../projections/books/month-view.js';
import { instant } from '../bodies/request-schemas.js';
import { expectAsOf } from '../customers/read-customer.js';
import type { Services } from '../dispatch/services.js';
import { readBooks } from './closing-view.js';

export const asOf = instant.optional().meta({
  description: `The month as it was known then. Refused for a month with purchases of more than ${MAX_CUSTOMERS_AS_OF} customers.`,
});

/** Returns a month as known now, or at an instant, with the state of the books. Throws {@link HttpError} 400 for an instant without data. */
export async function readShownMonth(services: Services, projectId: string, of: string, instantOf: string | undefined) {
  if (instantOf === undefined) {
    const read = await services.books.view(projectId, of);
    return { read, books: await readBooks(services, projectId) };
  }
  await expectAsOf(services, projectId, instantOf);
  const known = await services.booksAsOf.month(projectId, of, instantOf);
  return { read: { ...viewOf(known.month), isOutdated: false }, books: known.books };
}

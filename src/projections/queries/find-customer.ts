// Whom a store's account token belongs to, by the attribute that the app registered.
import type { KeyedHash } from '../../domain/ids.js';
import { customers, exactTerm, type TermDoc } from '../models/customers.js';
import type { ReadModels } from './read-models.js';

/** Finds the app user id, or null. May lag behind the log: use it to choose a customer, then check the stream. */
export function createFindByAccountToken(readModels: ReadModels, hash: KeyedHash) {
  return async (projectId: string, token: string): Promise<string | null> => {
    const scan = { index: 'term', eq: [projectId, 'exact', exactTerm(hash, projectId, token)], limit: 1 };
    const { rows } = await readModels.scanDerived<TermDoc>(customers, 'customer_terms', scan);
    const [row] = rows;
    return row ? ((await readModels.get(customers, row.doc.customerId))?.profile.appUserId ?? null) : null;
  };
}

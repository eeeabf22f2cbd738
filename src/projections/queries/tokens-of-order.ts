// Finds the purchase tokens under which the android-store's charges of an order are recorded.
import { firstOrderOf } from '../../domain/imports/period-terms.js';
import { transactionDocId, transactions } from '../models/transactions.js';
import type { ReadModels } from './read-models.js';

/** A page of the charges: all of them are of one purchase, and one that names its token is enough. */
const LIMIT = 20;

/** The result lags behind the log. */
export function createFindTokensOfOrder(readModels: ReadModels) {
  return async (projectId: string, appId: string, firstOrderId: string): Promise<readonly string[]> => {
    const from = transactionDocId(projectId, firstOrderId);
    // The IDs of renewals end in `..0`, `..1` and so on; a colon sorts after the digits.
    const scan = { index: 'id', eq: [], from, to: `${from}..:`, limit: LIMIT };
    const { rows } = await readModels.scan(transactions, scan);
    const own = rows.filter(({ doc }) => doc.appId === appId && firstOrderOf(doc.transactionId) === firstOrderId);
    return [...new Set(own.map(({ doc }) => doc.originalTransactionId))];
  };
}

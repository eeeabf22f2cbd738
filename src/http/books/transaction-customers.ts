// Customers of the transactions that comparisons name.
import { transactionDocId, transactions } from '../../projections/models/transactions.js';
import type { Services } from '../dispatch/services.js';

/** Returns the customers by transaction ID; unknown transactions are not in the map. */
export async function customersOf(
  { readModels }: Pick<Services, 'readModels'>,
  projectId: string,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(transactionIds.map((one) => transactionDocId(projectId, one)));
  const docs = await readModels.getMany(transactions, [...ids]);
  return new Map([...docs.values()].map(({ transactionId, customerId }) => [transactionId, customerId]));
}

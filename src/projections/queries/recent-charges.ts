// Finds the charges of an app that its store may still give back.
import { transactions, type TransactionDoc } from '../models/transactions.js';
import type { ReadModels } from './read-models.js';

const PAGE = 500;

type ChargeSelection = {
  readonly projectId: string;
  readonly appId: string;
  readonly kind: 'purchase' | 'renewal';
  readonly since: string;
  readonly after?: string;
};

/** The result lags behind the log. Charges that are refunded in full are left out. */
export function createFindRecentCharges(readModels: ReadModels) {
  return async ({ projectId, appId, kind, since, after }: ChargeSelection) => {
    const eq = [projectId, 'production', kind];
    const scan = { index: 'money', eq, from: since, limit: PAGE, ...(after !== undefined && { after }) };
    const { rows, next } = await readModels.scan(transactions, scan);
    const charges = rows.map(({ doc }) => doc).filter((doc) => doc.appId === appId && !isRefundedInFull(doc));
    return { transactionIds: charges.map(({ transactionId }) => transactionId), ...(next !== undefined && { next }) };
  };
}

function isRefundedInFull({ money, refundedAt, refundedUsdMicros }: TransactionDoc): boolean {
  return refundedAt !== null && (refundedUsdMicros === null || refundedUsdMicros >= (money.usdMicros ?? 0));
}

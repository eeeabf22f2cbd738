// Finds the customers and the purchases of an account token.
import type { Doc, Scan } from '../../adapters/documents/port.js';
import { collectRows } from '../../adapters/documents/records.js';
import { accountTokens, type AccountTokenDoc } from '../models/account-tokens.js';
import { customers, type TermDoc } from '../models/customers.js';
import type { ReadModelPage, ReadModels } from './read-models.js';

const PAGE = 200;

/** The result lags behind the log: select a customer or a line by it, then check the stream. */
export function createFindByAccountToken(readModels: ReadModels) {
  return async (projectId: string, key: string) => {
    const terms = { index: 'term', eq: [projectId, 'accountToken', key] };
    const [attributeTerms, arrived] = await Promise.all([
      all(terms, (scan) => readModels.scanDerived<TermDoc>(customers, 'customer_terms', scan)),
      all({ index: 'token', eq: [projectId, key] }, (scan) => readModels.scan<AccountTokenDoc>(accountTokens, scan)),
    ]);
    return {
      attributeOf: attributeTerms.map(({ customerId }) => customerId),
      receiptsOf: arrived.filter(({ customerId }) => customerId !== ''),
      lines: arrived.flatMap(({ store, ...line }) => (store === '' ? [] : [{ ...line, store }])),
    };
  };
}

async function all<D extends Doc>(
  selection: Pick<Scan, 'index' | 'eq'>,
  read: (scan: Scan) => Promise<ReadModelPage<D>>,
): Promise<readonly D[]> {
  return (await collectRows({ ...selection, limit: PAGE }, read)).map(({ doc }) => doc);
}

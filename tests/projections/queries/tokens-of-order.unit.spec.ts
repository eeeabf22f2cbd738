// The look-up of recorded charges by the first order of their purchase, on documents.
import { expect } from 'chai';
import { transactions } from '../../../src/projections/models/transactions.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { createFindTokensOfOrder } from '../../../src/projections/queries/tokens-of-order.js';
import type { Serving } from '../../../src/projections/rebuild/serving.js';
import { memoryDeps } from '../../commands/support/memory-deps.js';

describe('tokens of an order', () => {
  it('are those of its own charges in the app, whichever renewal is recorded', async () => {
    const { deps } = await memoryDeps();
    const { name: c } = transactions;
    await deps.docs.ensure([{ name: c, indexes: [] }]);
    const charges = [
      ['GPA.10..3', 'app_1', 'token-a'],
      ['GPA.10..11', 'app_1', 'token-b'],
      ['GPA.100', 'app_1', 'token-c'],
      ['GPA.20', 'app_2', 'token-d'],
      ['GPA.20..0', 'app_1', 'token-e'],
      ['GPA.30', 'app_1', 'token-f'],
    ] as const;
    const writes = charges.map(([transactionId, appId, originalTransactionId], n) => {
      const doc = { projectId: 'proj_1', transactionId, appId, originalTransactionId };
      return { c, id: `proj_1|${transactionId}`, expect: null, guard: `${n + 1}`, doc };
    });
    await deps.docs.write([writes]);
    const serving = { collection: () => Promise.resolve(c) } as unknown as Serving;
    const find = createFindTokensOfOrder(createReadModels(deps.docs, serving));
    const found = ['GPA.10', 'GPA.20', 'GPA.30', 'GPA.1'].map((order) => find('proj_1', 'app_1', order));
    expect(await Promise.all(found)).to.deep.equal([['token-b', 'token-a'], ['token-e'], ['token-f'], []]);
    expect(await find('proj_2', 'app_1', 'GPA.30')).to.deep.equal([]);
  });
});

// Limit of the months that are shown as of an instant.
import { expect } from 'chai';
import { Rejection } from '../../../src/domain/errors.js';
import { createTransactionsAsOf, MAX_CUSTOMERS_AS_OF } from '../../../src/projections/books/transactions-as-of.js';
import type { TransactionDoc } from '../../../src/projections/models/transactions.js';

describe('transactions as of an instant', () => {
  it('are refused for more customers than are read at a time, and known ones stay readable', async () => {
    const log = {
      read: async function* () {
        // No customer has events.
      },
    };
    const known = createTransactionsAsOf({ log, slice: () => Promise.resolve() }, 'proj_1', '2026-11-20T10:00:00.000Z');
    const docs = Array.from(
      { length: MAX_CUSTOMERS_AS_OF + 1 },
      (_, i) => ({ customerId: `cus_${i}`, transactionId: `${i}` }) as TransactionDoc,
    );
    expect((await known.of(docs.slice(0, MAX_CUSTOMERS_AS_OF))).size).to.equal(0);
    const refused = await known.of(docs).catch((err: unknown) => err);
    expect(refused).to.be.instanceOf(Rejection);
    expect((refused as Rejection).code).to.equal('month-too-large');
    expect((await known.of(docs.slice(0, 3))).size).to.equal(0);
  });
});

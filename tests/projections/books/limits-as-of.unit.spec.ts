// Limits of the months that are shown as of an instant.
import { expect } from 'chai';
import { Rejection } from '../../../src/domain/errors.js';
import { checkLinesAsOf, MAX_LINES_AS_OF } from '../../../src/projections/books/month-as-of.js';
import { createTransactionsAsOf, MAX_CUSTOMERS_AS_OF } from '../../../src/projections/books/transactions-as-of.js';
import type { TransactionDoc } from '../../../src/projections/models/transactions.js';

describe('a month as of an instant', () => {
  const report = (month: string, lines: number, isCounted = true) => ({ month, lines, isCounted });

  it('is refused with more lines than are read beside those of now, also of its neighbours', () => {
    const half = MAX_LINES_AS_OF / 2;
    for (const neighbour of ['2026-06', '2026-07', '2026-08', '2026-09']) {
      const reports = [report('2026-07', half), report(neighbour, half)];
      expect(() => checkLinesAsOf('2026-07', reports)).not.to.throw();
      expect(() => checkLinesAsOf('2026-07', [...reports, report('2026-07', 1)])).to.throw(
        Rejection,
        /more than 50000 lines/,
      );
    }
    const others = [report('2026-05', half), report('2026-10', half), report('2026-07', half, false)];
    expect(() => checkLinesAsOf('2026-07', [report('2026-07', MAX_LINES_AS_OF), ...others])).not.to.throw();
  });
});

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

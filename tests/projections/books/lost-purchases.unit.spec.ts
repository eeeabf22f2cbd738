// Which recorded purchases may be meant by a line of a report without transactions, and how many are named.
import { expect } from 'chai';
import { findLostPurchases } from '../../../src/projections/books/lost-purchases.js';
import type { ReadModels } from '../../../src/projections/queries/read-models.js';
import type { TransactionDoc } from '../../../src/projections/models/transactions.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

/** A subscription's charge of 31 days that ends at noon of the day. */
const charge = (id: string, endDay: string, more: Partial<TransactionDoc> = {}): TransactionDoc => {
  const end = Date.parse(`${endDay}T20:00:00Z`);
  const money = { currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null };
  return {
    ...({ projectId: 'proj_1', customerId: `cus_${id}`, transactionId: id, originalTransactionId: id } as const),
    ...({ subscriptionId: `sub_${id}`, appId: 'app_1', store: 'ios-store', storeProductId: 'plus' } as const),
    ...({ environment: 'production', type: 'normal', kind: 'purchase', quantity: 1, country: 'US' } as const),
    ...{ purchasedAt: new Date(end - 31 * DAY_MS).toISOString(), expiresAt: new Date(end).toISOString() },
    ...{ offeringId: null, periodDuration: 'P1M', money: { ...money, taxRate: 0, commissionRate: 0.3 } },
    ...{ refundedAt: null, refundedUsdMicros: 0, refundReversedAt: null },
    ...more,
  };
};
const group = (orderId: string, day: string, more: object = {}) => ({
  ...{ orderId, appId: 'app_1', kind: 'charge' as const, storeProductId: 'plus', country: 'US', currency: 'USD', day },
  ...more,
});

const find = async (docs: readonly TransactionDoc[], groups: readonly ReturnType<typeof group>[]) => {
  let [scanned, slices] = [0, 0];
  const scan = (_: unknown, { eq, from = '', to = '~' }: { eq: string[]; from?: string; to?: string }) => {
    const rows = docs
      .filter(({ kind, purchasedAt }) => kind === eq[2] && purchasedAt >= from && purchasedAt < to)
      .map((doc) => ({ id: doc.transactionId, doc }));
    scanned += rows.length;
    return Promise.resolve({ rows });
  };
  const slice = () => {
    slices++;
    return Promise.resolve();
  };
  const sources = { readModels: { scan } as unknown as ReadModels, slice };
  const found = await findLostPurchases(sources, 'proj_1', groups, NOW);
  return {
    ...{ scanned, slices },
    found: found.map(({ orderId, purchases }) => [orderId, purchases.map(({ transactionId }) => transactionId)]),
  };
};

describe('purchases that a line of a report may be of', () => {
  it('are subscriptions that ended near the day, the nearest first', async () => {
    const docs = [
      charge('far', '2026-09-05'),
      charge('near', '2026-10-02'),
      charge('over', '2026-07-20'),
      charge('later', '2026-10-20'),
      charge('abroad', '2026-10-02', { country: 'DE' }),
      charge('imported', '2026-10-03', { country: null }),
      charge('other', '2026-10-03', { storeProductId: 'pro' }),
      charge('paid in euros', '2026-10-03', { money: { ...charge('', '2026-10-03').money, currency: 'EUR' } }),
    ];
    expect((await find(docs, [group('a', '2026-10-03')])).found).to.deep.equal([['a', ['imported', 'near', 'far']]]);
  });

  it('are not those that are known to have been renewed', async () => {
    const renewed = [
      charge('first', '2026-10-03'),
      charge('second', '2026-11-03', { kind: 'renewal', originalTransactionId: 'first' }),
    ];
    expect((await find(renewed, [group('a', '2026-10-03')])).found).to.deep.equal([['a', []]]);
  });

  it('are charges that were not refunded, for a refund', async () => {
    const docs = [
      charge('old', '2026-06-20'),
      charge('former', '2026-09-20'),
      charge('last', '2026-10-20'),
      charge('refunded', '2026-10-21', { refundedAt: '2026-10-01T00:00:00.000Z' }),
      charge('item', '2026-10-22', { subscriptionId: null, expiresAt: null }),
      charge('next', '2026-11-20'),
    ];
    const { found } = await find(docs, [group('a', '2026-10-10', { kind: 'refund' })]);
    expect(found).to.deep.equal([['a', ['item', 'last', 'former']]]);
  });

  it('are 25 of a line, and 100 of some lines; further lines are looked up another time', async () => {
    const docs = Array.from({ length: 200 }, (_, i) =>
      charge(String(i).padStart(3, '0'), `2026-10-${String(1 + (i % 28)).padStart(2, '0')}`),
    );
    const groups = Array.from({ length: 28 }, (_, i) => group(`g${i}`, `2026-10-${String(1 + i).padStart(2, '0')}`));
    const { found } = await find(docs, groups);
    const counts = found.map(([, ids]) => ids?.length ?? 0);
    expect([Math.max(...counts), counts.at(-1)]).to.deep.equal([25, 25]);
    const named = new Set(found.flatMap(([, ids]) => ids ?? []));
    expect(named.size).to.be.within(100, 124);
    expect(found.length).to.be.lessThan(28);
  });

  it('are looked for in slices of time, a line each, also where none is found', async () => {
    const groups = Array.from({ length: 200 }, (_, i) => group(`g${i}`, '2026-10-03', { country: 'FR' }));
    const docs = [charge('abroad', '2026-10-02')];
    const [one, all] = [await find(docs, groups.slice(0, 1)), await find(docs, groups)];
    expect(all.found.length).to.equal(200);
    expect(all.slices - one.slices).to.equal(199);
  });

  it('are of the newest transactions alone in a large project', async () => {
    const docs = Array.from({ length: 300 }, (_, i) =>
      Array.from({ length: 500 }, (_one, n) => {
        const day = new Date(NOW - i * DAY_MS).toISOString().slice(0, 10);
        return charge(`${day} ${n}`, day);
      }),
    ).flat();
    const { scanned, found } = await find(docs, [group('a', '2026-11-20'), group('b', '2026-02-01')]);
    expect(scanned).to.be.within(100_000, 102_000);
    expect(found.map(([, ids]) => ids?.length)).to.deep.equal([25, 0]);
  });
});

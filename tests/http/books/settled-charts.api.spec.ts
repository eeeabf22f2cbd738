// Settled amounts in the chart of revenue.
import { expect } from 'chai';
import { writeFinanceDetail } from '#simulator/store-reports.js';
import { MONTHLY, notification } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const october = { startDate: '2026-09-27', endDate: '2026-10-31' };

describe('the chart of revenue', () => {
  const { harness, slice, as } = setUpService({}, createManualClock(Date.parse('2026-11-20T10:00:00.000Z')).runtime);

  before(async () => {
    for (const [n, day] of ['2026-10-04', '2026-10-04', '2026-10-09'].entries()) {
      const purchaseDate = Date.parse(`${day}T18:00:00Z`);
      const place = { productId: MONTHLY, price: 9990, storefront: 'USA', currency: 'USD' };
      const ids = { transactionId: `40${n}`, originalTransactionId: `40${n}` };
      const transaction = { ...ids, ...place, purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000 };
      const type = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate } as const;
      await harness.call('POST', slice.notificationPath, notification({ ...type, transaction }));
    }
    await harness.service().idle();
  });

  const read = (more = '') => {
    const query = `startDate=2026-10-01&endDate=2026-10-31&interval=day${more}`;
    return harness.call('GET', `/v1/projects/${slice.projectId}/metrics/charts/revenue?${query}`, undefined, as);
  };
  const valuesOf = (body: { buckets: { start: string; values: Record<string, number> }[] }, day: string) => {
    const { revenue, commission, proceeds } = body.buckets.find(({ start }) => start.startsWith(day))?.values ?? {};
    return { revenue, commission, proceeds };
  };

  it('has estimates alone without a report', async () => {
    const { body } = await read();
    expect(body).not.to.have.any.keys('proceedsBasis', 'settledShare');
    expect(valuesOf(body, '2026-10-04')).to.deep.equal({ revenue: 19.98, commission: 5.99, proceeds: 13.99 });
  });

  /** Adds a report of two sales of 4 October. */
  const addReport = async (share: string, extendedShare: string) => {
    const sale = {
      day: '2026-10-04',
      settledOn: '2026-10-04',
      sku: MONTHLY,
      country: 'US',
      quantity: 2,
      price: '9.99',
    };
    const paid = { currency: 'USD', share, extendedShare, shareCurrency: 'USD', isReturn: false };
    const path = `/v1/projects/${slice.projectId}/books/reports?fileName=a.txt&account=1`;
    const added = await fetch(`${harness.service().url ?? ''}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': as.key },
      body: writeFinanceDetail([{ ...sale, ...paid }], october),
    });
    expect(added.status).to.equal(201);
  };

  it('has what a report settled, with its share, and estimates for the rest', async () => {
    await addReport('8.49', '16.98');
    const { body } = await read();
    expect(body.proceedsBasis).to.equal('settled');
    expect(body.settledShare.total).to.equal(0.6667);
    expect([body.settledShare.buckets[3], body.settledShare.buckets[8], body.settledShare.buckets[0]]).to.deep.equal([
      1,
      0,
      null,
    ]);
    expect(valuesOf(body, '2026-10-04')).to.deep.equal({ revenue: 19.98, commission: 3, proceeds: 16.98 });
    expect(valuesOf(body, '2026-10-09')).to.deep.equal({ revenue: 9.99, commission: 3, proceeds: 6.99 });
    expect(body.summary.proceeds.total).to.equal(23.97);
  });

  it('has estimates where they are requested, and where settled amounts are not supported', async () => {
    const estimated = (await read('&proceedsBasis=estimated')).body;
    expect(valuesOf(estimated, '2026-10-04').proceeds).to.equal(13.99);
    expect(estimated).not.to.have.any.keys('proceedsBasis', 'settledShare');
    const filtered = await read('&filter=store:ios-store');
    expect(valuesOf(filtered.body, '2026-10-04').proceeds).to.equal(13.99);
    expectRefusal(await read('&filter=store:ios-store&proceedsBasis=settled'), 400);
    expectRefusal(await read('&proceedsBasis=paid'), 400);
  });

  it('has what a newer report states, at once', async () => {
    await addReport('6.99', '13.98');
    await harness.service().idle();
    expect(valuesOf((await read()).body, '2026-10-04')).to.deep.equal({
      revenue: 19.98,
      commission: 6,
      proceeds: 13.98,
    });
  });
});

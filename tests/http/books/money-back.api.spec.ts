// Refunds that are taken back, and payments that fail.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { MONTHLY, notification } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const PERIODS = {
  '2026-07': { startDate: '2026-06-28', endDate: '2026-08-01' },
  '2026-08': { startDate: '2026-08-02', endDate: '2026-08-29' },
} as const;

const row = (day: string, change: Partial<FinanceRow> = {}): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country: 'US', quantity: 1, price: '9.99', currency: 'USD', share: '6.99' },
  ...{ extendedShare: '6.99', shareCurrency: 'USD', isReturn: false, ...change },
});

describe('the books after a charge', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);

  type Sent = {
    readonly type: string;
    readonly subtype?: string;
    readonly day: string;
    readonly [field: string]: unknown;
  };
  async function send(id: string, purchasedOn: string, { type, subtype, day, ...more }: Sent): Promise<void> {
    const purchaseDate = Date.parse(`${purchasedOn}T18:00:00Z`);
    const times = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000 };
    const place = { productId: MONTHLY, price: 9990, storefront: 'USA', currency: 'USD' };
    const transaction = { transactionId: id, originalTransactionId: id, ...place, ...times, ...more };
    const about = { notificationType: type, signedDate: Date.parse(`${day}T19:00:00Z`), transaction };
    const body = notification(subtype === undefined ? about : { ...about, subtype });
    expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
  }
  const add = (month: keyof typeof PERIODS, rows: readonly FinanceRow[]) =>
    fetch(`${harness.service().url ?? ''}/v1/projects/${slice.projectId}/books/reports?fileName=a.txt&account=1`, {
      method: 'POST',
      headers: { 'x-api-key': as.key },
      body: writeFinanceDetail(rows, PERIODS[month]),
    });
  const linesOf = async (month: string) => {
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/books/${month}/lines`;
    const { body } = await harness.call('GET', path, undefined, as);
    return body.items.map((one: { cause: string; kind: string }) => `${one.cause} ${one.kind}`).sort();
  };

  it('have refund and reversal of an earlier month’s charge, each with its line', async () => {
    await send('300', '2026-07-05', { type: 'SUBSCRIBED', subtype: 'INITIAL_BUY', day: '2026-07-05' });
    const revocationDate = Date.parse('2026-08-10T18:00:00Z');
    await send('300', '2026-07-05', { type: 'REFUND', day: '2026-08-10', revocationDate, revocationReason: 0 });
    await send('300', '2026-07-05', { type: 'REFUND_REVERSED', day: '2026-08-14' });
    expect(await linesOf('2026-08')).to.deep.equal(['awaiting_report refund', 'awaiting_report reversal']);
    const returned = { isReturn: true, quantity: -1, extendedShare: '-6.99' };
    await add('2026-08', [row('2026-08-10', returned), row('2026-08-14', { isReturn: true })]);
    expect(await linesOf('2026-08')).to.deep.equal(['matched refund', 'matched reversal']);
    const { body } = await harness.call('GET', `/v1/projects/${slice.projectId}/transactions/300`, undefined, as);
    const path = `/v1/projects/${slice.projectId}/customers/${body.customer.id}/timeline?order=oldest`;
    const events: {
      type: string;
      settlement?: { status: string; month: string; store: { proceeds: string } | null };
    }[] = (await harness.call('GET', path, undefined, as)).body.items;
    const settled = events.flatMap(({ type, settlement: one }) =>
      one ? [`${type} ${one.status} ${one.month} ${one.store?.proceeds ?? 'none'}`] : [],
    );
    expect(settled).to.deep.equal([
      'TransactionRefunded settled 2026-08 -6.99',
      'TransactionRefundReversed settled 2026-08 6.99',
    ]);
  });

  it('tell a charge whose payment failed from one that a report lacks', async () => {
    await send('301', '2026-07-08', { type: 'SUBSCRIBED', subtype: 'INITIAL_BUY', day: '2026-07-08' });
    await send('302', '2026-07-09', { type: 'SUBSCRIBED', subtype: 'INITIAL_BUY', day: '2026-07-09' });
    await send('302', '2026-07-09', { type: 'DID_FAIL_TO_RENEW', day: '2026-07-10' });
    await add('2026-07', [row('2026-07-05')]);
    expect(await linesOf('2026-07')).to.deep.equal(['matched charge', 'missing_there charge', 'not_collected charge']);
  });
});

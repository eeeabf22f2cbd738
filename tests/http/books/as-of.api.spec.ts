// A month of the books as it was known at an instant: what was read then is compared with what is answered later about then.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { MONTHLY, notification, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const october = { startDate: '2026-09-27', endDate: '2026-10-31' };
const sale = (day: string, change: Partial<FinanceRow> = {}): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country: 'US', quantity: 1, price: '9.99', currency: 'USD' },
  ...{ share: '6.99', extendedShare: '6.99', shareCurrency: 'USD', isReturn: false },
  ...change,
});
const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-11-02T10:00:00.000Z');

describe('a month of the books as of an instant', () => {
  const clock = createManualClock(BEGIN);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;
  const call = (method: string, path: string, body?: object) =>
    harness.call(method, `${base()}/books${path}`, body, as);
  const send = async (type: string, id: string, day: string, change: Record<string, unknown> = {}) => {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const when = { purchaseDate, expiresDate: purchaseDate + 30 * DAY_MS, storefront: 'USA', currency: 'USD' };
    const ids = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990 };
    const signedDate = Number(change['revocationDate'] ?? purchaseDate);
    const sent = { notificationType: type, ...(type === 'SUBSCRIBED' && { subtype: 'INITIAL_BUY' }), signedDate };
    const body = notification({ ...sent, transaction: { ...ids, ...when, ...change } });
    expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
  };
  const addReport = async (rows: readonly FinanceRow[]) => {
    const url = `${harness.service().url ?? ''}${base()}/books/reports?fileName=a.txt&account=1`;
    const body = writeFinanceDetail(rows, october);
    expect((await fetch(url, { method: 'POST', headers: { 'x-api-key': as.key }, body })).status).to.equal(201);
  };
  const customerOf = async (transactionId: string): Promise<Json> =>
    (await harness.call('GET', `${base()}/transactions/${transactionId}`, undefined, as)).body.customer;
  const expectDone = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await call(method, path, body);
    expect(status, JSON.stringify(answer)).to.be.within(200, 201);
    return answer;
  };

  let absenceId = '';
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a purchase without a report', () => send('SUBSCRIBED', '500', '2026-10-04')],
    ['a report with a sale that is not recorded', () => addReport([sale('2026-10-04'), sale('2026-10-09')])],
    ['its late notification', () => send('SUBSCRIBED', '501', '2026-10-09')],
    ['another purchase', () => send('SUBSCRIBED', '502', '2026-10-20')],
    [
      'a refund in the same month that arrives late',
      () =>
        send('REFUND', '500', '2026-10-04', {
          revocationDate: Date.parse('2026-10-25T09:00:00Z'),
          revocationReason: 0,
        }),
    ],
    [
      'a report that is declared absent',
      async () => {
        absenceId = (await expectDone('POST', '/2026-10/absences', { store: 'ios-store', reason: 'None.' })).id;
      },
    ],
    ['the close', () => expectDone('POST', '/2026-10/close', {})],
    ['a purchase after the close', () => send('SUBSCRIBED', '503', '2026-10-21')],
    ['a reopening', () => expectDone('POST', '/2026-10/reopen', { reason: 'A purchase came late.' })],
    ['the declaration taken back', () => expectDone('DELETE', `/2026-10/absences/${absenceId}`)],
    [
      'a restated report',
      () => addReport([sale('2026-10-04', { price: '8.99' }), sale('2026-10-09'), sale('2026-10-20')]),
    ],
    [
      'a purchase that another customer gets',
      async () => {
        const { id: to } = await customerOf('502');
        const body = { transactionId: '501', reason: 'The same person.' };
        const moved = await harness.call('POST', `${base()}/customers/${to}/purchases/transfer`, body, as);
        expect(moved.status, JSON.stringify(moved.body)).to.be.within(200, 202);
      },
    ],
    [
      'an erased customer',
      async () => {
        const { appUserId } = await customerOf('500');
        const erased = await harness.call('DELETE', `/v1/subscribers/${encodeURIComponent(appUserId)}`, undefined, as);
        expect(erased.status).to.be.oneOf([200, 202, 204]);
      },
    ],
  ];
  type Snapshot = { readonly step: string; readonly at: string; readonly month: Json; readonly lines: Json };
  const snapshots: Snapshot[] = [];

  before(async () => {
    await expectDone('PUT', '/settings', { basis: 'gross' });
    for (const [i, [step, change]] of steps.entries()) {
      clock.set(BEGIN + i * DAY_MS);
      await change();
      await harness.service().idle();
      clock.set(BEGIN + i * DAY_MS + 1000);
      const [month, lines] = [
        (await call('GET', '/2026-10')).body,
        (await call('GET', '/2026-10/lines?limit=100')).body,
      ];
      snapshots.push({ step, at: new Date(clock.now()).toISOString(), month, lines });
    }
    clock.set(BEGIN + 40 * DAY_MS);
  });

  it('differs in each step, so that the comparison below says something', () => {
    const distinct = new Set(
      snapshots.map(({ month }) => JSON.stringify([month.tables, month.closing, month.absences])),
    );
    // A transfer and an erasure change no figure.
    expect(distinct.size).to.equal(steps.length - 2);
  });

  for (const [i, [step]] of steps.entries()) {
    it(`is as it was read after ${step}`, async () => {
      const { at, month, lines } = snapshots[i] ?? expect.fail('no snapshot');
      const { asOf, ...then } = (await call('GET', `/2026-10?asOf=${at}`)).body;
      expect(asOf).to.equal(at);
      expect(then).to.deep.equal(month);
      const page = (await call('GET', `/2026-10/lines?limit=100&asOf=${at}`)).body;
      const figuresOf = (items: readonly Json[]) => items.map(({ transactions: _, ...entry }) => entry);
      expect(figuresOf(page.items)).to.deep.equal(figuresOf(lines.items));
    });
  }

  it('refuses an instant in the future, before the project, or that is none', async () => {
    for (const asOf of ['2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z', 'yesterday', '2026-11-02'])
      expectRefusal(await call('GET', `/2026-10?asOf=${asOf}`), 400);
  });
});

// Payments to the bank: shown with their month, booked once, in the next open month when they arrive after the closing.
import { expect } from 'chai';
import { writePayments, type PaymentRow } from '#simulator/store-reports.js';
import type { Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const usd: PaymentRow = {
  ...{ region: 'Americas (USD)', units: 2, earned: '25.20', owed: '25.20', rate: '0.88452', proceeds: '22.29' },
  bankCurrency: 'EUR',
};
const eur: PaymentRow = {
  ...{ region: 'Euro-Zone (EUR)', units: 9, earned: '9.22', owed: '9.22', rate: '1.00000', proceeds: '9.22' },
  bankCurrency: 'EUR',
};

describe('payments to the bank over HTTP', () => {
  const { harness, slice, as } = setUpService({}, createManualClock(Date.parse('2026-11-20T10:00:00.000Z')).runtime);
  const base = () => `/v1/projects/${slice.projectId}/books`;
  const get = async (path: string): Promise<Json> =>
    (await harness.call('GET', `${base()}${path}`, undefined, as)).body;
  const add = async (rows: readonly PaymentRow[], month: string, total: string, account = '81234567') => {
    const url = `${harness.service().url ?? ''}${base()}/reports?fileName=financial_report.csv&account=${account}`;
    const body = writePayments(rows, { month, total, below: [{ ...eur, region: 'Norway (NOK)' }] });
    const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': as.key }, body });
    const added = (await response.json()) as Json;
    expect(response.status, JSON.stringify(added)).to.equal(201);
    return added;
  };
  const close = async (month: string) => {
    const answer = await harness.call('POST', `${base()}/${month}/close`, { incompleteReason: 'spec' }, as);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };
  const entriesOf = async (month: string): Promise<readonly string[]> =>
    (await get(`/${month}/journal`)).entries
      .filter(({ id }: { id: string }) => id.includes('payment'))
      .map(({ id, currency, lines }: Json) =>
        [
          id.replace(/.*payment-/, ''),
          currency,
          ...lines.map((one: Json) => `${one.account} ${one.debit}/${one.credit}`),
        ].join(' '),
      );
  const septembers = ['2026-09-81234567-euro-zone EUR bank 9.22/0.00 receivable 0.00/9.22'];

  it('are shown with their month, and make no report of it', async () => {
    const added = await add([eur], 'September, 2026', '9.22 EUR');
    expect(added).to.deep.include({
      kind: 'payments',
      store: 'ios-store',
      account: '81234567',
      month: '2026-09',
      lines: 2,
    });
    const { payments, paid, state } = await get('/2026-09');
    expect({ paid, state }).to.deep.equal({ paid: [], state: 'empty' });
    expect(
      payments.map(
        (one: Json) => `${one.region} ${one.owed} ${one.currency} ${one.proceeds} ${one.bankCurrency} ${one.isPaid}`,
      ),
    ).to.deep.equal(['Euro-Zone 9.22 EUR 9.22 EUR true', 'Norway 9.22 NOK 9.22 EUR false']);
  });

  it('are booked once: in their month, or when they arrive later in the open month', async () => {
    await harness.call('PUT', `${base()}/settings`, { basis: 'gross' }, as);
    expect(await entriesOf('2026-09')).to.deep.equal(septembers);
    await close('2026-09');
    expect(await entriesOf('2026-09')).to.deep.equal(septembers);
    expect(await entriesOf('2026-10')).to.deep.equal([]);
    await add([eur, usd], 'September, 2026', '31.51 EUR');
    expect(await entriesOf('2026-09')).to.deep.equal(septembers);
    const late = [
      '2026-09-81234567-americas-from-USD EUR bank 22.29/0.00 exchangeDifference 0.00/22.29',
      '2026-09-81234567-americas USD receivable 0.00/25.20 exchangeDifference 25.20/0.00',
    ];
    expect(await entriesOf('2026-10')).to.deep.equal(late);
    await close('2026-10');
    expect(await entriesOf('2026-10')).to.deep.equal(late);
    await add([{ ...eur, proceeds: '9.23', owed: '9.23', adjustments: '0.01' }], 'October, 2026', '9.23 EUR', '9');
    expect(await entriesOf('2026-11')).to.deep.equal(['2026-10-9-euro-zone EUR bank 9.23/0.00 receivable 0.00/9.23']);
  });

  it('are exported with the account of the bank, which has a default', async () => {
    const { accounts } = await get('/accounts');
    expect(accounts.bank).to.deep.equal({ code: '1010', name: 'Assets:Bank' });
    await harness.call(
      'PUT',
      `${base()}/accounts`,
      { accounts: { bank: { code: '1100', name: 'Assets:Bank:Checking' } } },
      as,
    );
    const response = await fetch(`${harness.service().url ?? ''}${base()}/2026-10/journal?format=beancount`, {
      headers: { 'x-api-key': as.key },
    });
    expect(await response.text()).to.include('  Assets:Bank:Checking  22.29 EUR\n');
  });

  it('hide from whoever sees no amounts', async () => {
    const support = await newMember(harness.call, slice.projectId, slice.token, 'support');
    expect((await harness.call('GET', `${base()}/2026-09`, undefined, support)).status).to.equal(403);
  });
});

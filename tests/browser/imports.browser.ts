// A history imported on the page: the dry run with its faulty row, the confirmation, the end, and the customer.
import { expect } from 'chai';
import { setUpStage } from './support/stage.js';
import { findings } from './support/visitor.js';

const HEADER =
  'rc_original_app_user_id,store,product_identifier,start_time,end_time,is_auto_renewable,' +
  'purchase_price_in_purchased_currency,price_in_purchased_currency,purchased_currency,store_transaction_id';
const rowOf = (appUserId: string, start: string, id: string) =>
  `${appUserId},app_store,imported.monthly,${start},2026-02-01 10:00:00,true,9.99,9.99,USD,${id}`;
const EXPORT = [
  HEADER,
  rowOf('moved-ann', '2026-01-01 10:00:00', '990001'),
  rowOf('moved-bob', '01/13/2026', '990002'),
  rowOf('moved-eve', '2026-01-02 10:00:00', '990003'),
].join('\n');

describe('an import on the page', () => {
  const stage = setUpStage();

  it('is checked, reports its faulty row, is confirmed, and brings the customer', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/imports`);
    await page.getByText('No imports yet.').waitFor();
    const file = { name: 'transactions.csv', mimeType: 'text/csv', buffer: Buffer.from(`${EXPORT}\n`) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Check file' }).click();

    const section = page.getByRole('region', { name: /^transactions\.csv/ });
    await section.getByText('Dry run: nothing was recorded.').waitFor();
    await section.getByRole('row', { name: /^Customers 2$/ }).waitFor();
    const problem = section.getByText(/^1 × unreadable/i);
    await problem.click();
    await section.getByText('transactions.csv, row 3: start_time: not a time').waitFor();
    const missing = section.getByText('transactions.csv has no column refunded_at: refunds are not imported.');
    expect(await missing.count()).to.equal(1);
    expect(await findings(page)).to.deep.equal([]);

    await section.getByRole('button', { name: 'Import…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import this history?' });
    await dialog.getByText(/^\d+ problems of the report stay as they are/).waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import has started.').waitFor();
    await section.getByText('Confirmed.').waitFor();
    await section.getByRole('row', { name: /^Events recorded/ }).waitFor();
    await section.getByRole('button', { name: 'Import…' }).waitFor({ state: 'detached' });
    expect(await findings(page)).to.deep.equal([]);

    await stage.harness.service().idle();
    const { items } = await stage.api(`/v1${stage.base}/customers?search=moved-ann`);
    expect(items).to.have.length(1);
    await stage.open(`${stage.base}/customers/${items[0].id}`);
    await page.getByRole('heading', { level: 1, name: /moved-ann/ }).waitFor();

    await stage.open(`${stage.base}/audit`);
    const entry = page.getByRole('row').filter({ hasText: 'Import confirmed' }).first();
    expect(await entry.textContent())
      .to.include('you')
      .and.include('transactions.csv')
      .and.match(/Customers: *2/);
  });
});

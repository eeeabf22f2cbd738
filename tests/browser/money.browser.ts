// The stores' money on the page: a report is added, the month compared, and a difference followed to the customer whom it is about.
import { expect } from 'chai';
import { writeFinanceDetail, writeFinancial, writePayments } from '#simulator/store-reports.js';
import type { Json } from '../http/support/harness.js';
import { iosKey } from '../http/support/store-credentials.js';
import { setUpStage } from './support/stage.js';
import { findings } from './support/visitor.js';

const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-15`));

describe('the page of the stores’ money', () => {
  const stage = setUpStage();

  it('takes a report, and leads in three clicks from its month to the customer of a difference', async () => {
    const { page } = stage.owner;
    const { months } = await stage.api(`/v1${stage.base}/books`);
    const { month } = months.find(
      ({ tables }: Json) => tables.length > 0 && tables[0].causes.some((one: Json) => one.cause === 'awaiting_report'),
    );
    const waiting = await stage.api(`/v1${stage.base}/books/${month}/lines?cause=awaiting_report&limit=100`);
    // A charge in the middle of the month, alone in its group, whose fee the store takes at another rate.
    const { day, sku, country, currency, ours, transactions } = waiting.items.find(
      (one: Json) => one.kind === 'charge' && one.country !== null && /-1\d$/.test(one.day) && isOfIos(one),
    );
    const paid = (Number(ours.charged) * 0.5).toFixed(2);
    const sale = { day, settledOn: day, sku, country, quantity: 1, price: ours.charged, currency };
    const row = { ...sale, share: paid, extendedShare: paid, shareCurrency: currency, isReturn: false };
    const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
    const file = writeFinanceDetail([row], { startDate: `${month}-01`, endDate: lastDay });

    await stage.open(`${stage.base}/money`);
    await page
      .getByRole('row', { name: new RegExp(monthName(month)) })
      .first()
      .waitFor();
    expect(await findings(page)).to.deep.equal([]);
    const upload = { name: 'finance.txt', mimeType: 'text/plain', buffer: Buffer.from(file) };
    await page.getByLabel('Reports', { exact: true }).setInputFiles(upload);
    await page.getByRole('button', { name: 'Add reports' }).click();
    await page.getByText(/does not state its account/).waitFor();
    await page.getByLabel('Account', { exact: true }).fill('81234567');
    await page.getByRole('button', { name: 'Add reports' }).click();
    await page.getByText(`account 81234567: 1 lines added.`).waitFor();

    await page.getByRole('link', { name: monthName(month) }).click();
    await page.getByRole('heading', { level: 1, name: `Money, ${monthName(month)}` }).waitFor();
    await page.getByRole('heading', { name: 'Paid by the stores' }).waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await page.getByRole('link', { name: /^(Tax|Store fee) \(1\)$/ }).click();
    const line = page.getByRole('row').filter({ hasText: sku });
    await line.waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await line.getByRole('link', { name: transactions[0].transactionId }).click();
    await page
      .getByRole('heading', { name: /timeline|events|history/i })
      .first()
      .waitFor();
    expect(page.url()).to.include(`/customers/${transactions[0].customerId}`);
  });

  it('has reports fetched by a key, says why a look failed, looks again, and stops', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/money`);
    const card = page.getByRole('region', { name: 'Fetched each day' });
    const entry = card.getByRole('listitem').filter({ hasText: 'by upload only' }).first();
    await entry.waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await entry.getByRole('button', { name: 'Fetch reports…' }).click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of [
      ['Vendor number', '81234567'],
      ['Issuer ID', 'issuer-1'],
      ['Key ID', '7Z3T5JYH91'],
      ['Private key', 'no key'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.fault').first().waitFor();
    await dialog.getByLabel('Private key').fill(iosKey());
    expect(await findings(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const source = card.getByRole('listitem').filter({ hasText: '81234567' });
    // Nobody listens at the address of the store.
    await source.getByText(/cannot be reached/).waitFor();
    await card.getByRole('button', { name: 'Look now' }).click();
    await source.getByText('not fetched').waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await source.getByRole('button', { name: 'Stop…' }).click();
    await dialog.getByRole('button', { name: 'Stop fetching' }).click();
    await source.waitFor({ state: 'detached' });
  });

  it('shows payments to the bank, and which reports do not count', async () => {
    const { page } = stage.owner;
    const { months } = await stage.api(`/v1${stage.base}/books`);
    const { month } = months.find(({ reports }: Json) => reports > 0);
    const detail = (await stage.api(`/v1${stage.base}/books/${month}`)).reports[0];
    const period = { startDate: detail.startDate, endDate: detail.endDate };
    const sale = { sku: 'pro', country: 'DE', quantity: 1, price: '9.99', currency: 'EUR', shareCurrency: 'EUR' };
    const financial = writeFinancial([{ ...sale, share: '7.10', extendedShare: '7.10', isReturn: false }], period);
    const row = {
      region: 'Japan (JPY)',
      units: 2,
      earned: '1,790',
      withholding: '-370',
      owed: '1,420',
      rate: '0.00817',
    };
    const name = monthName(month).replace(' ', ', ');
    const paid = writePayments([{ ...row, proceeds: '11.60', bankCurrency: 'EUR' }], {
      month: name,
      total: '11.60 EUR',
    });
    await stage.open(`${stage.base}/money`);
    await page.getByLabel('Reports', { exact: true }).setInputFiles([
      { name: '81234567_0726_ZZ.txt', mimeType: 'text/plain', buffer: Buffer.from(financial) },
      { name: 'financial_report.csv', mimeType: 'text/csv', buffer: Buffer.from(paid) },
    ]);
    await page.getByLabel('Account', { exact: true }).fill('81234567');
    await page.getByRole('button', { name: 'Add reports' }).click();
    await page.getByText('financial_report.csv').waitFor();
    await stage.open(`${stage.base}/money/${month}`);
    const bank = page.getByRole('region', { name: 'Paid to the bank' });
    await bank
      .getByRole('row', { name: 'Japan, 81234567 1,790 JPY 0 JPY -370 JPY 0 JPY 1,420 JPY 11.60 EUR' })
      .waitFor();
    await page.getByText(/81234567_0726_ZZ\.txt.*Not counted: another report of this account says more/).waitFor();
    expect(await findings(page)).to.deep.equal([]);
  });

  it('chooses how revenue is counted, closes a month with a reason, exports its journal, and reopens it', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/money`);
    await page.getByText('No revenue is counted until it is chosen how.').waitFor();
    await page.getByRole('button', { name: 'Set how revenue is counted' }).click();
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must be a time zone/).waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/by days in Europe\/Berlin/).waitFor();
    await page.getByRole('table', { name: /Deferred and recognised/ }).waitFor();
    expect(await findings(page)).to.deep.equal([]);

    const { months } = await stage.api(`/v1${stage.base}/books`);
    const { month } = months.filter(({ tables }: Json) => tables.length > 0).at(-1);
    await stage.open(`${stage.base}/money/${month}`);
    await page.getByText('A draft until the month is closed').waitFor();
    await page.getByRole('button', { name: 'Close the month' }).click();
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel('Reason');
    if ((await reason.count()) > 0) await reason.fill('The stores have no report of that month.');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText(/^Closed by/).waitFor();
    await page.getByRole('table', { name: /Proceeds as closed/ }).waitFor();
    expect(await findings(page)).to.deep.equal([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Journal: Beancount' }).click();
    const file = await (await download).createReadStream();
    const text = Buffer.concat(await file.toArray()).toString();
    expect(text)
      .to.include(`${month}-`)
      .and.to.match(/Deferred/i);

    await page.getByRole('button', { name: 'Reopen the month' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('A report was found.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen', exact: true }).click();
    await page.getByText('This month is open.').waitFor();
  });

  it('declares by keyboard that a report will not come, takes it back, and shows the month as it was known', async () => {
    const { page } = stage.owner;
    const { months } = await stage.api(`/v1${stage.base}/books`);
    const { month } = months.filter(({ state }: Json) => state === 'open').at(-1);
    await stage.open(`${stage.base}/money/${month}`);
    await page.getByRole('button', { name: 'Declare absent…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Store').selectOption('Google Play');
    await dialog.getByLabel('Countries').fill('de, eu');
    await dialog.getByLabel('Reason').fill('The account is closed.');
    await dialog.getByRole('button', { name: 'Declare', exact: true }).press('Enter');
    await dialog.getByText('EU is no code of a country').waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await dialog.getByLabel('Countries').fill('de, at');
    await dialog.getByRole('button', { name: 'Declare', exact: true }).press('Enter');
    const declared = page.getByRole('listitem').filter({ hasText: 'Google Play, AT, DE: The account is closed.' });
    await declared.waitFor();
    expect(await findings(page)).to.deep.equal([]);
    const { absences } = await stage.api(`/v1${stage.base}/books/${month}`);
    await declared.getByRole('button', { name: 'Take back…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).press('Enter');
    await page.getByText('None was declared').waitFor();

    await stage.open(`${stage.base}/money/${month}?asOf=${absences[0].declaredAt}`);
    await declared.waitFor();
    await page.getByText(/As known at .+: what was recorded, added and closed later is left out/).waitFor();
    expect(await page.getByRole('button', { name: 'Close the month…' }).count()).to.equal(0);
    expect(await findings(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Now', exact: true }).press('Enter');
    await page.getByText('None was declared').waitFor();
  });

  const isOfIos = (entry: Json) => !String(entry.orderId ?? entry.transactions[0]?.transactionId).startsWith('GPA.');
});

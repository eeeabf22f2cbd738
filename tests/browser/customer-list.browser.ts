// The customer list as an analyst works with it: filters, count, table as CSV, segments, order and columns.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

describe('the customer list on the page', () => {
  const stage = setUpStage();
  const rows = () => stage.owner.page.locator('.customers tbody tr');

  it('finds the billing retries of a country over an amount in four clicks, exports and keeps them', async () => {
    const { page, settled } = stage.owner;
    const found: Json[] = (await stage.api(`/v1${stage.base}/customers?status=billing_retry&limit=100`)).items;
    const [{ country }] = found.filter((c) => c.country !== null && c.totalSpentUsd > 0).slice(-1) as [Json];
    const min = 5;
    const wanted = found.filter((c) => c.country === country && c.totalSpentUsd >= min).map((c) => c.id);
    await stage.open(`${stage.base}/customers`);
    await page.getByLabel('Status').selectOption('billing_retry');
    await page.getByLabel('Country').selectOption(country);
    await page.getByLabel('Spent at least, USD').fill(String(min));
    await page.getByLabel('Spent at least, USD').press('Tab');
    await settled();
    expect(await rows().count()).to.equal(Math.max(wanted.length, 1));
    const noun = wanted.length === 1 ? '1 customer' : `${wanted.length} customers`;
    await page.getByText(noun, { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const [, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => line.split(',')[0])).to.deep.equal(wanted);

    await page.getByRole('button', { name: 'Save segment…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this segment' });
    await dialog.getByLabel('Name').fill('At risk');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All members').waitFor();
    const address = page.url();
    await page.getByRole('button', { name: 'Clear' }).click();
    await settled();
    expect(new URL(page.url()).search).to.equal('');
    await page.getByRole('button', { name: 'Segments' }).click();
    await page.getByRole('button', { name: 'At risk', exact: true }).click();
    await settled();
    const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
    expect(parametersOf(page.url())).to.deep.equal(parametersOf(address));
    expect(await page.getByLabel('Country').inputValue()).to.equal(country);
  });

  it('sorts by the columns, and shows those that are chosen', async () => {
    const { page, settled } = stage.owner;
    await stage.open(`${stage.base}/customers`);
    await page.getByRole('button', { name: 'Spent' }).click();
    await settled();
    const { items } = await stage.api(`/v1${stage.base}/customers?sort=totalSpentUsd&limit=50`);
    const listed = async () => (await rows().getByRole('link').allTextContents()).slice(0, 50);
    expect(await listed()).to.deep.equal(items.map((c: Json) => c.appUserId));
    expect(await page.getByRole('columnheader', { name: 'Spent' }).getAttribute('aria-sort')).to.equal('descending');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Platform').check();
    await page.getByRole('checkbox', { name: 'Access to' }).uncheck();
    await page.keyboard.press('Escape');
    await settled();
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads.map((text) => text.replace(/ [↑↓]$/, ''))).to.deep.equal([
      ...['Customer', 'Status', 'Country', 'Platform', 'First seen', 'Spent'],
    ]);
    await page.getByRole('button', { name: /^More filters/ }).click();
    await page.getByLabel('Attribute').fill('no-such-attribute');
    await page.getByLabel('Attribute').press('Tab');
    await settled();
    await page.getByText('0 customers', { exact: true }).waitFor();
  });
});

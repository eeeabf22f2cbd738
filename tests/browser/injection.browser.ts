// Names, attributes and messages hold whatever somebody wrote: it is shown as text, and no spreadsheet takes it for a formula.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { setUpStage } from './support/stage.js';

const MARKUP = '<img src=x onerror="window.broken=1"><b>bold</b>';
const SCRIPT = 'javascript:window.broken=1';

describe('text of others on the page', () => {
  const stage = setUpStage();

  it('shows markup and addresses that are scripts as text', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    const id = 'markup-<b>1';
    const attributes = { note: MARKUP, site: SCRIPT };
    const path = `/v1/subscribers/${encodeURIComponent(id)}/attributes`;
    expect((await stage.call('POST', path, { attributes }, as)).status).to.equal(200);
    await stage.open(`${stage.base}/customers?search=${encodeURIComponent('markup-')}`);
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('button', { name: /Show \d+ attributes/ }).click();
    for (const text of [MARKUP, SCRIPT]) await page.locator('dd').getByText(text).first().waitFor();
    expect(await page.evaluate('"broken" in window')).to.equal(false);
    expect(await page.locator('main img, a[href^="javascript"]').count()).to.equal(0);
  });

  it('keeps cells of the CSV that begin like a formula from being one', async () => {
    const { page } = stage.owner;
    const body = { name: '=1+1', platform: 'ios', bundleId: 'com.example.formula' };
    await stage.call('POST', `/v1${stage.base}/apps`, body, { token: stage.token });
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=month&segment=appId`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    const cells = text
      .trim()
      .split('\n')
      .flatMap((line) => line.split(','));
    expect(cells.length).to.be.above(20);
    expect(cells.filter((cell) => /^"?[=+@]|^"?-\D/.test(cell))).to.deep.equal([]);
  });
});

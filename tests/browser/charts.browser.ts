// Charts: what changed and why, their definitions in SQL, named replays, views and notes.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';
import { findings } from './support/visitor.js';

describe('charts on the page', () => {
  const stage = setUpStage();

  it('explains why a chart changed, and links to the customers', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByRole('tab', { name: 'What changed' }).click();
    await page.getByRole('button', { name: '30 days ago' }).click();
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    await page
      .getByText(/renewals? (of|received) .*\(/i)
      .first()
      .click();
    await page
      .getByRole('table')
      .filter({ hasText: /^Customers, .*renewals? (of|received)/i })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
  });

  it('states what is usual for a day, and watches it', async () => {
    const { page } = stage.owner;
    const path = `/v1${stage.base}/metrics/charts/customers_new/band`;
    const { sentence, method }: Json = await stage.api(path);
    await stage.open(`${stage.base}/charts/customers_new`);
    await page.getByRole('tab', { name: 'Usual band' }).click();
    await page.getByText(sentence).waitFor();
    await page.getByText(method).waitFor();
    expect(
      await page.getByRole('table').filter({ hasText: 'The same weekdays before' }).getByRole('row').count(),
    ).to.equal(13);
    expect(await findings(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Watch', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Stop watching' }).waitFor();
    expect((await stage.api(path)).isWatched).to.equal(true);
    await page.getByRole('button', { name: 'Stop watching' }).press('Enter');
    await page.getByRole('button', { name: 'Watch', exact: true }).waitFor();
    expect((await stage.api(path)).isWatched).to.equal(false);
    await stage.open(`${stage.base}/charts/mrr`);
    await page.getByRole('tab', { name: 'Definition' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Usual band' }).count()).to.equal(0);
  });

  it('shows and copies the definition of a chart in SQL', async () => {
    const { page, context } = stage.owner;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await stage.open(`${stage.base}/charts/churn`);
    await page.getByRole('tab', { name: 'Definition' }).click();
    const example = page.getByRole('table').filter({ hasText: 'Calculation' });
    expect(await example.getByRole('row', { name: 'Churn rate' }).innerText()).to.match(/100 × 1 ÷ 3\s+33[.,]33/);
    await page.getByText('Ana, Cyd and Eve were live when February began; Cyd ended.').waitFor();
    await page.getByText('In SQL', { exact: true }).click();
    const shown = await page.getByLabel('Churn in SQL').innerText();
    expect(shown).to.match(/^-- Churn\. .+\n[^]*percent\(churned_actives, actives\) AS churn_rate/);
    await page.getByRole('button', { name: 'Copy the SQL' }).click();
    await page.getByText('Copied.').waitFor();
    expect((await page.evaluate<string>('navigator.clipboard.readText()')).trim()).to.equal(shown.trim());
  });

  it('shows the figures of a named replay instead of the live ones, and compared with them', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=month`);
    const replays = page.getByRole('button', { name: 'Replays' });
    await replays.click();
    await page.getByRole('button', { name: 'Create replay…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create replay' });
    await dialog.getByLabel('Name').fill('half');
    await dialog.getByLabel('Store commission (percent)').fill('50');
    await dialog.getByRole('button', { name: 'Create replay' }).click();
    await page
      .getByLabel('Figures of')
      .getByRole('option', { name: 'half', exact: true })
      .waitFor({ state: 'attached', timeout: 60_000 });
    await page.getByLabel('Figures of').selectOption('half');
    await page.getByText('Figures of the replay half.').waitFor();
    expect(new URL(page.url()).searchParams.get('replay')).to.equal('half');
    await page.getByRole('tab', { name: 'What changed' }).click();
    await page.getByRole('button', { name: 'Compare with live data' }).click();
    const table = page.getByRole('table').filter({ hasText: 'Difference' });
    await page.getByText('the same in the replay half').waitFor();
    await page.getByLabel('Measure').selectOption('proceeds');
    await table.getByText(/^Proceeds in the replay half and as of/).waitFor();
    await page.getByLabel('Figures of').selectOption('half');
    await replays.click();
    await page.getByRole('button', { name: 'Create replay…' }).click();
    await dialog.getByLabel('Name').fill('whole');
    await dialog.getByRole('button', { name: 'Create replay' }).click();
    await page.getByLabel('Compare with replay').selectOption('whole', { timeout: 60_000 });
    await table.getByText(/^Proceeds in the replay whole and in the replay half/).waitFor();
    await table
      .getByText(/those of the replay \(/)
      .first()
      .waitFor();
    await stage.call('DELETE', `/v1${stage.base}/metrics/replays/whole`, undefined, { token: stage.token });
    if ((await replays.getAttribute('aria-expanded')) === 'false') await replays.click();
    await page.getByRole('button', { name: 'Delete replay…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete replay' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('replay')).to.equal(null);
    expect((await stage.api(`/v1${stage.base}/metrics/replays`)).items).to.deep.equal([]);
  });

  it('reports that figures changed since the last visit', async () => {
    const { page } = stage.owner;
    const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
    await page.evaluate(`localStorage.setItem('looked|${stage.projectId}|revenue', '${monthAgo}')`);
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByText(/\d+ of 1[23] values have changed since your last visit/).waitFor();
    await page.getByRole('button', { name: 'Show what' }).click();
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    expect(new URL(page.url()).searchParams.get('then')).to.equal(monthAgo);
  });

  const reasonsAddUp = async (chart: string): Promise<void> => {
    const { page } = stage.owner;
    const then = new Date(Date.now() - 60 * 86_400_000).toISOString();
    await stage.open(`${stage.base}/charts/${chart}&period=last_12_months&interval=month&then=${then}`);
    const table = page.getByRole('table').filter({ hasText: 'Difference' });
    await table.waitFor();
    const numberOf = (text: string) => Number(/-?[\d.]+(,\d+)?/.exec(text)?.[0].replaceAll('.', '').replace(',', '.'));
    const rows = await table.locator('tbody tr').all();
    let explained = 0;
    for (const row of rows) {
      // A period that had not started then has no figure.
      if ((await row.locator('td').first().textContent()) === '–') continue;
      explained++;
      const reasons = await row.locator('summary .amount').allTextContents();
      const sum = reasons.reduce((total, text) => total + numberOf(text), 0);
      expect(sum, reasons.join(', ')).to.equal(numberOf((await row.locator('td').nth(2).textContent()) ?? ''));
    }
    expect(explained).to.be.above(0);
  };

  it('gives reasons that sum to the difference', async () => {
    await reasonsAddUp('revenue?measure=transactions');
  });

  it('gives reasons of cohorts, of each age and of their sizes', async () => {
    await reasonsAddUp('cohort_explorer?cohort=new_paying_customers&cohortMeasure=retained_subscriptions');
    const places = await stage.owner.page.locator('tbody th').allTextContents();
    expect(places.some((place) => place.endsWith(', size'))).to.equal(true);
    expect(places.some((place) => /, month \d+$/.test(place))).to.equal(true);
  });

  it('keeps what is shown in the address, over a reload', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/revenue`);
    await page.getByLabel('Interval').selectOption('week');
    await page.getByLabel('Segment by').selectOption('store');
    await page.getByRole('switch', { name: 'Sandbox' }).click();
    await page.getByRole('note').waitFor();
    await page.reload();
    await page.getByRole('note').waitFor();
    expect(await page.getByLabel('Interval').inputValue()).to.equal('week');
    expect(await page.getByLabel('Segment by').inputValue()).to.equal('store');
    const link = page.getByRole('link', { name: 'Overview' });
    expect(await link.getAttribute('href')).to.contain('environment=sandbox');
  });

  it('keeps a view under a name, and leads back to it', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/actives?period=last_90_days&interval=week`);
    await page.getByRole('button', { name: 'Save view…' }).click();
    await page.getByLabel('Name').fill('Weekly actives');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await stage.open(`${stage.base}/charts`);
    await page.getByRole('link', { name: 'Weekly actives' }).click();
    await page.getByLabel('Interval').waitFor();
    expect(await page.getByLabel('Interval').inputValue()).to.equal('week');
    expect(await page.getByLabel('Period', { exact: true }).inputValue()).to.equal('last_90_days');
    await stage.open(`${stage.base}/charts`);
    await page.getByRole('button', { name: 'Delete the view Weekly actives' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Weekly actives' }).waitFor({ state: 'detached' });
  });

  it('marks a day with a note on every chart', async () => {
    const { page } = stage.owner;
    const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
    await stage.open(`${stage.base}/charts/mrr`);
    await page.getByRole('button', { name: 'Annotations' }).click();
    await page.getByRole('button', { name: 'Add…' }).click();
    await page.getByLabel('Day (UTC)').fill(day);
    await page.getByLabel('What happened').fill('Release 2.0');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Release 2.0' }).waitFor();
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=week`);
    const titles = await page.locator('svg .mark title').allTextContents();
    const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
    expect(titles).to.include(`${written}: Release 2.0`);
    await page.getByRole('button', { name: 'Annotations (' }).click();
    await page.getByRole('button', { name: 'Delete Release 2.0' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Release 2.0' }).waitFor({ state: 'detached' });
  });
});

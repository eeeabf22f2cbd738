// Comparisons as a page: two instants or two replays side by side, differences, reasons and customers, all in the URL.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { findings, expectNoSidewaysScroll } from './support/visitor.js';
import { setUpStage } from './support/stage.js';

const DAY_MS = 86_400_000;
const LAST_YEAR = 'period=last_12_months&interval=month';
const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
const usd = (value: number) => plain(value.toLocaleString('de-DE', { style: 'currency', currency: 'USD' }));

describe('comparisons on the page', () => {
  const stage = setUpStage();
  const compare = (query: string): Promise<Json> =>
    stage.api(`/v1${stage.base}/metrics/charts/revenue/compare?${query}`);
  const sizeOf = ({ values }: Json) => Math.abs(values.revenue.reasons ? values.revenue.difference : 0);
  const largestOf = ({ buckets }: Json): Json => [...buckets].sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  const figures = () => stage.owner.page.locator('.pair .figure').allTextContents();

  it('show two instants side by side, equal to the interface, with reasons and customers', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(/then=/);
    await stage.owner.settled();
    const then = new URL(page.url()).searchParams.get('then') ?? '';
    expect(Date.now() - Date.parse(then)).to.be.closeTo(30 * DAY_MS, 120_000);
    const largest = largestOf(await compare(`${LAST_YEAR}&thenAsOf=${then}`));
    const { revenue } = largest.values;
    expect((await figures()).map(plain)).to.deep.equal([usd(revenue.then), usd(revenue.now)]);
    const why = page.getByRole('region', { name: /^Why / });
    expect(plain(await why.getByRole('heading').textContent())).to.contain(`changed by ${usd(revenue.difference)}`);
    const amounts = (await why.locator('.amount').allTextContents()).map(plain);
    const reasons = revenue.reasons
      .filter(({ amount }: Json) => amount !== 0)
      .sort((a: Json, b: Json) => Math.abs(b.amount) - Math.abs(a.amount));
    expect(amounts).to.deep.equal(reasons.map(({ amount }: Json) => usd(amount)));
    await why.locator('summary').first().click();
    await why.getByRole('table').getByRole('link').first().waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await why.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
  });

  it('open the reasons of the period that is picked, by keyboard too, and a link shows the same', async () => {
    const { page } = stage.owner;
    const then = new Date(Date.now() - 90 * DAY_MS).toISOString();
    const asked = `chart=revenue&measure=transactions&${LAST_YEAR}&then=${then}`;
    await stage.open(`${stage.base}/compare?${asked}`);
    const drawing = page.getByRole('figure', { name: 'Difference' }).getByRole('img');
    const { buckets } = await compare(`${LAST_YEAR}&thenAsOf=${then}`);
    const changed = buckets.filter(
      ({ values }: Json) => values.transactions.reasons && values.transactions.difference !== 0,
    );
    const at = buckets.indexOf(changed[0]);
    await drawing.focus();
    await page.keyboard.press('Home');
    for (let n = 0; n < at; n++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const { transactions } = changed[0].values;
    const why = page.getByRole('heading', { name: new RegExp(`changed by ${transactions.difference}$`) });
    await why.waitFor();
    expect(new URL(page.url()).searchParams.get('bucket')).to.equal(changed[0].start);
    const title = await why.textContent();
    await stage.open(new URL(page.url()).pathname.replace('/dashboard', '') + new URL(page.url()).search);
    expect(await page.getByRole('heading', { name: /^Why / }).textContent()).to.equal(title);
    expect((await figures()).map(plain)).to.deep.equal([String(transactions.then), String(transactions.now)]);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `compare at ${width}`);
    }
  });

  it('show two periods side by side, and lead to the customers of each', async () => {
    const { page } = stage.owner;
    const now = 'startDate=2026-07-01&endDate=2026-08-31';
    await stage.open(
      `${stage.base}/compare?chart=revenue&measure=revenue&period=2026-07-01..2026-08-31&interval=month`,
    );
    await page.getByRole('button', { name: 'Two periods' }).click();
    await page.waitForURL(/previous=period/);
    await page.getByRole('heading', { name: 'From 1 May 2026 to 30 Jun 2026' }).waitFor();
    const { buckets } = await compare(`${now}&interval=month&previous=period`);
    const size = ({ values }: Json) => Math.abs(values.revenue.difference);
    const [{ values }] = buckets
      .filter((bucket: Json) => bucket.values.revenue.then !== null && bucket.values.revenue.now !== null)
      .sort((a: Json, b: Json) => size(b) - size(a));
    await stage.owner.settled();
    expect((await figures()).map(plain)).to.deep.equal([usd(values.revenue.then), usd(values.revenue.now)]);
    expect(await findings(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Customers then' }).first().click();
    await page.getByRole('tab', { name: 'Customers', selected: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('period')).to.equal('2026-05-01..2026-06-30');
    await page.getByRole('tabpanel').getByRole('table').getByRole('link').first().waitFor();
  });

  it('lead from a rate to the measures that explain it, and show cohorts as a table', async () => {
    const { page } = stage.owner;
    const then = new Date(Date.now() - 60 * DAY_MS).toISOString();
    await stage.open(`${stage.base}/compare?chart=churn&${LAST_YEAR}&then=${then}`);
    await page.getByText('A rate has no reasons of its own.').first().waitFor();
    await page.getByRole('button', { name: 'Churned actives' }).first().click();
    await page.waitForURL(/measure=churned_actives/);
    await page.getByRole('region', { name: /^Why / }).locator('summary').first().waitFor();
    await stage.open(`${stage.base}/compare?chart=cohort_explorer&then=${then}`);
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    expect(await page.locator('.pair figure').count()).to.equal(0);
  });

  it('show two replays side by side', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    for (const [name, commission] of Object.entries({ cheap: 0.1, dear: 0.5 })) {
      await stage.call('POST', `/v1${stage.base}/metrics/replays`, { name, whatIf: { commission } }, as);
    }
    const isReady = ({ items }: Json) => items.every(({ state }: Json) => state === 'ready');
    while (!isReady(await stage.api(`/v1${stage.base}/metrics/replays`))) await stage.harness.service().idle();
    await stage.open(`${stage.base}/compare?chart=revenue&measure=proceeds&${LAST_YEAR}`);
    await page.getByRole('button', { name: 'Two replays' }).click();
    await page.getByLabel('Replay', { exact: true }).selectOption('cheap');
    await page.getByLabel('Compared with').selectOption('dear');
    await page.getByRole('heading', { name: 'Replay dear' }).waitFor();
    const { buckets } = await compare(`${LAST_YEAR}&thenReplay=cheap&nowReplay=dear`);
    const size = ({ values }: Json) => Math.abs(values.proceeds.difference);
    const [{ values }] = [...buckets].sort((a, b) => size(b) - size(a));
    await stage.owner.settled();
    expect((await figures()).map(plain)).to.deep.equal([usd(values.proceeds.then), usd(values.proceeds.now)]);
    await page.getByRole('region', { name: /^Why / }).getByText('those of the replay (').waitFor();
    for (const name of ['cheap', 'dear']) {
      await stage.call('DELETE', `/v1${stage.base}/metrics/replays/${name}`, undefined, as);
    }
  });
});

// Charts beside another period on the page: what the interface says, in the drawing, its reading, the table and the CSV.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { expectNoSidewaysScroll, findings } from './support/visitor.js';
import { setUpStage } from './support/stage.js';

const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
const usd = (value: number) => plain(value.toLocaleString('de-DE', { style: 'currency', currency: 'USD' }));

describe('charts beside another period on the page', () => {
  const stage = setUpStage();
  const chart = (query: string): Promise<Json> => stage.api(`/v1${stage.base}/metrics/charts/${query}`);

  it('show MRR by country beside the year before within 6 clicks, the same in the CSV', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    await page.getByRole('link', { name: 'Monthly recurring revenue' }).click();
    await page.getByLabel('Period', { exact: true }).selectOption('last_12_months');
    await page.getByLabel('Segment by').selectOption('country');
    await page.getByLabel('Compare with').selectOption('year');
    await stage.owner.settled();
    const { segments, previous } = await chart(
      'mrr?period=last_12_months&interval=month&segment=country&segmentLimit=7&previous=year',
    );
    const rows = page.getByRole('tabpanel').locator('tbody tr');
    expect(await rows.count()).to.equal(12);
    const cells = (await rows.first().locator('td').allTextContents()).map(plain);
    const values = Object.keys(segments);
    expect(cells).to.have.length(3 * values.length);
    for (const [i, value] of values.entries()) {
      const now = segments[value].buckets.at(-1).values.mrr;
      const then = previous.segments[value].buckets[previous.pairs.at(-1)].values.mrr;
      expect(cells[3 * i], value).to.contain(usd(now));
      expect(cells[3 * i + 1], value).to.equal(usd(then));
      expect(cells[3 * i + 2], value).to.match(then === 0 ? /^(–|0%)$/ : /^[+−]?[\d.]+%$/);
    }
    await page.getByText(/^Compared with /).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const path = await (await download).path();
    const [head = '', ...lines] = (await import('node:fs')).readFileSync(path, 'utf8').trim().split('\n');
    expect(head).to.contain('mrr_previous,mrr_change');
    const all = await chart('mrr?period=last_12_months&interval=month&segment=country&segmentLimit=1000');
    expect(lines).to.have.length(12 * Object.keys(all.segments).length);
    expect(await findings(page)).to.deep.equal([]);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `compared chart at ${width}`);
    }
  });

  it('draw and read out both figures of a movement, and say the days of a running month', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/mrr_movement?period=this_month&interval=day&previous=period`);
    expect(await page.locator('.drawing .line.before').count()).to.equal(4);
    await page.locator('.drawing svg').press('End');
    await page
      .locator('.reading')
      .getByText(/New MRR: .+ \(.+: .+\)/)
      .waitFor();
    const { previous } = await chart('mrr_movement?period=this_month&interval=day&previous=period');
    expect(previous.startDate).to.match(/-01$/);
    await page.getByText(/^Compared with 1 /).waitFor();
  });

  it('show a comparison by segment, and all segments of a chart', async () => {
    const { page } = stage.owner;
    await stage.open(
      `${stage.base}/compare?chart=revenue&period=last_month&interval=month&previous=period&segment=country`,
    );
    const { segments } = await chart(
      'revenue/compare?period=last_month&interval=month&previous=period&segment=country&segmentLimit=7',
    );
    const rows = page.locator('table.differences tbody > tr');
    const shown = Object.values<Json>(segments).filter(({ buckets }) => buckets[0].values.revenue.difference !== 0);
    expect(await rows.count()).to.equal(shown.length);
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&segment=country`);
    await page.getByLabel('Segments', { exact: true }).selectOption('all');
    await stage.owner.settled();
    const all = await chart('revenue?period=last_12_months&interval=month&segment=country&segmentLimit=1000');
    const heads = await page.getByRole('tabpanel').locator('thead th').count();
    expect(heads).to.equal(1 + Object.keys(all.segments).length);
  });
});

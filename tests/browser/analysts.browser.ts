// An analyst's day: figures in words, a chart that fits a screen, filters from what occurs, cohorts with their customers, and the clicks to an
// answer.
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

const HEIGHT = 800;
const MAX_CLICKS = 6;
const LAST_YEAR = 'period=last_12_months&interval=month';

const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
const usd = (value: number) => plain(value.toLocaleString('de-DE', { style: 'currency', currency: 'USD' }));
const sum = (items: readonly Json[]) => items.reduce((total: number, { value }: Json) => total + value, 0);
/** Each share is rounded to a cent by itself, where it was paid in another currency. */
const expectSum = (items: readonly Json[], whole: number) => {
  expect(items).to.not.deep.equal([]);
  expect(sum(items)).to.be.closeTo(whole, 0.005 * items.length + 0.005);
};

describe('charts for analysts', () => {
  const stage = setUpStage();
  const chart = (path: string): Promise<Json> => stage.api(`/v1${stage.base}/metrics/charts/${path}`);
  /** Figures of the table, without what is for screen readers. */
  const figuresOf = async (row: Locator): Promise<readonly string[]> => {
    const texts = await row.locator('td').evaluateAll((cells) =>
      cells.map((cell) => {
        const copy = cell.cloneNode(true) as unknown as {
          textContent: string;
          querySelectorAll(s: string): Iterable<{ remove(): void }>;
        };
        for (const hidden of copy.querySelectorAll('.visually-hidden')) hidden.remove();
        return copy.textContent;
      }),
    );
    return texts.map(plain);
  };
  const countClicks = () => {
    let clicks = 0;
    return {
      total: () => clicks,
      click: async (place: Locator) => {
        clicks++;
        await place.click();
      },
      /** Opening a list is one click, and choosing from it another. */
      choose: async (label: string, value: string) => {
        clicks += 2;
        await stage.owner.page.getByLabel(label, { exact: true }).selectOption(value);
      },
    };
  };

  it('fit a screen: title, options, drawing and tabs', async () => {
    const { page } = stage.owner;
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    for (const path of [`revenue?${LAST_YEAR}`, 'mrr?segment=country', 'actives_movement']) {
      await stage.open(`${stage.base}/charts/${path}`);
      const places = [
        ...['CSV', 'Save view…', 'Annotations', 'Filter'].map((name) => page.getByRole('button', { name })),
        ...[page.getByLabel('Period', { exact: true }), page.locator('.drawing svg'), page.getByRole('tablist')],
      ];
      for (const place of places) {
        const box = await place.boundingBox();
        expect((box?.y ?? HEIGHT) + (box?.height ?? 0), `${path}: ${String(place)}`).to.be.below(HEIGHT);
      }
      const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
      expect(whole, path).to.be.below(2 * HEIGHT);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('offer the values that occur as filters, with counts, searchable, several at once', async () => {
    const { page } = stage.owner;
    const { items }: Json = await chart('revenue/segments?segment=country');
    expect(items.length).to.be.above(2);
    await stage.open(`${stage.base}/charts/revenue?${LAST_YEAR}`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('group', { name: 'Filter' });
    await panel.getByLabel('Filter by').selectOption('country');
    const listed = panel.getByRole('list', { name: 'Country' }).getByRole('listitem');
    await listed.first().waitFor();
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const expected = items.map(({ value, count }: Json) => `${names.of(value) ?? ''} ${count}`);
    expect((await listed.allTextContents()).map(plain)).to.deep.equal(expected);
    const [first, second] = items.map(({ value }: Json) => names.of(value) ?? '');
    await panel.getByLabel('Search').fill(second.slice(0, 4));
    await listed.filter({ hasText: first }).waitFor({ state: 'detached' });
    await panel.getByRole('checkbox', { name: second }).check();
    await panel.getByLabel('Search').fill('');
    await panel.getByRole('checkbox', { name: first }).check();
    const both = [items[1].value, items[0].value].join(',');
    expect(new URL(page.url()).searchParams.getAll('filter')).to.deep.equal([`country:${both}`]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await stage.owner.settled();
    const { buckets } = await chart(`revenue?${LAST_YEAR}&filter=country:${both}`);
    const newest = page.getByRole('tabpanel').locator('tbody tr').first();
    expect((await figuresOf(newest))[0]).to.equal(usd(buckets.at(-1).values.revenue));
    await page.getByRole('button', { name: `Remove the filter Country: ${second}, ${first}` }).click();
    await stage.owner.settled();
    expect(new URL(page.url()).searchParams.getAll('filter')).to.deep.equal([]);
  });

  it('have no segment until one is chosen', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/mrr`);
    const segment = page.getByLabel('Segment by');
    expect(await segment.locator('option').first().textContent()).to.equal('No segment');
    expect(await segment.inputValue()).to.equal('');
  });

  it('mark the day that is not complete, in drawings and sparklines alike', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/mrr`);
    expect(await page.locator('.drawing .line.open').count()).to.equal(1);
    expect(await page.locator('.drawing .open-end').count()).to.equal(1);
    await page.getByText('Not complete yet').waitFor();
    await stage.open(`${stage.base}/overview`);
    const sparklines = page.locator('svg.sparkline');
    const count = await sparklines.count();
    expect(count).to.be.above(5);
    expect(await page.locator('svg.sparkline polyline.open').count()).to.equal(count);
    for (const one of await sparklines.all())
      expect(await one.getAttribute('aria-label')).to.contain('the last day is not complete yet');
    await stage.open(`${stage.base}/charts/mrr?period=last_month&interval=day`);
    expect(await page.locator('.drawing .line.open, .incomplete-legend').count()).to.equal(0);
  });

  it('lead from a cohort’s cell to its customers, with one legend', async () => {
    const { page } = stage.owner;
    const { rows } = await chart(`cohort_explorer?${LAST_YEAR}`);
    const at = rows.findIndex(({ columns }: Json) => columns.length > 3 && columns[1].value !== 0);
    const { start, size, columns } = rows[at];
    await stage.open(`${stage.base}/charts/cohort_explorer?${LAST_YEAR}`);
    expect(await page.locator('.incomplete-legend').count()).to.equal(1);
    const row = page.locator('table.cohorts tbody tr').nth(at);
    await row.locator('td').nth(0).getByRole('button').click();
    const listed = page.getByRole('tabpanel').locator('tbody').getByRole('link');
    await listed.first().waitFor();
    expect(await listed.count()).to.equal(Math.min(10, size));
    await row.locator('td').nth(2).getByRole('button').click();
    await page.waitForURL(/column=1/);
    await stage.owner.settled();
    const behind = await chart(
      `cohort_explorer/customers?${LAST_YEAR}&bucket=${start}&measure=value&column=1&limit=100`,
    );
    expectSum(behind.items, columns[1].value);
    const shares = await page.getByRole('tabpanel').locator('tbody td.number').allTextContents();
    expect(shares.map(plain)).to.deep.equal(behind.items.slice(0, 10).map(({ value }: Json) => usd(value)));
  });

  it('lead from a segment’s figure to the customers of the segment', async () => {
    const { page } = stage.owner;
    const { segments } = await chart(`revenue?${LAST_YEAR}&segment=store`);
    const [[store, { buckets }]] = Object.entries(segments) as [[string, Json]];
    await stage.open(`${stage.base}/charts/revenue?${LAST_YEAR}&segment=store`);
    await page.getByRole('tabpanel').locator('tbody tr').nth(1).getByRole('button').first().click();
    await page.getByRole('tab', { name: 'Customers', selected: true }).waitFor();
    await stage.owner.settled();
    const bucket = buckets.at(-2);
    const asked = `${LAST_YEAR}&bucket=${bucket.start}&measure=revenue&filter=store:${store}&limit=100`;
    const behind = await chart(`revenue/customers?${asked}`);
    expectSum(behind.items, bucket.values.revenue);
    const shares = await page.getByRole('tabpanel').locator('tbody td.number').allTextContents();
    expect(shares.map(plain)).to.deep.equal(behind.items.slice(0, 10).map(({ value }: Json) => usd(value)));
  });

  it(`show MRR by country for two years within ${MAX_CLICKS} clicks`, async () => {
    const { page } = stage.owner;
    const { click, choose, total } = countClicks();
    await stage.open(`${stage.base}/overview`);
    await click(page.getByRole('link', { name: 'Monthly recurring revenue' }));
    await choose('Period', 'last_24_months');
    await choose('Segment by', 'country');
    await stage.owner.settled();
    const { segments } = await chart('mrr?period=last_24_months&interval=month&segment=country&segmentLimit=7');
    const rows = page.getByRole('tabpanel').locator('tbody tr');
    await rows.nth(23).waitFor();
    expect(await rows.count()).to.equal(24);
    const regions = new Intl.DisplayNames('en', { type: 'region' });
    const nameOf = (code: string) => (code === 'other' ? 'Other' : regions.of(code));
    const heads = (await page.getByRole('tabpanel').locator('thead th').allTextContents()).slice(1);
    const values: readonly [string, Json][] = Object.entries<Json>(segments);
    expect([...heads].sort()).to.deep.equal(values.map(([code]) => nameOf(code)).sort());
    const newest = await figuresOf(rows.first());
    for (const [code, { buckets }] of values) {
      expect(newest[heads.indexOf(nameOf(code) ?? '')], code).to.equal(usd(buckets.at(-1).values.mrr));
    }
    process.stdout.write(`    MRR by country for two years: ${total()} clicks from the overview\n`);
    expect(total()).to.be.at.most(MAX_CLICKS);
  });

  it(`say why a past month changed within ${MAX_CLICKS} clicks`, async () => {
    const { page } = stage.owner;
    const { buckets } = await chart(`revenue?${LAST_YEAR}`);
    const complete: Json[] = buckets.filter(({ incomplete }: Json) => !incomplete);
    const since = (end: string) => chart(`revenue/compare?${LAST_YEAR}&thenAsOf=${end}`);
    let month: Json;
    let changed: Json;
    for (const bucket of complete) {
      const all = await since(bucket.end);
      changed = all.buckets.find(({ start }: Json) => start === bucket.start).values.revenue;
      month = bucket;
      if (changed.difference) break;
    }
    expect(changed.difference, 'the demo has no month whose revenue changed after its end').not.to.equal(0);
    const { click, choose, total } = countClicks();
    await stage.open(`${stage.base}/overview`);
    await click(page.getByRole('link', { name: 'Revenue', exact: true }));
    await choose('Period', 'last_12_months');
    await stage.owner.settled();
    const at = buckets.findIndex(({ start }: Json) => start === month.start);
    await click(page.locator('.drawing svg .fill').nth(at));
    await click(page.getByRole('button', { name: /^What changed since .* ended$/ }));
    await stage.owner.settled();
    const row = page
      .getByRole('table')
      .filter({ hasText: 'Difference' })
      .locator('tbody > tr', { has: page.locator('summary') })
      .last();
    expect((await figuresOf(row)).slice(0, 3)).to.deep.equal([
      usd(changed.then),
      usd(changed.now),
      usd(changed.difference),
    ]);
    const [reason] = [...changed.reasons].sort((a: Json, b: Json) => Math.abs(b.amount) - Math.abs(a.amount));
    await click(row.locator('summary').first());
    await stage.owner.settled();
    const asked = `${LAST_YEAR}&thenAsOf=${month.end}&bucket=${month.start}&measure=revenue&kind=${reason.kind}`;
    const behind = await chart(`revenue/compare/customers?${asked}`);
    const customers = row.getByRole('table').getByRole('link');
    await customers.first().waitFor();
    expect(await customers.allTextContents()).to.deep.equal(
      behind.items.slice(0, 10).map(({ appUserId, customerId }: Json) => appUserId ?? customerId),
    );
    process.stdout.write(`    why a month changed: ${total()} clicks from the overview\n`);
    expect(total()).to.be.at.most(MAX_CLICKS);
  });
});

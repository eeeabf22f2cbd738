// Customers of a value of a chart, when the chart changes and the value no longer exists.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

const LAST_YEAR = 'period=last_12_months&interval=month';

describe('the customers of a value on the page', () => {
  const stage = setUpStage();
  const chart = (path: string): Promise<Json> => stage.api(`/v1${stage.base}/metrics/charts/${path}`);

  it('show the customers of the whole figure when the segment or the interval of the value is gone', async () => {
    const { page, settled, refusals } = stage.owner;
    const { segments } = await chart(`actives?${LAST_YEAR}&segment=store`);
    const [[store, { buckets }]] = Object.entries(segments) as [[string, Json]];
    const of = `tab=customers&of=active_subscriptions&value=${store}&bucket=${buckets.at(-2).start}`;
    await stage.open(`${stage.base}/charts/actives?${LAST_YEAR}&segment=store&${of}`);
    refusals.splice(0);
    const panel = page.getByRole('tabpanel');
    const listedCount = async () => {
      await settled();
      for (;;) {
        const more = panel.getByRole('button', { name: 'Show more' });
        if ((await more.count()) === 0) return panel.locator('tbody').getByRole('link').count();
        await more.click();
        await settled();
      }
    };
    expect(await listedCount()).to.equal(buckets.at(-2).values.active_subscriptions);
    await page.getByLabel('Segment by').selectOption('');
    const { buckets: ofAll } = await chart(`actives?${LAST_YEAR}`);
    expect(await listedCount()).to.equal(ofAll.at(-2).values.active_subscriptions);
    expect(await panel.locator('caption').textContent()).to.match(/^Active subscriptions, [A-Z][a-z]+ \d{4}$/);
    await page.getByLabel('Interval').selectOption('week');
    await settled();
    const { buckets: weeks } = await chart('actives?period=last_12_months&interval=week');
    expect(await listedCount()).to.equal(weeks.at(-1).values.active_subscriptions);
    expect(refusals).to.deep.equal([]);
  });
});

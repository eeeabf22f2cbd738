// Saved views: all that was seen, for a second member too, and on the overview.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findings } from './support/visitor.js';
import { openMenu, openPage, setUpStage, visitAs } from './support/stage.js';

const SEEN =
  'period=last_12_months&interval=month&segment=country&show=more&measure=revenue_net_of_taxes&previous=year&tab=table';

describe('saved views on the page', () => {
  const stage = setUpStage();
  const stateOf = (page: Page) => {
    const state = new URL(page.url()).searchParams;
    state.delete('view');
    return state.toString();
  };
  const tableOf = (page: Page) => page.getByRole('tabpanel').locator('th, td').allTextContents();

  it('open what was seen, for the member who saved it and for a second one', async () => {
    const { page, settled } = stage.owner;
    const { measures } = (await stage.api(`/v1${stage.base}/metrics/charts`)).items.find(
      (chart: { id: string }) => chart.id === 'revenue',
    );
    const seen = SEEN.replace('revenue_net_of_taxes', measures.at(-1).id);
    await stage.open(`${stage.base}/charts/revenue?${seen}`);
    const [state, table] = [stateOf(page), await tableOf(page)];
    expect(table.length).to.be.above(20);
    await page.getByRole('button', { name: 'Save view…' }).click();
    await page.getByLabel('Name').fill('By country');
    await page.getByLabel('Share with the project').check();
    await page.getByLabel('Show on the overview').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await stage.open(`${stage.base}/charts`);
    await page.getByRole('link', { name: 'By country' }).click();
    await page.getByText('View: By country, shared').waitFor();
    await settled();
    expect(stateOf(page)).to.equal(state);
    expect(await tableOf(page)).to.deep.equal(table);
    const { visitor } = await visitAs(stage, 'viewer', 'views@example.com');
    await openPage(visitor, `${stage.url}/dashboard${stage.base}/charts`);
    await visitor.page.getByRole('link', { name: 'By country' }).click();
    await visitor.page.getByText('View: By country, shared').waitFor();
    await visitor.settled();
    expect(stateOf(visitor.page)).to.equal(state);
    expect(await tableOf(visitor.page)).to.deep.equal(table);
    await openPage(visitor, `${stage.url}/dashboard${stage.base}/overview`);
    await visitor.page.getByRole('region', { name: 'Saved views' }).getByRole('link', { name: 'By country' }).waitFor();
    expect(visitor.complaints).to.deep.equal([]);
    await visitor.close();
  });

  it('are renamed, and say when other options are shown', async () => {
    const { page, settled } = stage.owner;
    await stage.open(`${stage.base}/charts`);
    await openMenu(page, 'By country');
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Countries');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Countries' }).click();
    await page.getByText('View: Countries, shared').waitFor();
    await page.getByLabel('Interval').selectOption('quarter');
    await page.getByText('View: Countries, shared, with other options than saved').waitFor();
    await stage.open(`${stage.base}/overview`);
    await page.getByRole('region', { name: 'Saved views' }).getByRole('link', { name: 'Countries' }).waitFor();
    await settled();
    expect(await findings(page)).to.deep.equal([]);
  });
});

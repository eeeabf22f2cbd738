// Panels and menus that open beside a button: at every width they are within the window, and their end can be reached.
import { expect } from 'chai';
import { findings } from './support/visitor.js';
import { setUpStage } from './support/stage.js';

const WIDTHS = [320, 375, 768, 1024, 1440, 1920];
/** A text, since its names are the browser's. Returns the open panel's distances to the edges of the window. */
const DISTANCES = `(() => {
  const open = [...document.querySelectorAll('.popover > .panel, .menu-list.open')];
  const { clientWidth, clientHeight } = document.documentElement;
  return open.map((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    const isReachable = e.scrollHeight <= e.clientHeight + 1 || getComputedStyle(e).overflowY === 'auto';
    return { left, top, right: clientWidth - right, bottom: clientHeight - bottom, isReachable };
  });
})()`;
type Distances = { left: number; top: number; right: number; bottom: number; isReachable: boolean };

describe('panels on the page', () => {
  const stage = setUpStage();

  it('are within the window at every width', async () => {
    const { page, settled } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/experiments?limit=1`);
    for (const path of [
      'charts/mrr?period=last_12_months&segment=country&filter=country:DE,US&previous=year',
      'setup',
      'webhooks',
      `experiments/${items[0].id}`,
      'customers',
    ]) {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width < 500 ? 640 : 900 });
        await stage.open(`${stage.base}/${path}`);
        const buttons = page.locator('.popover > button, :has(> .menu-list) > button');
        const total = await buttons.count();
        expect(total, path).to.be.above(0);
        for (let i = 0; i < Math.min(total, 8); i++) {
          const button = buttons.nth(i);
          if (!(await button.isVisible())) continue;
          const about = `${path} at ${width}: ${(await button.getAttribute('aria-label')) ?? (await button.textContent())}`;
          await button.click();
          await settled();
          const open = await page.evaluate<Distances[]>(DISTANCES);
          expect(open, about).to.have.length(1);
          for (const { isReachable, ...edges } of open) {
            expect(Math.min(...Object.values(edges)), `${about} ${JSON.stringify(edges)}`).to.be.at.least(0);
            expect(isReachable, about).to.equal(true);
          }
          await page.keyboard.press('Escape');
          expect(await page.evaluate<Distances[]>(DISTANCES), about).to.have.length(0);
        }
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }).timeout(240_000);

  it('show the chance to win of an experiment at once, and its definitions', async () => {
    const { page } = stage.owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    const { items } = await stage.api(`/v1${stage.base}/experiments?limit=1`);
    await stage.open(`${stage.base}/experiments/${items[0].id}`);
    const head = await page.getByRole('columnheader', { name: 'Chance to win' }).first().boundingBox();
    expect((head?.x ?? NaN) + (head?.width ?? NaN)).to.be.below(1440);
    await page.getByText('How this is computed').click();
    await page.getByText(/^Chance to win: probability/).waitFor();
    await page.getByLabel('Results by').selectOption('country');
    await stage.owner.settled();
    await page.getByRole('group', { name: 'Results by segment' }).waitFor();
    expect(await findings(page)).to.deep.equal([]);
  });
});

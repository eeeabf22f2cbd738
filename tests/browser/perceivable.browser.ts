// Accessibility that axe does not check: sizes of targets, spacing of text, outlines, system colours, times, and announcements.
import { expect } from 'chai';
import { cutTexts, outlineOf, smallTargets, spaceText } from './support/page-measurements.js';
import { setUpStage } from './support/stage.js';
import { expectNoSidewaysScroll, findings, visit } from './support/visitor.js';

describe('the page as it is perceived', () => {
  const stage = setUpStage();
  const pages = async (): Promise<readonly string[]> => {
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=1&status=active`);
    const customer = `customers/${items[0].id}`;
    const charts = [
      'charts',
      'charts/mrr_movement',
      'charts/cohort_explorer',
      'charts/revenue?segment=country',
      'compare',
    ];
    const [app] = (await stage.api(`/v1${stage.base}/apps`)).items;
    const selling = ['paywalls', 'targeting', 'experiments', 'setup', `setup/${app.id}`];
    const others = ['live', 'notifications', 'webhooks', ...selling, 'members', 'audit'];
    return ['overview', 'customers', customer, ...charts, ...others].map((path) => `${stage.base}/${path}`);
  };

  it('has an outline, landmarks, a title of its own, named tables and times with their instant, and nothing that moves', async () => {
    const { page } = stage.owner;
    const titles = new Set<string>();
    for (const path of await pages()) {
      await stage.open(path);
      const { title, ...rest } = await outlineOf(page);
      titles.add(title);
      expect(rest, path).to.deep.equal({
        ...{ h1: 1, skipped: [], landmarks: ['header', 'nav', 'main'] },
        ...{ tablesWithout: [], timesWithout: [], moving: 0 },
      });
    }
    expect(titles.size).to.be.above(9);
  });

  it('has targets of 24 pixels and more, at 320 and at 1440', async () => {
    const { page } = stage.owner;
    for (const path of await pages()) {
      await stage.open(path);
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await smallTargets(page), `${path} at ${width}`).to.deep.equal([]);
      }
    }
  });

  it('stands wider spacing of text, also at 320', async () => {
    const { page } = stage.owner;
    for (const path of await pages()) {
      await stage.open(path);
      await spaceText(page);
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScroll(page, `${path} at ${width}, spaced`);
        expect(await cutTexts(page), `${path} at ${width}`).to.deep.equal([]);
      }
    }
  });

  it('is seen in colours that the system chooses, and with more contrast', async () => {
    const { page } = stage.owner;
    await page.emulateMedia({ forcedColors: 'active' });
    await stage.open(`${stage.base}/charts/mrr`);
    const stroke = await page.evaluate("getComputedStyle(document.querySelector('svg path.line')).stroke");
    expect(stroke).to.equal(await page.evaluate('getComputedStyle(document.body).color'));
    await page.getByRole('button', { name: 'CSV' }).focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).to.equal('solid');
    await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
    expect(await findings(page)).to.deep.equal([]);
    await page.emulateMedia({ contrast: 'no-preference' });
  });

  it('distinguishes several lines by a number at each end, as in the legend', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/mrr?segment=productId`);
    const numbers = await page.locator('svg text.end').allTextContents();
    const legend = await page.locator('.legend li').allTextContents();
    expect(numbers).to.have.length.above(1);
    expect(legend.map((name) => name.split(' ')[0])).to.deep.equal(numbers);
  });

  it('shows local time in addition everywhere if enabled', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/audit`);
    expect(await page.locator('time .local').count()).to.equal(0);
    await page.getByRole('button', { name: 'You', exact: true }).click();
    await page.getByLabel('Show local time, too').check();
    expect(await page.locator('time .local').count()).to.equal(await page.locator('time').count());
    await page.getByLabel('Show local time, too').uncheck();
  });

  it('ties what is wrong to its field, and announces it and what was done', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/webhooks`);
    await page.getByRole('button', { name: 'Add webhook…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByRole('alert').waitFor();
    const field = dialog.getByLabel('Address');
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    const about = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(about.map((id) => page.locator(`[id="${id}"]`).textContent()));
    expect(texts).to.include(await dialog.getByRole('alert').textContent());
    expect(await page.locator('.toasts').getAttribute('aria-live')).to.equal('polite');
    await page.keyboard.press('Escape');
  });

  it('lets password managers fill in the log-in', async () => {
    const guest = await visit(stage.browser, stage.url);
    const autocomplete = (label: string) => guest.page.getByLabel(label).getAttribute('autocomplete');
    expect([await autocomplete('Email'), await autocomplete('Password')]).to.deep.equal([
      'username',
      'current-password',
    ]);
    await guest.close();
  });
});

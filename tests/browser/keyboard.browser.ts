// The page by the keyboard alone: everything is reached, the focus is seen, and dialogs keep it and give it back.
import { expect } from 'chai';
import { focused, hasFocus, htmlOfControls, numberControls } from './support/page-measurements.js';
import { setUpStage } from './support/stage.js';

/** A field for an instant takes the key once for each of its parts. */
const MAX_STEPS = 8;

describe('the page by the keyboard', () => {
  const stage = setUpStage();

  it('skips to the content', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    expect(await hasFocus(skip)).to.equal(true);
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().top >= 0')).to.equal(true);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('main');
  });

  it('reaches every control, in view and with a mark that is seen', async function () {
    this.timeout(240_000);
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=1&status=active`);
    const paths = [
      'overview',
      'customers',
      `customers/${items[0].id}`,
      'charts/mrr',
      'notifications',
      'webhooks',
      'setup',
    ];
    const [app] = (await stage.api(`/v1${stage.base}/apps`)).items;
    for (const path of [
      ...paths,
      `setup/${app.id}`,
      'paywalls',
      'targeting',
      'experiments',
      'members',
      'audit',
      'live',
    ]) {
      await stage.open(`${stage.base}/${path}`);
      const count = await numberControls(page);
      const reached = new Set<string>();
      for (let n = 0; n < count * MAX_STEPS; n++) {
        await page.keyboard.press('Tab');
        const { control, html, isMarked, isCovered } = await focused(page);
        if (control === null && reached.size > 0) break;
        expect([isMarked, isCovered], `${path}: ${html}`).to.deep.equal([true, false]);
        if (control !== null) reached.add(control);
      }
      const missed = Array.from({ length: count }, (_, i) => String(i)).filter((control) => !reached.has(control));
      expect(await htmlOfControls(page, missed), path).to.deep.equal([]);
    }
  });

  it('stays in a dialog until it is closed, and then is where it was', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/mrr`);
    const panels = { 'Save view…': null, 'Add…': 'Annotations', 'Create replay…': 'Replays' };
    for (const [name, panel] of Object.entries(panels)) {
      if (panel !== null) await page.getByRole('button', { name: panel }).click();
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      for (let n = 0; n < 20; n++) {
        const isInside = await page.evaluate(
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
        );
        expect(isInside, name).to.equal(true);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await hasFocus(button), name).to.equal(true);
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await hasFocus(button), name).to.equal(true);
    }
  });

  it('steps through the values of a chart, and reads them out', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByRole('img').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const reading = page.getByRole('status').filter({ hasText: 'Revenue:' });
    const text = (await reading.textContent()) ?? '';
    const value = text.slice(text.indexOf('Revenue: ') + 'Revenue: '.length);
    const row = page.getByRole('tabpanel').locator('tbody tr').nth(1);
    expect(await row.textContent()).to.contain(value);
  });

  it('moves the slider over a customer’s history, and announces its instant', async () => {
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=1&status=expired`);
    await stage.open(`${stage.base}/customers/${items[0].id}`);
    const slider = page.getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).to.equal('now');
    await slider.focus();
    await page.keyboard.press('PageDown');
    await page.waitForURL(/asOf=/);
    expect(await slider.getAttribute('aria-valuetext')).to.match(/UTC/);
    const field = page.getByLabel('Instant (UTC)');
    await field.focus();
    expect(await field.inputValue()).to.equal(new URL(page.url()).searchParams.get('asOf')?.slice(0, 16));
  });

  it('opens and closes what belongs to oneself', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    const me = page.getByRole('button', { name: 'You', exact: true });
    await me.focus();
    await page.keyboard.press('Enter');
    expect(await me.getAttribute('aria-expanded')).to.equal('true');
    await page.getByLabel('Show local time, too').focus();
    await page.keyboard.press('Escape');
    expect(await me.getAttribute('aria-expanded')).to.equal('false');
    expect(await hasFocus(me)).to.equal(true);
  });

  it('opens an action of a menu, and is at the menu again afterwards', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/setup`);
    const menu = page.getByRole('button', { name: 'Actions for pro', exact: true });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await hasFocus(page.getByRole('button', { name: 'Edit pro…' }))).to.equal(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit pro' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await hasFocus(menu)).to.equal(true);
    expect(await page.getByRole('button', { name: 'Edit pro…' }).count()).to.equal(0);
  });
});

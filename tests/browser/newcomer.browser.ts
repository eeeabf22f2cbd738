// An empty instance: one choice, few clicks to the first notification, and from then on the project directly.
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { caller, startHarness, store, type Harness } from '../http/support/harness.js';
import { launchChromium } from './support/chromium.js';
import { logIn, openPage } from './support/stage.js';
import { register, visit, type Visitor } from './support/visitor.js';

const EMAIL = 'newcomer@example.com';
const MAX_CLICKS = 6;
/** Longest identifier of an app that the ios-store allows. */
const BUNDLE_ID = `com.example.${'forecast'.repeat(17)}`;

/** Counts clicks of a pointer; a click by a key has no detail. */
const COUNT_CLICKS = `(() => {
  window.clicks = 0;
  addEventListener('click', ({ isTrusted, detail }) => (window.clicks += isTrusted && detail > 0 ? 1 : 0), true);
})()`;

describe('a newcomer', () => {
  let harness: Harness;
  let browser: Browser;
  let visitor: Visitor;
  const url = () => harness.service().url ?? '';

  before(async () => {
    harness = await startHarness();
    browser = await launchChromium();
    visitor = await visit(browser, url());
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await register(visitor, EMAIL);
  });
  after(async () => {
    await browser.close();
    await harness.stop();
  });
  afterEach(() => expect(visitor.complaints.splice(0)).to.deep.equal([]));

  it('has one choice on an empty instance: the demo, or an app', async () => {
    const { page, settled } = visitor;
    await page.getByRole('heading', { level: 1, name: 'Where do you want to start?' }).waitFor();
    await settled();
    const buttons = await page.locator('main').getByRole('button').allInnerTexts();
    expect(buttons).to.deep.equal(['Load the demo', 'Connect app']);
  });

  it(`connects an app to its first notification with at most ${MAX_CLICKS} clicks`, async () => {
    const { page } = visitor;
    await page.evaluate(COUNT_CLICKS);
    const type = async (label: string, text: string) => {
      await page.getByLabel(label).click();
      await page.keyboard.type(text);
    };
    await type('Name', 'Forecast');
    await type('Bundle ID', BUNDLE_ID);
    await page.getByRole('button', { name: 'Connect app' }).click();
    await page.getByRole('button', { name: 'Copy the notification address of Forecast' }).click();
    await page.getByText('Copied.').waitFor();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    const environment = 'Sandbox' as const;
    const sent = { notificationType: 'TEST', bundleId: BUNDLE_ID, environment, signedDate: Date.now() };
    const call = caller(url);
    expect((await call('POST', new URL(address).pathname, store.signedNotification(sent))).status).to.equal(200);
    await page.getByText(/^Test notification .* handled$/).waitFor();
    const clicks = await page.evaluate<number>('window.clicks');
    process.stdout.write(`    an app with its first notification: ${clicks} clicks\n`);
    expect(clicks).to.be.within(1, MAX_CLICKS);
  });

  it('is not disturbed by long IDs on a narrow screen', async () => {
    const { page } = visitor;
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ['setup', new URL(page.url()).pathname.split('/').slice(-2).join('/')]) {
        const [, base = ''] = /(\/projects\/[^/]+)/.exec(page.url()) ?? [];
        await openPage(visitor, `${url()}/dashboard${base}/${path}`);
        const [full, visible] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect(full, `${path} at ${width}`).to.equal(visible);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('lands on the overview of the only project with the next login', async () => {
    const again = await visit(browser, url());
    await logIn(again, EMAIL);
    await again.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(again.page.url()).pathname).to.match(/^\/dashboard\/projects\/proj_\w+\/overview$/);
    await again.close();
  });

  it('searches everywhere: projects from their list, and pages, charts and apps in a project', async () => {
    const { page } = visitor;
    const find = async (name: string, text: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name }).fill(text);
      await page.getByRole('option', { name: option }).waitFor();
      await page.keyboard.press('Enter');
    };
    await openPage(visitor, `${url()}/dashboard/projects`);
    await find('Project', 'fore', /Forecast\s+project/);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await find('Any ID or email, or a page', 'mrr mov', /MRR Movement\s+chart/i);
    await page.waitForURL(/\/charts\/mrr_movement/);
    await find('Any ID or email, or a page', 'forec', /Forecast\s+app/);
    await page.getByRole('heading', { level: 1, name: 'Connect Forecast' }).waitFor();
    await find('Any ID or email, or a page', 'audit', /Audit\s+page/);
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  });
});

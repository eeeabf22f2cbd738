// The own account and the settings of a project in the browser, by keyboard alone where something is submitted.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { showCode } from '../../simulator/authenticator.js';
import { startHarness, type Harness } from '../http/support/harness.js';
import { launchChromium } from './support/chromium.js';
import { openPage } from './support/stage.js';
import { findings, PASSWORD, register, visit, type Visitor } from './support/visitor.js';

const EMAIL = 'keeper@example.com';
const STEP_MS = 30_000;

describe('account and settings on the page', () => {
  let harness: Harness;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let secret = '';
  let codes: readonly string[] = [];

  before(async () => {
    harness = await startHarness();
    browser = await launchChromium();
    visitor = await visit(browser, url());
    page = visitor.page;
    await register(visitor, EMAIL);
  });
  after(async () => {
    await browser.close();
    await harness.stop();
  });
  afterEach(() => expect(visitor.complaints.splice(0)).to.deep.equal([]));

  const url = () => harness.service().url ?? '';
  const open = (path: string) => openPage(visitor, `${url()}/dashboard${path}`);
  const fill = async (name: string, value: string) => page.getByLabel(name, { exact: true }).last().fill(value);
  const submit = () => page.keyboard.press('Enter');

  it('changes the name, which the menu shows at once', async () => {
    await open('/projects');
    await page.getByRole('button', { name: 'You', exact: true }).focus();
    await submit();
    await page.getByRole('button', { name: 'Your account' }).focus();
    await submit();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await fill('Name', 'Zoe Keeper');
    await submit();
    await page.getByText('Name saved.').waitFor();
    expect(await page.getByRole('button', { name: 'You', exact: true }).textContent()).to.equal('Z');
  });

  it('sets up a second factor, and shows the recovery codes once', async () => {
    await open('/account');
    await fill('Your password', PASSWORD);
    await submit();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    secret = (await page.locator('.copy code').textContent()) ?? '';
    await fill('Code', showCode(secret, Date.now() - STEP_MS));
    await submit();
    const dialog = page.getByRole('dialog', { name: 'Keep these recovery codes' });
    codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    expect(codes).to.have.length(10);
    await dialog.getByRole('button', { name: 'I have kept them' }).press('Enter');
    await page.getByText('10 recovery codes left').waitFor();
    await page.getByText('Second factor put in effect').waitFor();
    expect(await findings(page)).to.deep.equal([]);
  });

  it('changes the password and stays logged in', async () => {
    await open('/account');
    await fill('Current password', PASSWORD);
    await fill('Code of your second factor', codes[0] ?? '');
    await fill('New password', `${PASSWORD} two`);
    await submit();
    await page.getByText('Password changed.').waitFor();
    await open('/account');
    await page.getByText('9 recovery codes left').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Password changed' }).waitFor();
  });

  it('asks for the code where a second factor was used', async () => {
    await page.getByRole('button', { name: 'You', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(`${PASSWORD} two`);
    await page.getByLabel('Code of your second factor').fill(showCode(secret, Date.now() + STEP_MS));
    await submit();
    await page.getByRole('button', { name: 'You', exact: true }).waitFor();
  });

  it('renames a project and deletes it once its name was typed', async () => {
    await open('/projects');
    await page.getByLabel('Name').fill('Stargazer');
    await page.getByLabel('Bundle ID').fill('com.example.stars');
    await submit();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForURL(/projects\/proj_/);
    const base = /\/projects\/proj_\w+/.exec(page.url())?.[0] ?? '';
    await open(`${base}/settings`);
    await fill('Name', 'Moongazer');
    await page.getByLabel('Currency of charts').selectOption('EUR');
    await page.getByLabel('Time zone of times and days').selectOption('Australia/Eucla');
    await page.getByRole('button', { name: 'Save settings' }).press('Enter');
    await page.getByText('Settings saved.').waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await open(`${base}/audit`);
    await page.getByText('Display currency: ').waitFor();
    await page.getByText('Time zone: ').waitFor();
    // Times of the page are of the zone, and its fields for a time, too.
    await page
      .getByText(/\d\d:\d\d GMT\+8:45/)
      .first()
      .waitFor();
    await page.getByLabel('Since (Australia/Eucla)').fill('2026-05-02T08:45');
    await page.waitForURL(/since=2026-05-02T00%3A00%3A00.000Z/);
    await open(`${base}/charts/revenue?currency=USD`);
    await page.getByText('Days, weeks and months are those of UTC.').waitFor();
    await open(`${base}/settings`);
    await page.getByRole('button', { name: 'Delete project…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete Moongazer' });
    await dialog.getByLabel('Type Moongazer').fill('moongazer');
    await submit();
    await dialog.getByText('This is not the name of the project.').waitFor();
    await dialog.getByLabel('Type Moongazer').fill('Moongazer');
    await submit();
    await page.getByText('Moongazer was deleted.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Where do you want to start?' }).waitFor();
  });
});

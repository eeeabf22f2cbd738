// Targeting on the page: placements, rules in their order, and the preview for a customer; and prices in the product form.
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startHarness, type Harness, type Json } from '../http/support/harness.js';
import { launchChromium } from './support/chromium.js';
import { openMenu, openPage } from './support/stage.js';
import { expectNoSidewaysScroll, findings, PASSWORD, register, visit, type Visitor } from './support/visitor.js';

const EMAIL = 'targeting@example.com';

describe('targeting on the page', () => {
  let harness: Harness;
  let browser: Browser;
  let visitor: Visitor;
  let token = '';
  let base = '';
  const url = () => harness.service().url ?? '';
  const open = (path: string) => openPage(visitor, `${url()}/dashboard${base}${path}`);
  const api = async (path: string) => (await harness.call('GET', `/v1${base}${path}`, undefined, { token })).body;
  const post = async (path: string, body: object): Promise<Json> => {
    const made = await harness.call('POST', `/v1${base}${path}`, body, { token });
    expect(made.status, JSON.stringify(made.body)).to.be.within(200, 201);
    return made.body;
  };
  before(async () => {
    harness = await startHarness();
    browser = await launchChromium();
    visitor = await visit(browser, url());
    await register(visitor, EMAIL);
    token = (await harness.call('POST', '/auth/login', { email: EMAIL, password: PASSWORD })).body.accessToken;
    const project = await harness.call('POST', '/v1/projects', { name: 'Stargazer' }, { token });
    base = `/projects/${project.body.id}`;
    for (const [lookupKey, displayName] of [
      ['default', 'Default'],
      ['winter', 'Winter'],
    ])
      await post('/offerings', { lookupKey, displayName });
    const as = { token, headers: { 'x-project-id': String(project.body.id) } };
    await harness.call('POST', '/v1/subscribers/visitor', { country: 'DE', platform: 'ios' }, as);
  });
  after(async () => {
    await browser.close();
    await harness.stop();
  });
  afterEach(() => expect(visitor.complaints.splice(0)).to.deep.equal([]));

  it('adds a placement and rules, moves them, and explains what a customer gets', async () => {
    const { page } = visitor;
    await open('/targeting');
    await page.getByRole('button', { name: 'Add placement…' }).click();
    const placing = page.getByRole('dialog', { name: 'Add placement' });
    await placing.getByLabel('Lookup key').fill('start');
    await placing.getByLabel('Display name').fill('Start');
    await placing.getByRole('button', { name: 'Add placement' }).click();
    await placing.waitFor({ state: 'detached' });

    const addRule = async (name: string, fill: (dialog: ReturnType<typeof page.getByRole>) => Promise<unknown>) => {
      await page.getByRole('button', { name: 'Add rule…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add rule' });
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await fill(dialog);
      await dialog.getByRole('button', { name: 'Add rule' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await addRule('Everybody', (dialog) => dialog.getByLabel('At Start').selectOption('nothing'));
    await addRule('Germany', async (dialog) => {
      await dialog.getByLabel('Countries').fill('de, at');
      await dialog.getByLabel('Subscriber').selectOption('no');
      await dialog.getByLabel('Offering', { exact: true }).selectOption({ label: 'Winter' });
    });
    await page.getByText('If country is DE or AT and is not a subscriber: Winter').waitFor();
    await page.getByText('Everybody: the current offering; nothing at Start').waitFor();

    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByLabel('Customer').fill('visitor');
    await preview.getByRole('button', { name: 'Show' }).click();
    await preview.getByText('The rule “Everybody” holds for everybody.').waitFor();

    const germany = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Germany' }) });
    await openMenu(germany, 'Germany');
    await germany.getByRole('button', { name: 'Move up' }).click();
    await page
      .getByRole('list', { name: 'Rules in their order' })
      .getByRole('heading')
      .first()
      .getByText('Germany')
      .waitFor();
    await preview.getByRole('button', { name: 'Show' }).click();
    await preview.getByText('Gets winter').waitFor();
    await preview.getByText('(DE)').waitFor();
    const rules: Json[] = (await api('/targeting-rules')).items;
    expect(rules.map(({ name }) => name)).to.deep.equal(['Germany', 'Everybody']);
  });

  it('keeps the conditions that the form has no field for', async () => {
    const { page } = visitor;
    const attribute = (name: string) => ({ kind: 'attribute', name, operator: 'in', values: ['a', 'b'] });
    const made = await post('/targeting-rules', { name: 'Two', conditions: [attribute('plan'), attribute('team')] });
    await open('/targeting');
    const entry = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Two' }) });
    await openMenu(entry, 'Two');
    await entry.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Two' });
    await dialog.getByText('kept as it is: team is a or b').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Both');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const rules: Json[] = (await api('/targeting-rules')).items;
    const changed = rules.find(({ id }) => id === made.id);
    expect(changed).to.deep.include({ name: 'Both', conditions: [attribute('plan'), attribute('team')] });
  });

  it('has no serious finding of axe, with the form and the preview open, and fits 320 pixels', async () => {
    const { page } = visitor;
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await open('/targeting');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByLabel('Customer').fill('visitor');
      await preview.getByRole('button', { name: 'Show' }).click();
      await preview.getByText('Gets').waitFor();
      expect(await findings(page), `${width}`).to.deep.equal([]);
      await expectNoSidewaysScroll(page, `targeting at ${width}`);
      await page.getByRole('button', { name: 'Add rule…' }).click();
      await page.getByRole('dialog', { name: 'Add rule' }).waitFor();
      expect(await findings(page), `the form at ${width}`).to.deep.equal([]);
      await expectNoSidewaysScroll(page, `the form at ${width}`);
    }
  });

  it('adds a product with its price, and names one of a test app that has none', async () => {
    const { page } = visitor;
    const app = await post('/apps', { name: 'Trial shop', platform: 'test' });
    const unpriced = { appId: app.id, storeProductId: 'free_of_price', displayName: 'No price', type: 'consumable' };
    await post('/products', unpriced);
    await open('/setup');
    await page.getByText('The product free_of_price of a test app has no price').waitFor();
    await page.getByRole('button', { name: 'Add product…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add product' });
    await dialog.getByLabel('App', { exact: true }).selectOption({ label: 'Trial shop' });
    await dialog.getByLabel('Store product ID').fill('pro_monthly');
    await dialog.getByLabel('Display name').fill(' ');
    await dialog.getByLabel('Subscription duration').fill('1');
    await dialog.getByLabel('Price').fill('9.99');
    await dialog.getByRole('button', { name: 'Add product' }).click();
    await dialog.getByText(/^Display name must /).waitFor();
    await dialog.getByLabel('Display name').fill('Pro monthly');
    await dialog.getByRole('button', { name: 'Add product' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '9.99 USD' }).waitFor();
    const products: Json[] = (await api('/products')).items;
    const { prices, duration } = products.find((p) => p.storeProductId === 'pro_monthly');
    expect([prices.length, duration]).to.deep.equal([1, 'P1M']);
  });
});

// The page in a browser: from registering to a customer's access, to the figures of a chart, under its strict policy.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { setUpHarness } from '../http/support/set-up.js';
import type { Json } from '../http/support/harness.js';
import { launchChromium } from './chromium.js';
import { expectNoSidewaysScroll, findings, PASSWORD, register, visit, type Visitor } from './visitor.js';

const EMAIL = 'owner@example.com';
const WIDTHS = [320, 768, 1440];
const MARKUP = '<img src=x onerror="window.broken=1"><b>bold</b>';

describe('the page in a browser', () => {
  const harness = setUpHarness();
  const url = () => harness.service().url ?? '';
  let browser: Browser;
  let owner: Visitor;
  let token: string;
  let base: string;
  let projectId: string;
  let webhook: Json;
  let delivery: Json;
  let notification: Json;

  const api = async (path: string): Promise<Json> => (await harness.call('GET', path, undefined, { token })).body;
  const shot = async (name: string) => {
    const folder = process.env['SCREENSHOTS'];
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await owner.page.screenshot({ path: `${folder}/${name}.png` });
  };
  const open = async (path: string) => {
    await owner.page.goto(`${url()}/dashboard${path}`);
    await owner.page.getByRole('heading', { level: 1 }).waitFor();
    // The live feed never ends.
    if (!path.endsWith('/live')) await owner.page.waitForLoadState('networkidle');
  };

  before(async () => {
    browser = await launchChromium();
    owner = await visit(browser, url());
  });
  after(() => browser.close());
  afterEach(() => expect(owner.complaints).to.deep.equal([]));

  it('leads from registering to a demo with figures', async () => {
    const { page } = owner;
    await register(owner, EMAIL);
    await page.getByRole('button', { name: 'Load the demo' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('is being played').waitFor({ state: 'detached', timeout: 100_000 });
    projectId = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
    base = `/projects/${projectId}`;
    token = (await harness.call('POST', '/auth/login', { email: EMAIL, password: PASSWORD })).body.accessToken;
    const metrics: Json[] = (await api(`/v1${base}/metrics/overview`)).metrics;
    const active = metrics.find(({ id }) => id === 'active_subscriptions').value;
    expect(active).to.be.above(20);
    await open(`${base}/overview`);
    const card = page.getByRole('listitem').filter({ hasText: 'Active subscriptions' });
    expect(await card.locator('.figure').textContent()).to.equal(String(active));
    await shot('overview');
  });

  it('finds a customer by what was sent, and says why there is access or none', async () => {
    const { page } = owner;
    const { items } = await api(`/v1${base}/customers?limit=20&status=expired`);
    const customer = items.find(({ appUserId }: Json) => appUserId.startsWith('user-'));
    await open(`${base}/overview`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /Anything a user can send/ }).fill(customer.appUserId);
    await page.getByRole('option', { name: customer.appUserId }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: customer.appUserId }).waitFor();
    const explained = await api(`/v1${base}/customers/${customer.id}/access?entitlement=pro`);
    await page.getByText(explained.sentence, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Why?' }).click();
    await page.getByRole('heading', { name: 'What decides it' }).waitFor();
    await shot('customer');
    await page.getByRole('button', { name: /Previous change/ }).click();
    await page.getByRole('button', { name: /Previous change/ }).click();
    await page.getByText(/access to pro then/).waitFor();
    const asOf = new URL(page.url()).searchParams.get('asOf') ?? '';
    const then = await api(`/v1${base}/customers/${customer.id}/access?entitlement=pro&asOf=${asOf}`);
    await page.getByText(then.sentence, { exact: true }).first().waitFor();
  });

  it('grants access and takes it back, with the keyboard alone', async () => {
    const { page } = owner;
    const { items } = await api(`/v1${base}/customers?limit=20&status=expired`);
    await open(`${base}/customers/${items[0].id}`);
    await page.getByLabel('For', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('strong', { hasText: 'Has access to pro' }).waitFor();
    const revoke = page.getByRole('button', { name: 'Revoke' });
    await revoke.focus();
    await page.keyboard.press('Enter');
    await page.locator('strong', { hasText: 'No access to pro' }).waitFor();
  });

  it('shows the figures of a chart in its table as the interface says them', async () => {
    const { page } = owner;
    await open(`${base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByRole('columnheader', { name: 'Revenue', exact: true }).waitFor();
    const { buckets } = await api(`/v1${base}/metrics/charts/revenue?period=last_12_months&interval=month`);
    const usd = (value: number) => value.toLocaleString('de-DE', { style: 'currency', currency: 'USD' });
    const expected = buckets.map((b: Json) => usd(b.values.revenue)).reverse();
    const rows = await page.getByRole('table').first().locator('tbody tr td:nth-child(2)').allTextContents();
    const said = rows.map((text) => text.replace(': the customers behind it', ''));
    expect(said.map((text) => text.replaceAll(/\s/g, ' '))).to.deep.equal(
      expected.map((text: string) => text.replaceAll(/\s/g, ' ')),
    );
    await shot('chart');
  });

  it('says why a chart changed, and leads to the customers', async () => {
    const { page } = owner;
    await open(`${base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByRole('button', { name: '30 days ago' }).click();
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    await page
      .getByText(/subscription renewed \(/)
      .first()
      .click();
    await page.getByRole('link', { name: 'customer 1', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
  });

  it('draws every chart', async () => {
    const { page } = owner;
    const charts: Json[] = (await api(`/v1${base}/metrics/charts`)).items;
    expect(charts).to.have.length(21);
    for (const { id, name, kind } of charts) {
      await open(`${base}/charts/${id}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await page
        .locator(kind === 'cohort' ? 'table.cohorts' : 'svg .line, svg .fill')
        .first()
        .waitFor({ state: 'attached' });
    }
    await shot('cohorts');
  });

  it('shows a delivery, what was answered, and sends it again', async () => {
    const { page } = owner;
    const address = { url: 'https://hooks.example.com/subledger', name: 'Warehouse', sendTestEvent: true };
    webhook = (await harness.call('POST', `/v1${base}/webhooks`, address, { token })).body;
    const sent = await api(`/v1${base}/webhooks/${webhook.id}/deliveries`);
    delivery = sent.items[0];
    await open(`${base}/webhooks`);
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('button', { name: /^TEST/ }).click();
    const opened = page.getByRole('region', { name: 'One delivery' });
    await opened.getByText('What was sent', { exact: true }).click();
    await opened.getByText(`"${delivery.eventId}"`).waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).to.equal(delivery.id);
    await opened.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is sent again now.').waitFor();
    await open(`${base}/webhooks/${webhook.id}?state=held`);
    await page.getByText('No delivery is held.').waitFor();
  });

  it('shows what a store sent, decoded, and works it off once more', async () => {
    const { page } = owner;
    notification = (await api(`/v1${base}/notifications?limit=1&state=handled`)).items[0];
    await open(`${base}/notifications`);
    await page.getByLabel('State').selectOption('parked');
    await page.getByText('No notification fits.').waitFor();
    await page.getByLabel('State').selectOption('handled');
    await page.getByRole('link', { name: notification.type }).first().click();
    await page.getByRole('heading', { level: 1, name: notification.type }).waitFor();
    await page.getByLabel('Decoded').getByText('"transactionId"').waitFor();
    await page.getByRole('button', { name: 'Work off once more' }).click();
    await page.getByText('It was worked off once more: handled.').waitFor();
  });

  it('invites, shows the address once, withdraws, changes a role and removes', async () => {
    const { page } = owner;
    const invite = async (email: string) => {
      await page.getByRole('button', { name: 'Invite member…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite member' });
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Role').selectOption('analyst');
      await dialog.getByRole('button', { name: 'Invite member' }).click();
      const shown = page.getByRole('dialog', { name: 'Hand over this address' });
      const address = (await shown.locator('code').textContent()) ?? '';
      await shown.getByRole('button', { name: 'Close' }).click();
      return address;
    };
    await open(`${base}/members`);
    await invite('later@example.com');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('None. Invite somebody below').waitFor();
    const [, invitationToken] = (await invite('ada@example.com')).split('#');
    const ada = { email: 'ada@example.com', password: PASSWORD, invitationToken };
    expect((await harness.call('POST', '/auth/register', ada)).status).to.equal(201);
    await open(`${base}/members`);
    const row = page.getByRole('row').filter({ hasText: 'ada@example.com' });
    await row.getByLabel('Role of ada@example.com').selectOption('viewer');
    await row.getByRole('button', { name: 'Change' }).click();
    await page.getByText('ada@example.com is viewer now.').waitFor();
    const members: Json[] = (await api(`/v1${base}/members`)).items;
    expect(members.find(({ email }) => email === ada.email).role).to.equal('viewer');
    await row.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog', { name: 'Remove' }).getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('says who changed what', async () => {
    const { page } = owner;
    await open(`${base}/audit`);
    const row = page.getByRole('row').filter({ hasText: 'member role changed' });
    await row.getByText('After', { exact: true }).click();
    await row.getByText('"viewer"').waitFor();
    await row.getByRole('button', { name: EMAIL }).click();
    await page.getByRole('button', { name: `Only ${EMAIL}` }).waitFor();
    expect((await api(`/v1${base}/members`)).items.map(({ id }: Json) => id)).to.include(
      new URL(page.url()).searchParams.get('actor'),
    );
  });

  it('shows the figures of a named replay in place of the live ones', async () => {
    const { page } = owner;
    await open(`${base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByRole('button', { name: 'Make replay…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make replay' });
    await dialog.getByLabel('Name').fill('half');
    await dialog.getByLabel('What if the stores took (percent)').fill('50');
    await dialog.getByRole('button', { name: 'Make replay' }).click();
    await page.getByRole('option', { name: 'half', exact: true }).waitFor({ state: 'attached', timeout: 60_000 });
    await page.getByLabel('Figures of').selectOption('half');
    await page.getByText('Figures of the replay half.').waitFor();
    expect(new URL(page.url()).searchParams.get('replay')).to.equal('half');
  });

  it('says that figures changed since the reader last looked', async () => {
    const { page } = owner;
    const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
    await page.evaluate(`localStorage.setItem('looked|${projectId}|revenue', '${monthAgo}')`);
    await open(`${base}/charts/revenue?period=last_12_months&interval=month`);
    await page.getByText(/\d+ of 1[23] figures changed since you last looked/).waitFor();
    await page.getByRole('button', { name: 'Show what' }).click();
    await page.getByRole('columnheader', { name: 'Difference' }).waitFor();
    expect(new URL(page.url()).searchParams.get('then')).to.equal(monthAgo);
  });

  it('has no serious or critical finding of axe, in both themes and three widths', async function () {
    this.timeout(240_000);
    const { page } = owner;
    const { items } = await api(`/v1${base}/customers?limit=1`);
    const pages = [
      'overview',
      'customers',
      `customers/${items[0].id}`,
      'charts',
      'charts/mrr_movement',
      'live',
      'notifications',
      `notifications/${notification.id}`,
      'webhooks',
      `webhooks/${webhook.id}?delivery=${delivery.id}`,
      'setup',
      'members',
      'audit',
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ['/', ...pages.map((one) => `${base}/${one}`)]) {
        await open(path);
        expect(await findings(page), `${path}, ${colorScheme}`).to.deep.equal([]);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, `${path} at ${width}`);
          await shot(`${path.split('/').at(-1)?.split('?')[0]?.slice(0, 10) || 'projects'}-${colorScheme}-${width}`);
        }
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows markup in names as text', async () => {
    const { page } = owner;
    const as = { token, headers: { 'x-project-id': projectId } };
    const id = 'markup-<b>1';
    const attributes = { $email: MARKUP, '<i>x': 'javascript:alert(1)' };
    await harness.call('POST', `/v1/subscribers/${encodeURIComponent(id)}`, { attributes: { note: MARKUP } }, as);
    await harness.call(
      'POST',
      `/v1/subscribers/${encodeURIComponent(id)}`,
      { attributes: { $email: attributes.$email } },
      as,
    );
    await open(`${base}/customers?search=${encodeURIComponent('markup-')}`);
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('button', { name: /Show \d+ attributes/ }).click();
    await page.getByText(MARKUP).first().waitFor();
    expect(await page.evaluate(() => 'broken' in globalThis)).to.equal(false);
    expect(await page.locator('main img').count()).to.equal(0);
  });

  it('shows somebody in support no amount', async () => {
    const invited = await harness.call(
      'POST',
      `/v1${base}/members`,
      { email: 'sam@example.com', role: 'support' },
      { token },
    );
    const support = await visit(browser, url());
    const { page } = support;
    await page.goto(`${url()}/dashboard/invitation#${invited.body.token}`);
    await page.reload();
    await page.getByLabel('Email').fill('sam@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('link', { name: /Stargazer/ }).click();
    await page.getByRole('link', { name: /user-/ }).first().click();
    await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('link', { name: 'Charts' }).count()).to.equal(0);
    const amounts = (await page.locator('main').innerText())
      .split('\n')
      .filter((line) => /\$\d|\d USD|Spent|Revenue/.test(line));
    expect(amounts).to.deep.equal([]);
    expect(support.complaints).to.deep.equal([]);
    await support.close();
  });

  it('shows a purchase as it happens', async () => {
    const { page } = owner;
    await open(`${base}/live`);
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Play a purchase' }).click();
    await page.getByText('recorded', { exact: true }).first().waitFor();
    await page.getByText('received', { exact: true }).first().waitFor();
    await shot('live');
    await page.getByRole('link', { name: 'customer', exact: true }).first().click();
    await page.locator('strong', { hasText: 'Has access to pro' }).waitFor();
  });

  it('leads from an empty project to an app, a product and a key', async () => {
    const { page } = owner;
    await open('/');
    await page.getByLabel('Name').fill('Weather');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Set-up' }).waitFor();
    const adding = async (label: string, fields: Readonly<Record<string, string>>) => {
      await page.getByRole('button', { name: `${label}…` }).click();
      const dialog = page.getByRole('dialog', { name: label });
      for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await adding('Register app', { Name: 'Weather', 'Bundle id': 'com.example.weather' });
    await page.getByText(/\/v1\/store\/ios-store\//).waitFor();
    await adding('Add product', {
      'Its id at the store': 'com.example.weather.month',
      'Name for people': 'Monthly',
      'Duration of a subscription': 'P1M',
    });
    await adding('Add entitlement', { 'Key for the app': 'pro', 'Name for people': 'Pro' });
    await adding('Attach product', {});
    await adding('Add offering', { 'Key for the app': 'default', 'Name for people': 'Default' });
    await adding('Add package', {});
    await adding('Make key', { Name: 'server' });
    await page.getByRole('dialog', { name: 'The new key' }).getByText(/^sk_/).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText(/^\d+ of \d+ steps done/).waitFor();
    const own = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
    const { steps } = await api(`/v1/projects/${own}/setup-status`);
    const done = steps.filter((s: Json) => s.done).map((s: Json) => s.id);
    expect(done).to.include.members(['create_app', 'attach_product_to_entitlement', 'create_offering_with_package']);
    await shot('setup');
  });

  it('keeps what was typed when a session ends', async () => {
    const { page, context } = owner;
    await open('/');
    await page.getByLabel('Name').fill('A name that was long in the making');
    const [cookie] = await context.cookies(`${url()}/auth`);
    const headers = { cookie: `${cookie?.name}=${cookie?.value}`, origin: url() };
    await harness.call('POST', '/auth/logout', undefined, { headers });
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).to.equal('A name that was long in the making');
  });

  it('logs out in all tabs', async () => {
    const { page, context } = owner;
    await open('/');
    const other = await context.newPage();
    await other.goto(`${url()}/dashboard`);
    await other.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await page.getByRole('button', { name: 'You' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Log in' }).first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).first().waitFor();
  });

  it('weighs little: 120 kB of script at first, 200 kB in all', () => {
    const folder = new URL('../../dist/dashboard/assets/', import.meta.url);
    expect(existsSync(folder)).to.equal(true);
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js.gz'));
    const weigh = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0);
    expect(weigh(scripts.filter((name) => /^(index|overview|sparkline|time)/.test(name)))).to.be.below(120_000);
    expect(weigh(scripts)).to.be.below(200_000);
  });
});

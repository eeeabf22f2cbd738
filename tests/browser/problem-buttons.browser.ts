// Buttons of open problems: each ends its problem, and members who may not press them do not see them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { notification, setUpProject, startHarness, type Harness, type Slice } from '../http/support/harness.js';
import { newMember } from '../http/support/team.js';
import { launchChromium } from './support/chromium.js';
import { logIn, openPage } from './support/stage.js';
import { findings, visit, type Visitor } from './support/visitor.js';

const DAY_MS = 86_400_000;
const LOCKED = 'com.example.app.locked';

describe('buttons of open problems', () => {
  let harness: Harness;
  let browser: Browser;
  let receiver: Server;
  let slice: Slice;
  let isGone = true;
  let webhookId = '';

  before(async () => {
    receiver = createServer((_, res) => res.writeHead(isGone ? 410 : 200).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    harness = await startHarness({ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    browser = await launchChromium();
    slice = await setUpProject(harness);
    const product = { appId: slice.appId, storeProductId: LOCKED, displayName: 'Locked', type: 'subscription' };
    expect((await post('/products', product)).status).to.equal(201);
    const expiresAt = new Date(Date.now() + 3 * DAY_MS).toISOString();
    expect((await post('/api-keys', { name: 'ends soon', expiresAt })).status).to.equal(201);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    webhookId = (await post('/webhooks', { url, name: 'Gone', sendTestEvent: true })).body.id;
    while ((await webhook()).enabled) await harness.service().idle();
  });
  after(async () => {
    await browser.close();
    await harness.stop();
    receiver.close();
  });

  const base = () => `/v1/projects/${slice.projectId}`;
  const post = (path: string, body: object) => harness.call('POST', `${base()}${path}`, body, { token: slice.token });
  const get = async (path: string) =>
    (await harness.call('GET', `${base()}${path}`, undefined, { token: slice.token })).body;
  const webhook = () => get(`/webhooks/${webhookId}`);
  const visitAs = async (email: string): Promise<Visitor> => {
    const url = harness.service().url ?? '';
    const visitor = await visit(browser, url);
    await logIn(visitor, email);
    await openPage(visitor, `${url}/dashboard/projects/${slice.projectId}/overview`);
    return visitor;
  };

  it('are only for those who may press them', async () => {
    const { email } = await newMember(harness.call, slice.projectId, slice.token, 'viewer');
    const visitor = await visitAs(email);
    const problems = visitor.page.getByRole('region', { name: 'Open problems' });
    await problems.getByText(`Whoever buys ${LOCKED} (App Store) gets no access`).waitFor();
    expect(await problems.getByText('ends soon').count()).to.equal(0);
    expect(await problems.getByRole('button').count()).to.equal(0);
    await visitor.close();
  });

  it('add a product that was bought and is not in the catalogue', async () => {
    const now = Date.now();
    const own = { transactionId: '7301', originalTransactionId: '7301', productId: 'com.example.app.unheard' };
    const transaction = { ...own, purchaseDate: now - 60_000, expiresDate: now + 30 * DAY_MS, price: 9990 };
    const renewal = { originalTransactionId: '7301', productId: own.productId, autoRenewStatus: 1 as const };
    const fields = { notificationType: 'SUBSCRIBED', signedDate: now - 50_000, transaction, renewal };
    expect((await harness.call('POST', slice.notificationPath, notification(fields))).status).to.equal(200);
    await harness.service().idle();
    const { email } = (await harness.call('GET', '/auth/me', undefined, { token: slice.token })).body;
    const visitor = await visitAs(email);
    const { page } = visitor;
    const problems = page.getByRole('region', { name: 'Open problems' });
    const unheard = problems.getByText(
      'Whoever buys com.example.app.unheard (App Store) gets no access: it is not in the catalogue',
    );
    await unheard.waitFor();
    await problems.getByRole('button', { name: 'Add…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add com.example.app.unheard' });
    await dialog.getByLabel('Unlocks').selectOption('pro');
    await dialog.getByLabel('Subscription duration').fill('1');
    expect(await findings(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await unheard.waitFor({ state: 'detached' });
    await harness.service().idle();
    const { items } = await get('/customers?search=7301');
    expect((await get(`/customers/${items[0].id}`)).activeEntitlements).to.deep.equal(['pro']);
    expect(visitor.complaints).to.deep.equal([]);
    await visitor.close();
  });

  it('attach a product that unlocks nothing, and turn on a webhook', async () => {
    const { email } = (await harness.call('GET', '/auth/me', undefined, { token: slice.token })).body;
    const visitor = await visitAs(email);
    const { page } = visitor;
    const problems = page.getByRole('region', { name: 'Open problems' });
    await problems.getByText('The API key ends soon expires').waitFor();
    expect(await findings(page)).to.deep.equal([]);
    const locked = problems.getByText(`Whoever buys ${LOCKED} (App Store) gets no access`);
    await problems.getByRole('button', { name: 'Attach…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Attach ${LOCKED}` });
    await dialog.getByRole('button', { name: 'Attach' }).press('Enter');
    await locked.waitFor({ state: 'detached' });
    expect((await get('/setup-status')).evidence.productsWithoutEntitlement).to.deep.equal([]);
    await problems.getByRole('button', { name: 'Replace' }).press('Enter');
    const made = page.getByRole('dialog', { name: 'The new key ends soon' });
    const replacement = (await made.locator('code').first().textContent()) ?? '';
    const own = await harness.call('GET', '/v1/api-key', undefined, { key: replacement });
    expect(own.status).to.equal(200);
    await page.keyboard.press('Escape');
    await problems.getByText('The API key ends soon expires').waitFor({ state: 'detached' });
    isGone = false;
    await problems.getByRole('button', { name: 'Turn on' }).press('Enter');
    await problems.getByText('The webhook Gone is disabled').waitFor({ state: 'detached' });
    expect((await webhook()).enabled).to.equal(true);
    expect(visitor.complaints).to.deep.equal([]);
    await visitor.close();
  });
});

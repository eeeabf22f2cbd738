// A customer's page in words: names instead of IDs, a status that agrees with the spending, a text to send, and a timeline by day.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

const TECHNICAL = /com\.example|cus_|sub_|prod_|key_|ios-store|\w_\w/;
const usd = (amount: number) => new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'USD' }).format(amount);
const day = (at: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));

describe('the story of a customer on the page', () => {
  const stage = setUpStage();
  const api = (path: string) => stage.api(`/v1${stage.base}${path}`);
  const open = (id: string) => stage.open(`${stage.base}/customers/${id}`);
  const find = async (query: string, fits: (customer: Json) => boolean): Promise<Json> => {
    const { items } = await api(`/customers?limit=100${query}`);
    for (const { id } of items) {
      const customer = await api(`/customers/${id}`);
      if (fits(customer)) return customer;
    }
    throw new Error(`the demo has no such customer: ${query}`);
  };
  const ofType = (type: string) => (customer: Json) => customer.purchases.some((one: Json) => one.periodType === type);
  const nameOf = async (storeProductId: string): Promise<string> =>
    (await api('/products?limit=100')).items.find((one: Json) => one.storeProductId === storeProductId).displayName;
  before(() => stage.owner.context.grantPermissions(['clipboard-read', 'clipboard-write']));

  it('says the one thing that matters with the name of the product, for each kind of status', async () => {
    const { page } = stage.owner;
    for (const status of ['active', 'trial', 'expired', 'billing_retry', 'grace_period']) {
      const [item]: Json[] = (await api(`/customers?limit=1&status=${status}`)).items;
      if (!item) continue;
      const customer = await api(`/customers/${item.id}`);
      const names = await Promise.all(customer.subscriptions.map((s: Json) => nameOf(s.storeProductId)));
      await open(item.id);
      const headline = (await page.locator('.headline').textContent()) ?? '';
      expect(
        names.some((name) => headline.includes(` ${name}: `)),
        headline,
      ).to.equal(true);
      const hasAccess = customer.entitlements.some((one: Json) => one.active);
      expect(headline.startsWith(hasAccess ? 'Has access to ' : 'No access. '), headline).to.equal(true);
      expect(headline).to.match(/\d{4}/).and.not.match(TECHNICAL);
    }
  });

  it('agrees with the spending of a customer who only bought once', async () => {
    const { page } = stage.owner;
    const customer = await find('&status=never', (one) => one.totalSpentUsd > 0 && ofType('non_consumable')(one));
    await open(customer.id);
    const head = page.locator('.customer-head');
    await head.getByText('bought once', { exact: true }).waitFor();
    await head.getByText(`${await nameOf('com.example.stargazer.pro.lifetime')}: bought on`).waitFor();
    expect(await head.locator('.facts').textContent()).to.include(`${usd(customer.totalSpentUsd)} spent`);
    await stage.open(`${stage.base}/customers?status=never`);
    const row = page.getByRole('row').filter({ hasText: customer.appUserId });
    expect(await row.textContent())
      .to.include('no subscription')
      .and.include(usd(customer.totalSpentUsd));
    expect(await page.getByRole('cell', { name: 'never', exact: true }).count()).to.equal(0);
  });

  it('shows no end of what is used up, and the last purchase as a sign of life', async () => {
    const { page } = stage.owner;
    const isLater = ({ purchases, lastSeenAt, subscriptions }: Json) =>
      subscriptions.length === 0 && purchases.some((one: Json) => one.purchasedAt > lastSeenAt);
    const customer = await find('&status=never', (one) => ofType('consumable')(one) && isLater(one));
    const newest = customer.purchases
      .map((one: Json) => one.purchasedAt)
      .toSorted()
      .at(-1);
    await open(customer.id);
    const list = page.getByRole('region', { name: 'One-time purchases' });
    const coins = list.getByRole('listitem').filter({ hasText: await nameOf('com.example.stargazer.coins.100') });
    expect(await coins.first().locator('time').count()).to.equal(1);
    expect(await list.textContent()).to.not.match(/no end|until/i);
    const seen = page.locator('.facts li').filter({ hasText: 'Last seen' });
    expect(await seen.locator('time').getAttribute('datetime')).to.equal(newest);
    expect(await seen.textContent()).to.include('bought');
  });

  it('copies a text that can be sent to the customer as it is', async () => {
    const { page } = stage.owner;
    const customer = await find(
      '&status=expired',
      (one) => one.activeEntitlements.length === 0 && one.subscriptions.length === 1,
    );
    await open(customer.id);
    await page.getByRole('button', { name: 'Copy for the customer' }).click();
    await page.getByText(/^Copied\./).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const [{ displayName }]: Json[] = (await api('/entitlements')).items;
    expect(copied)
      .to.match(/^Hello,/)
      .and.include(`you have no access to ${displayName}`);
    expect(copied).to.include(`“${await nameOf(customer.subscriptions[0].storeProductId)}” (App Store)`);
    expect(copied).to.not.match(TECHNICAL).and.not.include(customer.appUserId);
    expect(await page.getByLabel('Copied text').textContent()).to.equal(copied);
  });

  it('names who acted: an API key, the store, and oneself', async () => {
    const { page } = stage.owner;
    const customer = await find('&status=expired', (one) => one.subscriptions.length > 0);
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    const path = `/v1/subscribers/${encodeURIComponent(customer.appUserId)}`;
    await stage.call('POST', `${path}/entitlements`, { entitlementId: 'pro', duration: 'daily' }, as);
    const { body: key } = await stage.call(
      'POST',
      `/v1${stage.base}/api-keys`,
      { name: 'back office' },
      { token: stage.token },
    );
    await stage.call('DELETE', `${path}/entitlements/pro`, undefined, { key: key.key });
    await stage.call('DELETE', `/v1${stage.base}/api-keys/${key.id}`, undefined, { token: stage.token });
    await open(customer.id);
    const entry = (text: string) => page.locator('.timeline > li').filter({ hasText: text }).first();
    expect(await entry('Promotional access to pro was revoked').textContent()).to.include('API key “back office”');
    expect(await entry('Promotional access to pro was granted').locator('.entry-line').textContent()).to.include('you');
    expect(await entry('Subscribed to “').textContent()).to.match(/App Store|API key “app”/);
    expect(await page.getByRole('region', { name: 'Timeline' }).textContent()).to.not.match(/key_|usr_|com\.example/);
    const lines = await page.locator('.headline').textContent();
    expect(lines).to.not.include('granted free of charge');
  });

  it('groups the timeline by day, folds repeats, and shows raw data with one click', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    for (let n = 0; n < 5; n++)
      await stage.call('POST', '/v1/subscribers/repeats', { attributes: { mood: String(n) } }, as);
    await open('repeats');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const changed = timeline.getByText('Attributes changed: mood.', { exact: false });
    await timeline.getByRole('button', { name: '4 more like this' }).click();
    expect(
      await timeline
        .locator('.timeline > li')
        .filter({ has: page.locator('.summary', { hasText: 'Attributes changed: mood.' }) })
        .count(),
    ).to.equal(5);
    await timeline.getByRole('button', { name: 'Hide the others' }).click();
    await changed.first().waitFor();
    await timeline.getByRole('button', { name: /^Details of Attributes changed/ }).click();
    await timeline.getByLabel('Data', { exact: true }).getByText('"mood"').waitFor();

    const customer = await find('&status=active', ({ subscriptions }) => subscriptions[0].transactions.length > 2);
    const { items } = await api(`/customers/${customer.id}/timeline?limit=50`);
    await open(customer.id);
    const days = items
      .map((one: Json) => day(one.at))
      .filter((name: string, i: number, all: string[]) => name !== all[i - 1]);
    expect(await timeline.getByRole('heading', { level: 3 }).allTextContents()).to.deep.equal(days);
  });

  it('says what follows from moving a purchase, and moves nothing when it is cancelled', async () => {
    const { page } = stage.owner;
    const customer = await find('&status=active', ({ subscriptions }) => subscriptions.length === 1);
    await open(customer.id);
    await page.getByRole('button', { name: 'Move a purchase here…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('loses its access at once').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Erase…' }).click();
    await dialog.getByText('erasing cancels nothing there').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await api(`/customers/${customer.id}`)).subscriptions).to.have.length(1);
  });
});

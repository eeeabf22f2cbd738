// The overview: changes in words, recent transactions, open problems, and the last hour.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, type Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();

describe('the overview', () => {
  const stage = setUpStage();
  let receiver: Server;
  before(async () => {
    receiver = createServer((_, res) => res.writeHead(410).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  after(() => receiver.close());

  it('states the change of each figure in words, in agreement with the interface', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    const metrics: Json[] = (await stage.api(`/v1${stage.base}/metrics/overview`)).metrics;
    const cards = page.locator('.overview-figures > li');
    expect(await cards.count()).to.equal(metrics.length);
    let shares = 0;
    for (const [i, { id, value, previousValue, period }] of metrics.entries()) {
      const text = plain(await cards.nth(i).locator('.change').textContent());
      expect(text, id).to.contain(period === 'P28D' ? 'previous 28 days' : '28 days ago');
      const found = /^([\d,]+) % (more|less) than/.exec(text);
      if (!found) continue;
      shares++;
      const share = (100 * Math.abs(value - previousValue)) / Math.abs(previousValue);
      expect(Number(found[1]?.replace(',', '.')), id).to.be.closeTo(share, share < 10 ? 0.051 : 0.51);
      expect(found[2], id).to.equal(value > previousValue ? 'more' : 'less');
    }
    expect(shares).to.be.above(2);
  });

  it('has the sparklines of a row on one line', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    const boxes = await Promise.all((await page.locator('svg.sparkline').all()).map((one) => one.boundingBox()));
    const cards = await Promise.all(
      (await page.locator('.overview-figures > li').all()).map((one) => one.boundingBox()),
    );
    const bottoms = new Map<number, Set<number>>();
    for (const [i, card] of cards.entries()) {
      const row = Math.round(card?.y ?? 0);
      bottoms.set(row, (bottoms.get(row) ?? new Set()).add(Math.round((boxes[i]?.y ?? 0) + (boxes[i]?.height ?? 0))));
    }
    for (const [row, all] of bottoms) expect([...all], `row at ${row}`).to.have.length(1);
  });

  it('lists the newest transactions, with products by name, and the last hour', async () => {
    const { page } = stage.owner;
    await stage.call('POST', `/v1${stage.base}/demo/purchase`, undefined, { token: stage.token });
    await stage.harness.service().idle();
    await stage.open(`${stage.base}/overview`);
    const { items }: Json = await stage.api(`/v1${stage.base}/transactions?environment=production&limit=100`);
    const products: Json[] = (await stage.api(`/v1${stage.base}/products?limit=100`)).items;
    const nameOf = (id: string) => products.find(({ storeProductId }) => storeProductId === id)?.displayName;
    const rows = page.locator('table.recent tbody tr');
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => (row as unknown as { innerText: string }).innerText),
    );
    expect(shown).to.have.length(10);
    for (const [i, text] of shown.entries()) {
      const { appUserId, customerId, storeProductId, kind } = items[i];
      expect(text).to.contain(appUserId ?? customerId);
      expect(text).to.contain(nameOf(storeProductId));
      expect(text.toLowerCase()).to.contain(kind);
    }
    const hourAgo = Date.now() - 3_600_000;
    const purchases = items.filter(({ kind, at }: Json) => kind === 'purchase' && Date.parse(at) > hourAgo).length;
    expect(purchases).to.be.above(0);
    const strip = page.getByRole('img', { name: /^Last hour by minute/ });
    expect(await strip.getAttribute('aria-label')).to.match(new RegExp(`\\b${purchases} purchases?\\b`));
    expect(await strip.locator('rect').count()).to.equal(60);
  });

  it('shows a question of the store about a refund before it lapses', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    const { id } = (await stage.call('POST', '/v1/projects', { name: 'Refunds' }, as)).body;
    const fields = { name: 'iOS', platform: 'ios', bundleId: BUNDLE_ID };
    const app = (await stage.call('POST', `/v1/projects/${id}/apps`, fields, as)).body;
    const now = Date.now();
    const own = { transactionId: '7001', originalTransactionId: '7001', productId: MONTHLY };
    const transaction = { ...own, purchaseDate: now - 60_000, expiresDate: now + 30 * 86_400_000, price: 9990 };
    const renewal = { originalTransactionId: '7001', productId: MONTHLY, autoRenewStatus: 1 as const };
    for (const [i, notificationType] of ['SUBSCRIBED', 'CONSUMPTION_REQUEST'].entries()) {
      const body = notification({ notificationType, signedDate: now - 30_000 + i, transaction, renewal });
      const sent = await stage.call('POST', new URL(app.notificationUrl).pathname, body);
      expect(sent.status).to.equal(200);
      await stage.harness.service().idle();
    }
    await stage.open(`/projects/${id}/overview`);
    const problem = page
      .getByRole('region', { name: 'Open problems' })
      .getByRole('listitem')
      .filter({ hasText: 'The App Store asks' });
    expect(plain(await problem.textContent())).to.match(
      /^The App Store asks about a refund of .+, transaction 7001, of .+\. The question lapses in 12 hours\. If it refunds, access ends immediately\. Answer…$/,
    );
    // Without credentials the store cannot be reached, which the form says.
    await problem.getByRole('button', { name: 'Answer…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund of 7001' });
    await dialog.getByLabel('Prefer').selectOption('Decline the refund');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('only with the customer’s consent').waitFor();
    await dialog.getByLabel('The customer agreed').check();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('the app has no credentials').waitFor();
    await page.keyboard.press('Escape');
    await problem.getByRole('link').click();
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
    await stage.call('DELETE', `/v1/projects/${id}`, undefined, as);
  });

  it('shows a webhook that was disabled as an open problem, and leads to it', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    const problems = page.getByRole('region', { name: 'Open problems' });
    await problems.waitFor();
    expect(await problems.getByText('The webhook Gone').count()).to.equal(0);
    const as = { token: stage.token };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const body = { url, name: 'Gone', sendTestEvent: true };
    const { id } = (await stage.call('POST', `/v1${stage.base}/webhooks`, body, as)).body;
    const read = () => stage.api(`/v1${stage.base}/webhooks/${id}`);
    while ((await read()).enabled) await stage.harness.service().idle();
    await stage.open(`${stage.base}/overview`);
    await problems.getByText('the receiver returned 410 Gone').waitFor();
    await problems.getByRole('link', { name: 'The webhook Gone is disabled' }).click();
    await page.waitForURL(new RegExp(`/webhooks/${id}`));
    await stage.call('DELETE', `/v1${stage.base}/webhooks/${id}`, undefined, as);
  });
});

// Two tasks of every day, by the mouse, with the clicks counted: each takes six at most.
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { Json } from '../http/support/harness.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../simulator/webhook-receiver.js';
import { setUpStage } from './support/stage.js';

const MAX_CLICKS = 6;

describe('tasks of every day', () => {
  const stage = setUpStage();
  let receiver: WebhookReceiver;
  const receivedIds: string[] = [];
  let clicks = 0;
  const click = async (place: Locator) => {
    await place.click();
    clicks++;
  };
  beforeEach(() => (clicks = 0));
  afterEach(function () {
    process.stdout.write(`    ${clicks} clicks: ${this.currentTest?.title}\n`);
    expect(clicks).to.be.within(1, MAX_CLICKS);
  });
  before(async () => {
    receiver = await startWebhookReceiver(({ id }) => receivedIds.push(id));
  });
  after(() => receiver.stop());

  it('finds a customer by a transaction ID, and says why she has no access', async () => {
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=50&status=expired`);
    const without = items.filter((one: Json) => one.activeEntitlements.length === 0);
    const details = await Promise.all<Json>(
      without.map(({ id }: Json) => stage.api(`/v1${stage.base}/customers/${id}`)),
    );
    const customer: Json = details.find(({ subscriptions }) => subscriptions.length === 1);
    const transactionId: string = customer.subscriptions[0].transactions.at(-1).id;
    await stage.open(`${stage.base}/overview`);
    await click(page.getByRole('button', { name: /Search/ }).first());
    await page.getByRole('dialog').getByRole('combobox').fill(transactionId);
    await click(page.getByRole('option', { name: customer.appUserId }).first());
    await page.getByRole('heading', { level: 1, name: customer.appUserId, exact: true }).waitFor();
    await page.locator('.verdict').getByText('No access to pro').first().waitFor();
    expect(await page.locator('.headline').textContent()).to.match(/: (ended|refunded) on .*\d{4}/);
    await click(page.getByRole('button', { name: 'Why?' }));
    await page.getByRole('heading', { name: 'Reasons' }).waitFor();
  });

  it('finds a webhook that fails, and sends the delivery again', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    const address = { name: 'Back office', url: receiver.url, sendTestEvent: true };
    const { body: webhook } = await stage.call('POST', `/v1${stage.base}/webhooks`, address, as);
    const deliveries = async (): Promise<Json[]> =>
      (await stage.api(`/v1${stage.base}/webhooks/${webhook.id}/deliveries`)).items;
    const until = async (fits: (first: Json) => boolean) => {
      for (;;) {
        const [first] = await deliveries();
        if (first && fits(first)) return first;
      }
    };
    await until(({ attempts }) => attempts.length === 1);
    const failing = async (): Promise<Json[]> =>
      (await stage.api(`/v1${stage.base}/setup-status`)).evidence.failingWebhooks;
    while (!JSON.stringify(await failing()).includes(webhook.id)) await stage.harness.service().idle();
    await stage.open(`${stage.base}/overview`);
    await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }));
    const row = page.getByRole('row').filter({ hasText: 'Back office' });
    await row.getByText('failing', { exact: true }).waitFor();
    await row.getByText('401, signature or authorization not accepted').waitFor();
    await click(row.getByRole('link', { name: 'Back office' }));
    receiver.trust(webhook.secret);
    await click(page.getByRole('button', { name: /^TEST/ }).first());
    const opened = page.getByRole('region', { name: 'Delivery', exact: true });
    await opened.getByRole('cell', { name: '401, signature or authorization not accepted' }).waitFor();
    await click(opened.getByRole('button', { name: 'Send again', exact: true }));
    await until(({ state }) => state === 'delivered');
    expect(receivedIds.filter((id) => id === receivedIds[0])).to.have.length(2);
    await stage.call('DELETE', `/v1${stage.base}/webhooks/${webhook.id}`, undefined, as);
  });
});

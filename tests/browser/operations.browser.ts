// Webhooks and their deliveries, notifications of the stores, what happens now.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

describe('messages on the page', () => {
  const stage = setUpStage();

  it('shows a delivery, what was answered, and sends it again', async () => {
    const { page } = stage.owner;
    const address = { url: 'https://hooks.example.com/subledger', name: 'Warehouse', sendTestEvent: true };
    const webhook: Json = (await stage.call('POST', `/v1${stage.base}/webhooks`, address, { token: stage.token })).body;
    const sent = await stage.api(`/v1${stage.base}/webhooks/${webhook.id}/deliveries`);
    const delivery: Json = sent.items[0];
    await stage.open(`${stage.base}/webhooks`);
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('button', { name: /^TEST/ }).click();
    const opened = page.getByRole('region', { name: 'Delivery' });
    await opened.getByText('Request body', { exact: true }).click();
    await opened.getByText(`"${delivery.eventId}"`).waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).to.equal(delivery.id);
    await opened.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sending again.').waitFor();
    await stage.open(`${stage.base}/webhooks/${webhook.id}?state=held`);
    await page.getByText('No delivery is held.').waitFor();
  });

  it('shows a store notification in words, decoded and with its raw type, and retries it', async () => {
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/notifications?limit=50&state=handled`);
    const { id, type } = items.find((one: Json) => one.type === 'SUBSCRIBED/INITIAL_BUY');
    await stage.open(`${stage.base}/notifications`);
    await page.getByLabel('State').selectOption('parked');
    await page.getByText('No notifications found.').waitFor();
    await page.getByLabel('State').selectOption('handled');
    const link = page.locator(`a[href$="/notifications/${id}"]`);
    await link.waitFor();
    expect(await page.getByRole('table').innerText()).to.not.match(/[A-Z]_[A-Z]|SUBSCRIBED/);
    expect(await link.textContent()).to.equal('Subscription started');
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Subscription started' }).waitFor();
    await page.getByText(type, { exact: true }).waitFor();
    await page.getByLabel('Decoded').getByText('"transactionId"').waitFor();
    await page.getByRole('button', { name: 'Process again' }).click();
    await page.getByText('Processed again: handled.').waitFor();
  });

  it('shows a purchase as it happens', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/live`);
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Simulate a purchase' }).click();
    await page.getByText('Subscribed to “Pro, monthly”').first().waitFor();
    await page.getByText('App Store: Subscription started').first().waitFor();
    await page.getByRole('link', { name: 'Customer', exact: true }).first().click();
    await page.locator('strong', { hasText: 'Has access to pro' }).waitFor();
  });
});

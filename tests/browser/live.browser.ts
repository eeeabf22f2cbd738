// The live feed on the page: what belongs to one notification stands together, with seconds and latencies; it can be paused and filtered.
import { expect } from 'chai';
import { store, type Json } from '../http/support/harness.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../simulator/webhook-receiver.js';
import { setUpStage } from './support/stage.js';

const BUNDLE_ID = 'com.example.tides';
const MONTHLY = 'com.example.tides.month';
const MONTH_MS = 31 * 86_400_000;

describe('the live feed on the page', () => {
  const stage = setUpStage();
  let receiver: WebhookReceiver;
  let base: string;
  let notificationPath: string;
  let bought = 0;

  before(async () => {
    receiver = await startWebhookReceiver(() => undefined);
    const as = { token: stage.token };
    const make = async (path: string, body: object): Promise<Json> => {
      const made = await stage.call('POST', path, body, as);
      expect(made.status, path).to.equal(201);
      return made.body;
    };
    const project = await make('/v1/projects', { name: 'Tides' });
    base = `/projects/${project.id}`;
    const app = await make(`/v1${base}/apps`, { name: 'Tides', platform: 'ios', bundleId: BUNDLE_ID });
    notificationPath = new URL(app.notificationUrl).pathname;
    const product = {
      appId: app.id,
      storeProductId: MONTHLY,
      displayName: 'Tides, monthly',
      type: 'subscription',
      duration: 'P1M',
    };
    await make(`/v1${base}/products`, product);
    await make(`/v1${base}/webhooks`, { name: 'Harbour', url: receiver.url });
  });
  after(async () => {
    await receiver.stop();
    await stage.call('DELETE', `/v1${base}`, undefined, { token: stage.token });
  });

  const buy = async () => {
    const [now, transactionId] = [Date.now(), `8100${++bought}`];
    const times = { purchaseDate: now, originalPurchaseDate: now, expiresDate: now + MONTH_MS, signedDate: now };
    const transaction = {
      transactionId,
      originalTransactionId: transactionId,
      bundleId: BUNDLE_ID,
      productId: MONTHLY,
      ...times,
    };
    const kind = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: now };
    const sent = store.signedNotification({ ...kind, bundleId: BUNDLE_ID, environment: 'Production', transaction });
    expect((await stage.call('POST', notificationPath, sent)).status).to.equal(200);
    await stage.harness.service().waitForReactions();
  };
  const groups = () => stage.owner.page.getByRole('list', { name: 'Newest first' }).locator('> li');
  const watch = async () => {
    await stage.open(`${base}/live`);
    await stage.owner.page.getByText('connected', { exact: true }).waitFor();
  };

  it('puts a notification, its events and its webhooks together, with seconds and the latency of each stage', async () => {
    const { page } = stage.owner;
    await watch();
    await buy();
    const group = groups().filter({ hasText: 'App Store: Subscription started' });
    await group.getByText('Subscribed to “Tides, monthly”').waitFor();
    await group.getByRole('link', { name: /INITIAL_PURCHASE to Harbour/ }).waitFor();
    await group.getByText('401, signature or authorization not accepted').first().waitFor();
    await group.getByText('handled', { exact: true }).waitFor();
    expect(await groups().count()).to.equal(1);
    expect(await group.locator('time').textContent()).to.match(/^\d\d:\d\d:\d\d$/);
    const stages = (await group.getByRole('list', { name: 'Stages' }).getByRole('listitem').allTextContents()).map(
      (text) => text.trim(),
    );
    expect(stages[0]).to.equal('Received');
    expect(stages[1]).to.match(/^Recorded 2 events [\d.]+ (ms|s)$/);
    expect(stages[2]).to.match(/^Processed\s+[\d.]+ (ms|s)$/);
    expect(stages[3]).to.match(/^Webhooks 0 of \d delivered [\d.]+ (ms|s)$/);
    const steps = page.getByRole('list', { name: 'From a store to webhooks' }).getByRole('listitem');
    expect(await steps.filter({ hasText: 'Received' }).locator('.figure').textContent()).to.equal('1');
    expect(await steps.filter({ hasText: 'Recorded' }).locator('.figure').textContent()).to.equal('2');
    await steps
      .filter({ hasText: 'Webhooks' })
      .getByText(/\d failed/)
      .waitFor();
  });

  it('stands still while it is paused, and continues with what came', async () => {
    const { page } = stage.owner;
    await watch();
    await buy();
    await groups().first().getByText('Subscribed to “Tides, monthly”').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const text = await groups().first().textContent();
    await buy();
    await page.getByRole('button', { name: /^Continue \([1-9]\d* new\)$/ }).waitFor();
    expect([await groups().count(), await groups().first().textContent()]).to.deep.equal([1, text]);
    await page.getByRole('button', { name: /^Continue/ }).click();
    await groups().nth(1).waitFor();
    expect(await groups().count()).to.equal(2);
  });

  it('is filtered by kind and by words, and keeps that in the address', async () => {
    const { page } = stage.owner;
    await watch();
    await buy();
    await groups().first().waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'requests' });
    await page.getByText('Nothing fits the filter yet.').waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'store notifications' });
    await groups().first().waitFor();
    await page.getByLabel('Contains').fill('another product');
    await page.getByText('Nothing fits the filter yet.').waitFor();
    await page.getByLabel('Contains').fill('tides, MONTHLY');
    await groups().first().waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).to.deep.equal({ show: 'notifications', contains: 'tides, MONTHLY' });
  });
});

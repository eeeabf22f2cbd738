// First visit: from registration to figures, and from an empty project to an app, a product and a key.
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { NotificationFields } from '../../simulator/ios-store/payloads.js';
import { store, type Json } from '../http/support/harness.js';
import { openMenu, setUpStage } from './support/stage.js';

const BUNDLE_ID = 'com.example.weather';
const MONTHLY = 'com.example.weather.month';
const FIRST_CUSTOMER = '9f0e4b1c-5c0d-4e6f-8a7b-2d1c3e4f5a6b';

const said = (fields: Pick<NotificationFields, 'notificationType' | 'signedDate'> & Partial<NotificationFields>) =>
  store.signedNotification({ bundleId: BUNDLE_ID, environment: 'Production', ...fields });

function firstPurchase() {
  const [now, monthMs] = [Date.now(), 31 * 86_400_000];
  const ids = { transactionId: '70001', originalTransactionId: '70001', appAccountToken: FIRST_CUSTOMER };
  const bought = { bundleId: BUNDLE_ID, productId: MONTHLY, purchaseDate: now, originalPurchaseDate: now };
  const transaction = { ...ids, ...bought, expiresDate: now + monthMs, signedDate: now };
  return {
    notification: said({ notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: now, transaction }),
    receipt: store.signedTransaction({ environment: 'Production', ...transaction }),
  };
}

function createPrivateKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

describe('a first visit to the page', () => {
  const stage = setUpStage();

  it('leads from registering to a demo with figures', async () => {
    const { page } = stage.owner;
    const metrics: Json[] = (await stage.api(`/v1${stage.base}/metrics/overview`)).metrics;
    const active = metrics.find(({ id }) => id === 'active_subscriptions').value;
    expect(active).to.be.above(20);
    await stage.open(`${stage.base}/overview`);
    const card = page.getByRole('listitem').filter({ hasText: 'Active subscriptions' });
    expect(await card.locator('.figure').textContent()).to.equal(String(active));
  });

  it('leads through the guide of an app to the first customer with access, and then to a reference', async () => {
    const { page } = stage.owner;
    await stage.open('/projects');
    await page.getByLabel('Name').fill('Weather');
    await page.getByLabel('Bundle ID').fill(BUNDLE_ID);
    await page.getByRole('button', { name: 'Connect app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connect Weather' }).waitFor();
    const current = page.locator('li[aria-current="step"]');
    const step = async (title: string) => {
      await current.getByRole('heading', { name: title }).waitFor();
      expect(await current.count(), 'one thing to do at a time').to.equal(1);
    };
    const submit = async (button: string, fields: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(fields)) await current.getByLabel(name).fill(value);
      await current.getByRole('button', { name: button, exact: true }).click();
    };
    await step('Receive a notification from the store');
    const address = (await page.getByText(/\/v1\/store\/ios-store\//).textContent()) ?? '';
    await page.getByText('is a loopback address: only this machine reaches it').waitFor();
    await stage.call('POST', new URL(address).pathname, { signedPayload: 'a.b.c' });
    await page.getByText(/^Refused A notification, the last/).waitFor();
    await stage.call('POST', new URL(address).pathname, said({ notificationType: 'TEST', signedDate: Date.now() }));
    await page.getByText(/^Test notification .* handled$/).waitFor();
    await step('Add store credentials');
    await current.getByRole('button', { name: 'Skip for now' }).click();
    await step('Add a product and what it unlocks');
    await page.getByRole('button', { name: 'Add store credentials' }).click();
    await submit('Save credentials', {
      'Issuer ID': '57246542-96fe-1a63-e053-0824d011072a',
      'Key ID': 'ABC123DEFG',
      'Private key': createPrivateKey(),
    });
    await step('Add a product and what it unlocks');
    await submit('Add product', { 'Store product ID': MONTHLY, 'Display name': 'Monthly' });
    await step('Offer it in the app');
    await page.getByText('Monthly unlocks pro').waitFor();
    await submit('Offer it', {});
    await step('Give the app its API key');
    await page.getByText('Default is the current offering').waitFor();
    await submit('Create key', { Name: 'app' });
    const shown = page.getByRole('dialog', { name: 'The new key' });
    const key = (await shown.getByText(/^pk_/).textContent()) ?? '';
    await shown.getByText(`-H 'X-API-Key: ${key}'`).waitFor();
    await shown.getByRole('tab', { name: 'Swift' }).click();
    await shown.getByText(`withAPIKey: "${key}"`).waitFor();
    await shown.getByRole('button', { name: 'Close' }).click();
    await step('See the first purchase');
    const subscriber = `/v1/subscribers/${FIRST_CUSTOMER}`;
    expect((await stage.call('GET', subscriber, undefined, { key })).body.subscriber.entitlements).to.deep.equal({});
    // The store's message names a customer whom only a public key has made: the receipt of the app gives it the purchase.
    const { notification, receipt } = firstPurchase();
    await stage.call('POST', new URL(address).pathname, notification);
    await stage.call('POST', `${subscriber}/receipts`, { store: 'ios-store', receipt }, { key });
    await page.getByText('Weather is connected.').waitFor();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('link', { name: FIRST_CUSTOMER }).click();
    await page
      .locator('.verdict')
      .getByText(/has access/i)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Setup' }).click();
    await page.getByText('Setup is complete').waitFor();
    const own = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await changeAll();
    const left = async (path: string) => (await stage.api(`/v1/projects/${own}/${path}`)).items;
    for (const path of ['products', 'entitlements', 'apps']) expect(await left(path), path).to.deep.equal([]);
    const [offering]: Json[] = await left('offerings');
    expect(offering).to.include({ displayName: 'Standard', isCurrent: true });
    expect(await left(`offerings/${offering.id}/packages`)).to.deep.equal([]);
  });

  /** Names anew, and takes away, what the set-up shows. */
  async function changeAll(): Promise<void> {
    const { page } = stage.owner;
    const change = async (name: string, button: string, action: string, field?: readonly [string, string]) => {
      await openMenu(page, name);
      await page.getByRole('button', { name: `${button}…`, exact: true }).click();
      const dialog = page.getByRole('dialog');
      if (field) await dialog.getByLabel(field[0]).fill(field[1]);
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await change('Weather', 'Edit Weather', 'Save', ['Name', 'Weather, iOS']);
    await change('pro', 'Edit pro', 'Save', ['Display name', 'Everything']);
    await page.getByRole('listitem').filter({ hasText: 'Everything' }).waitFor();
    await change('Default', 'Edit Default', 'Save', ['Display name', 'Standard']);
    await page.getByRole('button', { name: 'Delete $monthly' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Apps have nothing to sell from it.').waitFor();
    await change('Monthly', 'Detach', 'Detach');
    await page.getByText('The product com.example.weather.month (App Store) unlocks nothing').waitFor();
    await change('Monthly', 'Delete', 'Delete');
    await page.getByText('No products yet.').waitFor();
    await change('pro', 'Delete pro', 'Delete');
    await change('Weather, iOS', 'Delete Weather, iOS', 'Delete');
    await page.getByText('No apps yet. Register the app').waitFor();
  }
});

// First visit: from registration to figures, and from an empty project to an app, a product and a key.
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { NotificationFields } from '../../simulator/ios-store/payloads.js';
import { store, type Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

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
    await stage.screenshot('overview');
  });

  it('leads from an empty project to an app, a product, a key, and the first customer with access', async () => {
    const { page } = stage.owner;
    await stage.open('/');
    await page.getByLabel('Name').fill('Weather');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Setup' }).waitFor();
    const next = (title: string) => page.getByText(`Next: ${title}.`, { exact: true }).waitFor();
    await next('Register an app');
    const adding = async (label: string, fields: Readonly<Record<string, string>>) => {
      await page.getByRole('button', { name: `${label}…` }).click();
      const dialog = page.getByRole('dialog', { name: label });
      for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await adding('Register app', { Name: 'Weather', 'Bundle ID': 'com.example.weather' });
    const address = (await page.getByText(/\/v1\/store\/ios-store\//).textContent()) ?? '';
    await next('Add store credentials');
    await adding('Credentials of Weather', {
      'Issuer ID': '57246542-96fe-1a63-e053-0824d011072a',
      'Key id': 'ABC123DEFG',
      'Private key': createPrivateKey(),
    });
    await next('Receive a store notification');
    await stage.call('POST', new URL(address).pathname, said({ notificationType: 'TEST', signedDate: Date.now() }));
    await stage.harness.service().idle();
    await adding('Add product', {
      'Store product ID': 'com.example.weather.month',
      'Display name': 'Monthly',
      'Subscription duration': 'P1M',
    });
    await adding('Add entitlement', { 'Lookup key': 'pro', 'Display name': 'Pro' });
    await adding('Attach product', {});
    await adding('Add offering', { 'Lookup key': 'default', 'Display name': 'Default' });
    await adding('Add package', {});
    await page.reload();
    await next('Create a public API key');
    const key = await makeKey();
    await page.reload();
    await next('See the first customer');
    const subscriber = `/v1/subscribers/${FIRST_CUSTOMER}`;
    expect((await stage.call('GET', subscriber, undefined, { key })).body.subscriber.entitlements).to.deep.equal({});
    await stage.harness.service().idle();
    await page.reload();
    await next('See the first purchase');
    // The store's message names a customer whom only a public key has made: the receipt of the app gives it the purchase.
    const { notification, receipt } = firstPurchase();
    await stage.call('POST', new URL(address).pathname, notification);
    await stage.call('POST', `${subscriber}/receipts`, { store: 'ios-store', receipt }, { key });
    await stage.harness.service().idle();
    await page.reload();
    await page.getByText('Setup is complete').waitFor();
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

  /** Creates a key of the app, which is shown once. */
  async function makeKey(): Promise<string> {
    const { page } = stage.owner;
    await page.getByRole('button', { name: 'Make key…' }).click();
    const asked = page.getByRole('dialog', { name: 'Make key' });
    await asked.getByLabel('Name').fill('app');
    await asked.getByLabel('For').selectOption({ label: 'the app Weather (public key)' });
    await asked.getByRole('button', { name: 'Make key', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'The new key' });
    const key = (await shown.getByText(/^pk_/).textContent()) ?? '';
    await shown.getByRole('button', { name: 'Close' }).click();
    return key;
  }

  /** Names anew, and takes away, what the set-up shows. */
  async function changeAll(): Promise<void> {
    const { page } = stage.owner;
    const change = async (button: string, action: string, field?: readonly [label: string, value: string]) => {
      await page.getByRole('button', { name: `${button}…`, exact: true }).click();
      const dialog = page.getByRole('dialog');
      if (field) await dialog.getByLabel(field[0]).fill(field[1]);
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await change('Edit Weather', 'Save', ['Name', 'Weather, iOS']);
    await change('Edit pro', 'Save', ['Display name', 'Everything']);
    await page.getByRole('listitem').filter({ hasText: 'Everything' }).waitFor();
    await change('Edit Default', 'Save', ['Display name', 'Standard']);
    await change('Delete $weekly', 'Delete');
    const products = page.getByRole('row').filter({ hasText: 'Monthly' });
    await products.getByRole('button', { name: 'Detach…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
    await page.getByText('The product com.example.weather.month unlocks nothing').waitFor();
    await products.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No products yet.').waitFor();
    await change('Delete pro', 'Delete');
    await change('Delete Weather, iOS', 'Delete');
    await page.getByText('No apps yet. Register the app').waitFor();
  }
});

// From registering to figures, and from an empty project to an app, a product and a key.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

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

  it('leads from an empty project to an app, a product and a key', async () => {
    const { page } = stage.owner;
    await stage.open('/');
    await page.getByLabel('Name').fill('Weather');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Set-up' }).waitFor();
    const next = (title: string) => page.getByText(`Next: ${title}.`, { exact: true }).waitFor();
    await next('Register an app');
    const adding = async (label: string, fields: Readonly<Record<string, string>>) => {
      await page.getByRole('button', { name: `${label}…` }).click();
      const dialog = page.getByRole('dialog', { name: label });
      for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await adding('Register app', { Name: 'Weather', 'Bundle id': 'com.example.weather' });
    await page.getByText(/\/v1\/store\/ios-store\//).waitFor();
    await next('Add store credentials');
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
    const { steps } = await stage.api(`/v1/projects/${own}/setup-status`);
    const done = steps.filter((s: Json) => s.done).map((s: Json) => s.id);
    expect(done).to.include.members(['create_app', 'attach_product_to_entitlement', 'create_offering_with_package']);
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
    const change = async (button: string, action: string, field?: readonly [label: string, value: string]) => {
      await page.getByRole('button', { name: `${button}…`, exact: true }).click();
      const dialog = page.getByRole('dialog');
      if (field) await dialog.getByLabel(field[0]).fill(field[1]);
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await change('Edit Weather', 'Save', ['Name', 'Weather, iOS']);
    await change('Edit pro', 'Save', ['Name for people', 'Everything']);
    await page.getByRole('listitem').filter({ hasText: 'Everything' }).waitFor();
    await change('Edit Default', 'Save', ['Name for people', 'Standard']);
    await change('Delete $weekly', 'Delete');
    const products = page.getByRole('row').filter({ hasText: 'Monthly' });
    await products.getByRole('button', { name: 'Detach…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
    await page.getByText('The product com.example.weather.month unlocks nothing').waitFor();
    await products.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No product yet.').waitFor();
    await change('Delete pro', 'Delete');
    await change('Delete Weather, iOS', 'Delete');
    await page.getByText('None yet. Register the app').waitFor();
  }
});

// What apps show: paywalls as JSON that the server checks.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

describe('paywalls on the page', () => {
  const stage = setUpStage();
  before(async () => {
    const offering = { lookupKey: 'default', displayName: 'Default', isCurrent: true };
    await stage.call('POST', `/v1${stage.base}/offerings`, offering, { token: stage.token });
  });

  it('adds a paywall, says at the field what is wrong, publishes and deletes it', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/paywalls`);
    await page.getByRole('button', { name: 'Add paywall…' }).click();
    const adding = page.getByRole('dialog', { name: 'Add paywall' });
    await adding.getByLabel('Name', { exact: true }).fill('Stars');
    const config = adding.getByLabel('Configuration (JSON)');
    const good = await config.inputValue();
    await config.fill('{ "template": ');
    await adding.getByRole('button', { name: 'Add paywall' }).click();
    await adding.getByText(/^config is no JSON/).waitFor();
    expect(await config.getAttribute('aria-invalid')).to.equal('true');
    await config.fill(good);
    await adding.getByRole('button', { name: 'Add paywall' }).click();
    await adding.waitFor({ state: 'detached' });
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Stars' }) });
    await card.getByText('draft', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog').getByLabel('State').selectOption('published');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card.getByText('published', { exact: true }).waitFor();
    const one = (await stage.api(`/v1${stage.base}/paywalls`)).items.find((p: Json) => p.name === 'Stars');
    expect(one).to.include({ status: 'published' });
    await card.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
  });
});

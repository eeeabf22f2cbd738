// Offer pages: paywalls as validated JSON, and experiments with their enrolments.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { openMenu, setUpStage } from './support/stage.js';

describe('paywalls and experiments on the page', () => {
  const stage = setUpStage();
  before(async () => {
    const offering = { lookupKey: 'default', displayName: 'Default', isCurrent: true };
    await stage.call('POST', `/v1${stage.base}/offerings`, offering, { token: stage.token });
  });

  it('adds a paywall, shows errors at their fields, publishes and deletes it', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/paywalls`);
    await page.getByRole('button', { name: 'Add paywall…' }).click();
    const adding = page.getByRole('dialog', { name: 'Add paywall' });
    await adding.getByLabel('Name', { exact: true }).fill('Stars');
    const config = adding.getByLabel('Configuration (JSON)');
    const good = await config.inputValue();
    await config.fill('{ "template": ');
    await adding.getByRole('button', { name: 'Add paywall' }).click();
    await adding.getByText(/^Configuration \(JSON\) is not valid JSON/).waitFor();
    expect(await config.getAttribute('aria-invalid')).to.equal('true');
    await config.fill(good);
    await adding.getByRole('button', { name: 'Add paywall' }).click();
    await adding.waitFor({ state: 'detached' });
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Stars' }) });
    await card.getByText('draft', { exact: true }).waitFor();
    await openMenu(card, 'Stars');
    await card.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog').getByLabel('State').selectOption('published');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card.getByText('published', { exact: true }).waitFor();
    const one = (await stage.api(`/v1${stage.base}/paywalls`)).items.find((p: Json) => p.name === 'Stars');
    expect(one).to.include({ status: 'published' });
    await openMenu(card, 'Stars');
    await card.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
  });

  it('leads an experiment from its variants to results with people, and to its end', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/experiments`);
    await page.getByRole('button', { name: 'Add experiment…' }).click();
    const adding = page.getByRole('dialog', { name: 'Add experiment' });
    await adding.getByLabel('Name', { exact: true }).fill('Shorter words');
    await adding.getByRole('button', { name: 'Add experiment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shorter words' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    for (const name of ['as it is', 'short']) {
      await page.getByRole('button', { name: 'Add variant…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add variant' });
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByRole('button', { name: 'Add variant' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await openMenu(page, 'Shorter words');
    await page.getByRole('button', { name: 'Edit…', exact: true }).first().click();
    await page.getByRole('dialog').getByLabel('Hypothesis').fill('Fewer words sell more');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fewer words sell more').waitFor();
    await page.getByRole('button', { name: 'Start…' }).click();
    await page.getByRole('dialog').getByText('can no longer be changed').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('running', { exact: true }).waitFor();

    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    for (let n = 0; n < 6; n++) {
      const asked = await stage.call('GET', `/v1/subscribers/taster-${n}/offerings`, undefined, as);
      expect(asked.status).to.equal(200);
    }
    await stage.open(`${stage.base}/experiments/${id}`);
    const results = page.getByRole('group', { name: 'Results' });
    const counts = await results.locator('tbody tr td:nth-of-type(1)').allTextContents();
    expect(counts).to.have.length(2);
    expect(counts.reduce((sum, text) => sum + Number(text), 0)).to.equal(6);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await openMenu(page, 'Shorter words');
    await page.getByRole('button', { name: 'Stop…' }).click();
    await page.getByRole('dialog').getByLabel('Winner').selectOption('short');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await openMenu(page, 'Shorter words');
    await page.getByRole('button', { name: 'Delete…', exact: true }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    const left: Json[] = (await stage.api(`/v1${stage.base}/experiments`)).items;
    expect(left.map(({ name }) => name)).to.deep.equal(['Yearly first']);
  });
});

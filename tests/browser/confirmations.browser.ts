// Before anything that cannot be undone the page asks, names what breaks and says who used it last.
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { Json } from '../http/support/harness.js';
import { openMenu, setUpStage } from './support/stage.js';

describe('a question before what cannot be undone', () => {
  const stage = setUpStage();
  const keysNamed = async (name: string): Promise<Json[]> =>
    (await stage.api(`/v1${stage.base}/api-keys`)).items.filter((key: Json) => key.name === name);
  const textOf = async (dialog: Locator) => ((await dialog.textContent()) ?? '').replace(/\s+/g, ' ');

  it('names what a key breaks and who used it last, and deletes it only when it is answered', async () => {
    const { page } = stage.owner;
    const [app] = (await stage.api(`/v1${stage.base}/apps`)).items;
    const body = { name: 'released', kind: 'public', appId: app.id };
    const made = await stage.call('POST', `/v1${stage.base}/api-keys`, body, { token: stage.token });
    const ask = () => stage.call('GET', '/v1/subscribers/who-asks', undefined, { key: made.body.key });
    expect((await ask()).status).to.be.lessThan(300);
    await stage.harness.service().services.keyUses.idle();
    await stage.open(`${stage.base}/setup`);
    const row = page.getByRole('region', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'released' });
    await openMenu(row, 'released');
    await row.getByRole('button', { name: 'Delete released…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete released' });
    const shown = await textOf(dialog);
    expect(shown).to.include(`Every installed version of ${app.name} that contains ${made.body.keyPreview}`);
    expect(shown).to.include('gets 401 immediately');
    expect(shown).to.match(new RegExp(`Last used .+ by the app ${app.name}\\.`));

    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await keysNamed('released')).to.have.length(1);
    expect((await ask()).status).to.be.lessThan(300);

    await openMenu(row, 'released');
    await row.getByRole('button', { name: 'Delete released…' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(await keysNamed('released')).to.deep.equal([]);
    expect((await ask()).status).to.equal(401);
  });

  it('warns that servers with a deleted secret key are rejected, and shows that it was never used', async () => {
    const { page } = stage.owner;
    await stage.call('POST', `/v1${stage.base}/api-keys`, { name: 'spare' }, { token: stage.token });
    await stage.open(`${stage.base}/setup`);
    await openMenu(page, 'spare');
    await page.getByRole('button', { name: 'Delete spare…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete spare' });
    const shown = await textOf(dialog);
    expect(shown).to.match(/Servers that send sk_\S+ get 401 immediately/);
    expect(shown).to.include('Never used.');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await keysNamed('spare')).to.have.length(1);
  });

  it('names the public keys that end with an app', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/setup`);
    const [app] = (await stage.api(`/v1${stage.base}/apps`)).items;
    await openMenu(page, app.name);
    await page.getByRole('button', { name: `Delete ${app.name}…` }).click();
    const shown = await textOf(page.getByRole('dialog', { name: `Delete ${app.name}` }));
    expect(shown).to.include('Its store notifications are refused');
    expect(shown).to.match(/Its public keys \(.*\) were last used/);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await stage.api(`/v1${stage.base}/apps`)).items.map(({ id }: Json) => id)).to.include(app.id);
  });

  it('leaves a view, an annotation and an invitation until it is answered', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const view = { name: 'kept view', query: { chartId: 'mrr' } };
    await stage.call('POST', `/v1${stage.base}/views`, view, as);
    await stage.call('POST', `/v1${stage.base}/annotations`, { day, text: 'kept note' }, as);
    const invited = { email: 'kept@example.com', role: 'viewer' };
    const { body: invitation } = await stage.call('POST', `/v1${stage.base}/members`, invited, as);
    const questions = [
      { path: 'charts', button: 'Delete the view kept view', list: 'views', has: 'kept view' },
      { path: 'charts/mrr', panel: 'Annotations (', button: 'Delete kept note', list: 'annotations', has: 'kept note' },
      { path: 'members', button: 'Withdraw…', list: 'members', has: 'kept@example.com' },
    ];
    for (const { path, panel, button, list, has } of questions) {
      await stage.open(`${stage.base}/${path}`);
      if (panel !== undefined) await page.getByRole('button', { name: panel }).click();
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('listitem').filter({ hasText: has }).first().waitFor();
      expect(JSON.stringify(await stage.api(`/v1${stage.base}/${list}`)), list).to.include(has);
    }
    // Other specs count what the project has.
    await stage.call('DELETE', `/v1${stage.base}/members/invitations/${invitation.id}`, undefined, as);
  });
});

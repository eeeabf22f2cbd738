// The audit log on the page: who changed what, by name, and what the values were.
import { expect } from 'chai';
import { setUpStage } from './support/stage.js';

describe('the audit log on the page', () => {
  const stage = setUpStage();

  it('names who changed what, also after the key and the object were deleted', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    const call = async (method: string, path: string, body?: object, who: object = as) => {
      const answer = await stage.call(method, `/v1${stage.base}${path}`, body, who);
      expect(answer.status, path).to.be.within(200, 201);
      return answer.body;
    };
    const key = await call('POST', '/api-keys', { name: 'deploy' });
    const webhook = await call(
      'POST',
      '/webhooks',
      { url: 'https://hooks.example.com/a', name: 'Old name' },
      { key: key.key },
    );
    await call('PATCH', `/webhooks/${webhook.id}`, { name: 'New name' }, { key: key.key });
    await call('DELETE', `/webhooks/${webhook.id}`);
    await call('DELETE', `/api-keys/${key.id}`);
    await stage.open(`${stage.base}/audit`);
    const row = (action: string) => page.getByRole('row').filter({ hasText: action }).first();
    expect(await row('API key deleted').textContent())
      .to.include('you')
      .and.include('deploy');
    expect(await row('Webhook deleted').textContent())
      .to.include('you')
      .and.include('New name');
    const updated = row('Webhook updated');
    expect(await updated.textContent())
      .to.include('API key “deploy”')
      .and.include('New name');
    expect(await updated.getByText('Name: Old name').textContent()).to.match(/Old name\s*New name$/);
    expect((await updated.textContent())?.replace(/Raw data.*/s, '')).to.not.match(/key_|wh_|usr_/);
    await updated.getByRole('button', { name: /^API key “deploy”/ }).click();
    await page.getByRole('button', { name: /^Only by API key “deploy”/ }).waitFor();
    await page.getByText('API key deleted').waitFor({ state: 'detached' });
    await updated.getByText('Raw data', { exact: true }).click();
    await updated.getByLabel('Raw data').getByText(webhook.id).waitFor();
    expect(new URL(page.url()).searchParams.get('actor')).to.equal(key.id);
  });
});

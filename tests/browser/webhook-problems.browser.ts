// Why a webhook fails, in words, wherever its state is shown.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { startReceiver } from '../adapters/outbound/receiver.js';
import { startSelfSignedServer, type SelfSignedServer } from '../adapters/outbound/self-signed-server.js';
import { setUpStage } from './support/stage.js';

describe('problems of webhooks on the page', () => {
  const stage = setUpStage();
  let server: SelfSignedServer;
  before(async () => (server = await startSelfSignedServer()));
  after(() => server.stop());

  it('says what happened instead of a code', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token };
    const broken = await startReceiver((res) => res.writeHead(500).end('{"oops":true}'));
    const gone = await startReceiver((res) => res.destroy());
    await gone.stop();
    const problems = [
      { name: 'Self-signed', url: server.url, words: 'certificate not accepted' },
      { name: 'Nobody listens', url: gone.url, words: 'connection refused' },
      { name: 'Broken', url: broken.url, words: '500, error in the receiver' },
    ];
    for (const { name, url, words } of problems) {
      const made = await stage.call('POST', `/v1${stage.base}/webhooks`, { name, url, sendTestEvent: true }, as);
      const place = `${stage.base}/webhooks/${made.body.id}`;
      for (let tried = false; !tried;) {
        const { items } = await stage.api(`/v1${place}/deliveries`);
        tried = items.some(({ attempts }: Json) => attempts.length > 0);
      }
      await stage.open(`${stage.base}/webhooks`);
      await page.getByRole('row').filter({ hasText: name }).getByText(words).waitFor();
      await page.getByRole('link', { name }).click();
      await page.getByRole('region', { name: 'The webhook' }).getByText(words).waitFor();
      await page.getByRole('row').filter({ hasText: 'TEST' }).getByText(words).waitFor();
      await page.getByRole('button', { name: /^TEST/ }).click();
      await page.getByRole('region', { name: 'Delivery', exact: true }).getByRole('cell', { name: words }).waitFor();
      expect(await page.locator('main').innerText()).to.not.match(/\b(tls|connect)\b/);
      await stage.call('DELETE', `/v1${place}`, undefined, as);
    }
    await broken.stop();
  });
});

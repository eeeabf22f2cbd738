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
      { name: 'Nobody listens', url: gone.url, words: 'could not connect' },
      { name: 'Broken', url: broken.url, words: '500, error in the receiver' },
    ];
    for (const { name, url, words } of problems) {
      const made = await stage.call('POST', `/v1${stage.base}/webhooks`, { name, url, sendTestEvent: true }, as);
      const place = `${stage.base}/webhooks/${made.body.id}`;
      for (let isFailing = false; !isFailing;) {
        const { lastDelivery } = await stage.api(`/v1${place}`);
        const { evidence } = await stage.api(`/v1${stage.base}/setup-status`);
        const failing = evidence.failingWebhooks.some(({ webhookId }: Json) => webhookId === made.body.id);
        isFailing = lastDelivery !== null && failing;
      }
      await stage.open(`${stage.base}/webhooks`);
      await page.getByRole('row').filter({ hasText: name }).getByText(words).waitFor();
      await page.getByRole('link', { name }).click();
      await page.getByRole('region', { name: 'The webhook' }).getByText(words).waitFor();
      await page.getByRole('row').filter({ hasText: 'TEST' }).getByText(words).waitFor();
      await page.getByRole('button', { name: /^TEST/ }).click();
      await page.getByRole('region', { name: 'Delivery', exact: true }).getByRole('cell', { name: words }).waitFor();
      expect(await page.locator('main').innerText()).to.not.match(/^(tls|connect|closed)$/m);
      await stage.call('DELETE', `/v1${place}`, undefined, as);
    }
    await broken.stop();
  });
});

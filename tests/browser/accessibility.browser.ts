// WCAG 2.2 AA as far as a program can tell, in both themes and three widths.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { expectNoSidewaysScroll, findings } from './support/visitor.js';
import { setUpStage } from './support/stage.js';

const WIDTHS = [320, 768, 1440];

describe('accessibility of the page', () => {
  const stage = setUpStage();

  it('has no serious or critical finding of axe, in both themes and three widths', async function () {
    this.timeout(240_000);
    const { page } = stage.owner;
    const as = { token: stage.token };
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=1`);
    const address = { url: 'https://hooks.example.com/axe', name: 'Axe', sendTestEvent: true };
    const { body: webhook } = await stage.call('POST', `/v1${stage.base}/webhooks`, address, as);
    const [delivery]: Json[] = (await stage.api(`/v1${stage.base}/webhooks/${webhook.id}/deliveries`)).items;
    const [notification]: Json[] = (await stage.api(`/v1${stage.base}/notifications?limit=1&state=handled`)).items;
    const { body: experiment } = await stage.call('POST', `/v1${stage.base}/experiments`, { name: 'Axe' }, as);
    const [app]: Json[] = (await stage.api(`/v1${stage.base}/apps`)).items;
    const month = new Date().toISOString().slice(0, 7);
    const pages = [
      'overview',
      'customers',
      `customers/${items[0].id}`,
      'charts',
      'charts/mrr_movement',
      'charts/cohort_explorer',
      'charts/revenue?tab=customers&period=last_12_months',
      'compare',
      'money',
      `money/${month}`,
      `money/${month}/awaiting_report`,
      'live',
      'notifications',
      `notifications/${notification.id}`,
      'webhooks',
      `webhooks/${webhook.id}?delivery=${delivery.id}`,
      'paywalls',
      'targeting',
      'experiments',
      `experiments/${experiment.id}`,
      'setup',
      `setup/${app.id}`,
      'members',
      'imports',
      'audit',
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ['/projects', ...pages.map((one) => `${stage.base}/${one}`)]) {
        await stage.open(path);
        expect(await findings(page), `${path}, ${colorScheme}`).to.deep.equal([]);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, `${path} at ${width}`);
        }
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    // Others count them.
    await stage.call('DELETE', `/v1${stage.base}/experiments/${experiment.id}`, undefined, as);
  });
});

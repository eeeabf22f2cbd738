// Unmodified SDKs in a page of another origin: real preflights, and a purchase in the SDK's own dialog.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { addTestApp, sdkClient, TEST_MONTHLY, type TestApp } from '../http/compat/setup.js';
import { setUpService } from '../http/support/setup.js';
import { launchChromium } from './support/chromium.js';

const SCRIPTS = {
  '/sdk.js': '../../node_modules/@revenuecat/purchases-js/dist/Purchases.umd.js',
  '/hybrid.js': '../../node_modules/@revenuecat/purchases-js-hybrid-mappings/dist/index.umd.js',
} as const;

/** Serves the SDKs as an app's own page does. */
async function startAppPage(): Promise<Server> {
  const scripts = new Map<string, Buffer>(
    Object.entries(SCRIPTS).map(([path, file]) => [path, readFileSync(new URL(file, import.meta.url))]),
  );
  const server = createServer((req, res) => {
    const script = scripts.get(req.url ?? '');
    res.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    res.end(
      script ??
        '<!doctype html><title>App</title><body><script src="/sdk.js"></script><script src="/hybrid.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('SDKs in a browser', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  let app: TestApp;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const call = sdkClient(harness, () => app.key);
  before(async () => {
    app = await addTestApp(harness, slice);
    [server, browser] = await Promise.all([startAppPage(), launchChromium()]);
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  /** Runs a script in the page; `key` and `url` are its variables. */
  const run = (script: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const key = ${JSON.stringify(app.key)};
      const url = ${JSON.stringify(harness.service().compatUrl)};
      ${script}
    })()`);

  it('buy in the SDK’s own dialog', async () => {
    const buying = run(`
      const sdk = Purchases.Purchases.configure({
        apiKey: key, appUserId: 'web-ann', httpConfig: { proxyURL: url }, flags: { collectAnalyticsEvents: false },
      });
      const { current } = await sdk.getOfferings();
      const { customerInfo } = await sdk.purchase({ rcPackage: current.availablePackages[0] });
      return Object.keys(customerInfo.entitlements.active);
    `);
    await page.getByRole('button', { name: /valid purchase/i }).click();
    expect(await buying).to.deep.equal(['pro']);
    const { body } = await call('GET', '/v1/subscribers/web-ann');
    expect(body.subscriber.subscriptions[TEST_MONTHLY].store).to.equal('test_store');
  });

  it('read customer info and offerings through the mappings of React Native and Flutter', async () => {
    const read = await run(`
      const { PurchasesCommon } = PurchasesHybridMappings;
      PurchasesCommon.setProxyUrl(url);
      const common = PurchasesCommon.configure({
        apiKey: key, appUserId: 'web-ann', flavor: 'react-native', flavorVersion: '10.0.0',
      });
      const info = await common.getCustomerInfo();
      const offerings = await common.getOfferings();
      return [Object.keys(info.entitlements.active), offerings.current.identifier];
    `);
    expect(read).to.deep.equal([['pro'], 'default']);
  });
});

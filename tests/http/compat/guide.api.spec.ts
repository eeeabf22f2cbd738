// The script of the guide, as a reader runs it: copied from the page into a file, against a test app. And the page of compatibility: it lists
// every request that the installed SDK can make.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { blocksOf, read, root } from '../../docs/markdown.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, type TestApp } from './setup.js';

const PAGE = 'docs/switch-from-revenuecat.md';
const ADDRESS = 'http://127.0.0.1:3001';

describe('the script of the guide', () => {
  const { harness, slice, asMember } = setUpService({ COMPAT_PORT: '0' });
  const directory = mkdtempSync(join(tmpdir(), 'subledger-guide-'));
  let app: TestApp;
  before(async () => {
    app = await addTestApp(harness, slice);
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  const run = async () => {
    const [script] = blocksOf(PAGE).filter(({ info }) => info === 'js');
    const file = join(directory, 'try.mjs');
    writeFileSync(file, (script?.text ?? '').replaceAll(ADDRESS, harness.service().compatUrl ?? ''));
    const env = { ...process.env, KEY: app.key, NODE_OPTIONS: '' };
    return promisify(execFile)(process.execPath, [file], { env });
  };

  it('buys the first package and shows the entitlement', async () => {
    const { stdout } = await run();
    expect(stdout).to.contain("'$rc_monthly'").and.to.contain('pro: {');
  });

  it('names the missing price instead of an error of its own', async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const { body } = await harness.call('GET', `${base}/products/${app.productId}`, undefined, asMember);
    const path = `${base}/products/${app.productId}/prices/${body.prices[0].id}`;
    expect((await harness.call('DELETE', path, undefined, asMember)).status).to.equal(200);
    const failed = await run().catch((err: { readonly stderr: string }) => err);
    expect(failed.stderr).to.contain('No current offering: does its product have a price');
    const { evidence } = (await harness.call('GET', `${base}/setup-status`, undefined, asMember)).body;
    expect(evidence.productsWithoutPrice).to.deep.equal([
      { productId: app.productId, appId: app.appId, storeProductId: 'pro_monthly', store: 'test-store' },
    ]);
  });
});

describe('the page of compatibility', () => {
  const bundle = readFileSync(join(root, 'node_modules/@revenuecat/purchases-js/dist/Purchases.es.js'), 'utf8');
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/@revenuecat/purchases-js/package.json'), 'utf8'),
  ) as { readonly version: string };

  it('names the version of the SDK that the tests run', () =>
    expect(read('docs/compatibility.md')).to.contain(`| ${version}, the newest`));

  it('lists every request that the SDK can make', () => {
    const bodies = [...bundle.matchAll(/urlPath\(\) \{([^]{0,600}?)\n {2}\}/g)].map(([, body = '']) => body);
    expect(bodies, 'read the requests of this version, and add them to the page').to.have.length(15);
    const words = bodies.flatMap((body) => body.match(/\/(v1|[a-z_]{5,})(?=[/?`"])/g) ?? []);
    expect(words).to.include.members(['/offerings', '/identify', '/branding', '/products', '/workflows']);
    const page = read('docs/compatibility.md');
    const isPartOfCheckout = (word: string) => ['/prepare', '/start', '/complete'].includes(word);
    expect(words.filter((word) => !isPartOfCheckout(word) && !page.includes(word))).to.deep.equal([]);
  });
});

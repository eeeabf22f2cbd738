// Customers of a RevenueCat project read from its API into a file of facts: what the file has, pauses that the API asks for, and runs that
// were interrupted.
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { fetchCustomers } from '../../src/cli/import/fetch-customers.js';
import { readConfig } from '../../src/adapters/configuration/config.js';
import { readNeutralLine } from '../../src/commands/imports/read-files.js';
import { addCustomers } from '../fixtures/revenuecat/fake-customers.js';
import { PROJECT, startFakeRevenueCat, V1_KEY, V2_KEY } from '../fixtures/revenuecat/fake-revenuecat.js';

const CUSTOMERS = 7;

describe('customers of RevenueCat’s API in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fetch-customers-'));
  let fake: Awaited<ReturnType<typeof startFakeRevenueCat>>;
  let files = 0;
  const sleeps: number[] = [];
  const read: number[] = [];
  const runtime = { ...systemRuntime(), sleep: async (ms: number) => void sleeps.push(ms) };
  before(async () => {
    fake = await startFakeRevenueCat();
    addCustomers(fake, CUSTOMERS);
  });
  after(() => fake.stop());
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(() => [sleeps, read].forEach((list) => list.splice(0)));

  const newFile = () => join(folder, `customers-${++files}.ndjson`);
  const fetchTo = (path: string, signal = new AbortController().signal, key = V2_KEY) => {
    const keys = { REVENUECAT_API_KEY: key, REVENUECAT_PROJECT_ID: PROJECT, REVENUECAT_API_URL: fake.url };
    const config = readConfig({ MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), ...keys });
    return fetchCustomers(path, { config, runtime, signal, progress: (customers) => read.push(customers) });
  };
  const linesOf = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const namesIn = (path: string) =>
    linesOf(path).flatMap(({ type, appUserId }) => (type === 'customer' ? [appUserId] : []));
  const everybody = ['alice', ...Array.from({ length: CUSTOMERS - 1 }, (_, n) => `customer-${n + 2}`)];

  it('has names, dates, attributes, grants and purchases, all of which an import can read', async () => {
    const path = newFile();
    await fetchTo(path);
    const coins = { type: 'purchase', appUserId: 'alice', store: 'ios-store', storeProductId: 'coins_100' };
    const place = { environment: 'production', ownership: 'purchased' };
    const order = { type: 'purchase', appUserId: 'alice', store: 'android-store', storeProductId: 'pro:month' };
    const period = (transactionId: string, purchasedAt: string, expiresAt: string) => ({
      ...{ ...order, ...place, country: 'FR', kind: 'normal', transactionId },
      ...{ purchasedAt: `${purchasedAt}T00:00:00.000Z`, expiresAt: `${expiresAt}T00:00:00.000Z` },
      ...{ graceExpiresAt: null, entitlements: [] },
    });
    expect(linesOf(path).slice(0, 8)).to.deep.equal([
      {
        ...{ type: 'grant', appUserId: 'alice', entitlement: 'pro' },
        ...{ startsAt: '2026-10-01T00:00:00.000Z', expiresAt: '2027-10-01T00:00:00.000Z' },
      },
      {
        ...{ type: 'purchase', appUserId: 'alice', store: 'ios-store', storeProductId: 'pro_month', kind: 'normal' },
        ...{ transactionId: '2000000000000009', purchasedAt: '2026-10-01T00:00:00.000Z' },
        ...{ ...place, country: null, missing: 'first_transaction' },
      },
      period('GPA.1000-2000-3000-40000', '2026-09-01', '2026-10-01'),
      period('GPA.1000-2000-3000-40000..0', '2026-10-01', '2026-11-01'),
      {
        ...period('GPA.1000-2000-3000-40000..1', '2026-11-01', '2026-12-01'),
        ...{ graceExpiresAt: '2026-12-04T00:00:00.000Z', entitlements: ['pro'] },
      },
      {
        ...{ ...coins, kind: 'one_time', transactionId: '2000000000000001' },
        ...{ purchasedAt: '2026-03-01T10:00:00.000Z', ...place, country: null, entitlements: [] },
      },
      {
        ...{ ...coins, kind: 'one_time', transactionId: '2000000000000002' },
        ...{ purchasedAt: '2026-03-01T10:00:00.000Z', ...place, country: null, entitlements: [] },
        missing: 'refund_time',
      },
      {
        ...{ type: 'customer', appUserId: 'alice', aliases: ['$RCAnonymousID:0123456789abcdef0123456789abcdef'] },
        ...{ firstSeenAt: '2026-01-05T10:00:00.000Z', lastSeenAt: '2026-11-01T10:00:00.000Z' },
        ...{ country: 'DE', platform: 'iOS' },
        attributes: { $email: { value: 'alice@example.com', updatedAt: '2026-11-01T10:00:00.000Z' } },
      },
    ]);
    expect(namesIn(path)).to.deep.equal(everybody);
    expect(read.at(-1)).to.equal(CUSTOMERS);
    const problems = linesOf(path).flatMap((line) => readNeutralLine({ file: 'f', row: 1 }, line).problems);
    expect(problems).to.deep.equal([]);
  });

  it('waits as long as the API asks', async () => {
    fake.faults.push({ status: 429, headers: { 'retry-after': '7' }, body: { backoff_ms: 1000 } });
    const path = newFile();
    await fetchTo(path);
    expect(Math.max(...sleeps)).to.be.within(6900, 7100);
    expect(namesIn(path)).to.deep.equal(everybody);
  });

  it('continues after the last complete customer, also if the file ends within a line', async () => {
    const path = newFile();
    await fetchTo(path);
    const whole = readFileSync(path, 'utf8');
    const unfinished = join(folder, 'cut.ndjson');
    writeFileSync(`${unfinished}.part`, whole);
    truncateSync(`${unfinished}.part`, whole.indexOf('"customer-5"') + 4);
    const before = fake.seen.length;
    await fetchTo(unfinished);
    expect(readFileSync(unfinished, 'utf8')).to.equal(whole);
    expect(existsSync(`${unfinished}.part`)).to.equal(false);
    const about = fake.seen.slice(before).filter(({ path: asked }) => asked.includes('/customers/'));
    expect(new Set(about.map(({ path: asked }) => asked.split('/')[5]))).to.deep.equal(
      new Set(['customer-5', 'customer-6', 'customer-7']),
    );
  });

  it('leaves no complete file when it is interrupted or refused, and says which key it needs', async () => {
    const [path, stopping] = [newFile(), new AbortController()];
    stopping.abort(new Error('stopped'));
    expect(await fetchTo(path, stopping.signal).catch((err: Error) => err.message)).to.equal('stopped');
    const refused = await fetchTo(path, undefined, V1_KEY).catch((err: Error) => err.message);
    expect(refused).to.match(/REVENUECAT_API_KEY must be a secret key of API v2/);
    expect(existsSync(path)).to.equal(false);
  });

  it('reads a complete file again without a request', async () => {
    const path = newFile();
    await fetchTo(path);
    const before = fake.seen.length;
    await fetchTo(path);
    expect(fake.seen.length).to.equal(before);
  });
});

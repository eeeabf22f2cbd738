// Customers of a RevenueCat project read from its API into a file of facts: what the file has, pauses that the API asks for, and runs that
// were interrupted.
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { describeFetch, fetchCustomers } from '../../src/cli/import/fetch-customers.js';
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

  it('leaves no complete file when it is interrupted or refused, and names the key that it needs', async () => {
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

describe('customers whom RevenueCat’s list repeats or leaves out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fetch-customers-'));
  const runtime = { ...systemRuntime(), sleep: () => Promise.resolve() };
  const [earlier, later] = [Date.parse('2026-11-01T10:00:00Z'), Date.parse('2026-11-02T10:00:00Z')];
  const entry = (id: string, last_seen_at = earlier) => ({ id, last_seen_at });
  let fake: Awaited<ReturnType<typeof startFakeRevenueCat>>;
  beforeEach(async () => void (fake = await startFakeRevenueCat()));
  afterEach(() => fake.stop());
  after(() => rmSync(folder, { recursive: true }));

  const fetchTo = (path: string, ids: readonly string[], progress: (customers: number) => void = () => undefined) => {
    const keys = { REVENUECAT_API_KEY: V2_KEY, REVENUECAT_PROJECT_ID: PROJECT, REVENUECAT_API_URL: fake.url };
    const config = readConfig({ MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), ...keys });
    return fetchCustomers(path, { config, runtime, signal: new AbortController().signal, ids, progress });
  };
  const namesIn = (path: string): readonly string[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).appUserId);
  const readingsOf = (id: string) => fake.seen.filter(({ path }) => path.includes(`/customers/${id}/aliases`)).length;

  it('are read once, by their ids, and again if they were active during the run', async () => {
    fake.lists.set(
      '/customers',
      ['a', 'b', 'a', 'c', 'b', 'd'].map((id) => entry(id)),
    );
    for (const id of ['left-out', 'bob']) fake.customers.set(id, {});
    fake.lists.set('/customers/bob/aliases', [
      { id: 'bob', created_at: earlier },
      { id: 'bob-before', created_at: earlier },
    ]);
    const path = join(folder, 'repeated.ndjson');
    const ids = ['a', 'left-out', 'bob-before', 'bob', 'nobody', 'a/b'];
    const report = await fetchTo(path, ids, (customers) => {
      if (customers === 6) fake.lists.set('/customers', [entry('late', later), entry('b', later), entry('a')]);
    });
    expect(report).to.deep.equal({
      ...{ customers: 7, before: 0, listed: 4, lookedUp: 2, caughtUp: { found: 1, changed: 1 } },
      ...{ repeated: 2, isEndless: false, unknownIds: ['nobody'], refusedNames: ['a/b'] },
    });
    expect(namesIn(path)).to.deep.equal(['a', 'b', 'c', 'd', 'left-out', 'bob', 'late', 'b']);
    expect(['a', 'b', 'bob'].map(readingsOf)).to.deep.equal([1, 2, 1]);
    expect(report && describeFetch(report)).to.deep.equal([
      '7 customers in the file: 4 of the list, 2 by their ids, 1 when the list was read again; 1 were active meanwhile and read again',
      '2 entries of the list repeated a customer',
      '1 × ids that RevenueCat does not know: "nobody"',
      '1 × names that are not allowed here, whose customers are left out: "a/b"',
    ]);
  });

  it('are not read again after an interruption, whatever the order of the list is then', async () => {
    const path = join(folder, 'continued.ndjson');
    fake.lists.set('/customers', [entry('c'), entry('a'), entry('b')]);
    writeFileSync(
      `${path}.part`,
      '{"type":"customer","appUserId":"a","aliases":["a2"],"lastSeenAt":"2026-11-01T10:00:00Z"}\n',
    );
    const report = await fetchTo(path, ['a2']);
    expect(report).to.include({ customers: 3, before: 1, listed: 2, lookedUp: 0 });
    expect(namesIn(path)).to.deep.equal(['a', 'c', 'b']);
    expect(readingsOf('a')).to.equal(0);
  });

  it('do not keep the command running when the pages of the list repeat', async () => {
    const path = join(folder, 'endless.ndjson');
    fake.lists.set(
      '/customers',
      ['a', 'b', 'c', 'b', 'd'].map((id) => entry(id)),
    );
    fake.customers.set('d', {});
    const report = await fetchTo(path, ['d']);
    expect(report).to.include({ customers: 4, isEndless: true, listed: 3, lookedUp: 1 });
    expect(namesIn(path)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('are omitted when they were deleted after the list was read', async () => {
    const path = join(folder, 'deleted.ndjson');
    fake.lists.set('/customers', [entry('a'), entry('gone')]);
    fake.deleted.add('gone');
    expect(await fetchTo(path, [])).to.include({ customers: 1, listed: 1 });
    expect(namesIn(path)).to.deep.equal(['a']);
  });
});

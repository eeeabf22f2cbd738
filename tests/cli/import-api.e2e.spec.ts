// Customers of a RevenueCat project imported from its API at a terminal: a dry run, the run, and the same again.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { addCustomers } from '../fixtures/revenuecat/fake-customers.js';
import { PROJECT, startFakeRevenueCat, V2_KEY } from '../fixtures/revenuecat/fake-revenuecat.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('import revenuecat --from-api', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  const folder = mkdtempSync(join(tmpdir(), 'import-api-'));
  const file = join(folder, 'customers.ndjson');
  let fake: Awaited<ReturnType<typeof startFakeRevenueCat>>;
  before(async () => {
    fake = await startFakeRevenueCat();
    addCustomers(fake, 3);
  });
  after(() => fake.stop());
  after(() => rmSync(folder, { recursive: true }));

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const there = { REVENUECAT_API_KEY: V2_KEY, REVENUECAT_PROJECT_ID: PROJECT, REVENUECAT_API_URL: fake.url };
    const all = ['import', 'revenuecat', ...args, '--project', slice.projectId, '--json'];
    return subledger(all, { DATA_DIR: harness.dataDir, ...there, ...env });
  };

  it('imports customers, names and grants once, from a file that only its owner can read', async () => {
    const ids = join(folder, 'ids.txt');
    writeFileSync(ids, 'alice\nnobody\n');
    const check = await run(['--from-api', file, '--ids', ids]);
    expect(check.code, check.stderr).to.equal(0);
    expect(check.stderr).to.include('3 customers in the file: 3 of the list, 0 by their ids');
    expect(check.stderr).to.include('1 × ids that RevenueCat does not know: "nobody"');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const { digest, customers, aliases, grants } = JSON.parse(check.stdout);
    expect([customers, aliases, grants]).to.deep.equal([3, 1, 1]);
    const done = await run(['--from-api', file, '--confirm', digest]);
    expect(done.code, done.stderr).to.equal(0);
    expect(JSON.parse(done.stdout).events).to.include({ CustomerCreated: 4, CustomerMerged: 1, EntitlementGranted: 1 });
    const again = JSON.parse((await run(['--from-api', file])).stdout);
    expect(again.events).to.deep.equal({});
    const path = `/v1/projects/${slice.projectId}/customers/alice`;
    const { body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
    expect(body.firstSeenAt).to.equal('2026-01-05T10:00:00.000Z');
  });

  it('records the periods of android subscriptions, and reports what the API does not know enough about', async () => {
    const app = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    await harness.call('POST', `/v1/projects/${slice.projectId}/apps`, app, { token: slice.token });
    const { digest, transactions, problems } = JSON.parse((await run(['--from-api', file])).stdout);
    expect(transactions).to.deep.equal({ 'ios-store': 1, 'android-store': 3 });
    const counts = Object.fromEntries(
      problems.map(({ code, count }: { code: string; count: number }) => [code, count]),
    );
    expect(counts).to.include({ 'refund-time-missing': 1, 'first-transaction-missing': 1, unanchored: 1 });
    expect(counts['price-unknown']).to.equal(4);
    const missing = problems.filter(({ code }: { code: string }) => code.endsWith('-missing'));
    expect(missing.flatMap(({ examples }: { examples: unknown }) => examples)).to.deep.equal([
      { file: 'customers.ndjson', row: 2, detail: '2000000000000009' },
      { file: 'customers.ndjson', row: 7, detail: '2000000000000002' },
    ]);
    const { events } = JSON.parse((await run(['--from-api', file, '--confirm', digest])).stdout);
    expect(events).to.include({ SubscriptionStarted: 1, SubscriptionRenewed: 2 });
    expect(JSON.parse((await run(['--from-api', file])).stdout).events).to.deep.equal({});
  });

  it('names what is missing: files, or the key', async () => {
    const bare = await run([]);
    expect([bare.code, bare.stderr]).to.deep.equal([2, 'give files, or --from-api FILE\n']);
    const alone = await run(['some.csv', '--ids', 'ids.txt']);
    expect([alone.code, alone.stderr]).to.deep.equal([2, '--ids belongs to --from-api FILE\n']);
    const path = join(folder, 'other.ndjson');
    const { code, stderr } = await run(['--from-api', path], { REVENUECAT_API_KEY: '' });
    expect([code, stderr.split(';')[0]]).to.deep.equal([1, 'REVENUECAT_API_KEY is not set']);
  });
});

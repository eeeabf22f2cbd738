// Reports that a command has fetched from the server of a store.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '#simulator/ios-store/api-server.js';
import { reportKey } from '#simulator/ios-store/report-server.js';
import { writeFinanceDetail } from '#simulator/store-reports.js';
import { setUpProject, startHarness, type Harness, type Slice } from '../http/support/harness.js';
import { iosKey } from '../http/support/store-credentials.js';
import { subledger } from './command-line.js';

const VENDOR = '81234567';
const sale = {
  ...{ sku: 'pro', country: 'US', quantity: 1, price: '1.00', currency: 'USD', share: '0.85', shareCurrency: 'USD' },
  ...{ extendedShare: '0.85', day: '2026-10-05', settledOn: '2026-10-06', isReturn: false },
};

describe('subledger books fetch', function () {
  this.timeout(120_000);
  let store: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  before(async () => {
    store = await startIosStore({});
    store.reports.vendorNumbers.add(VENDOR);
    const report = gzipSync(writeFinanceDetail([sale], { startDate: '2026-09-27', endDate: '2026-10-31' }));
    store.reports.reports.set(reportKey(VENDOR, 'FINANCE_DETAIL', '2027-01'), report);
    harness = await startHarness(store.settings, { now: () => Date.parse('2026-11-20T10:00:00Z') + performance.now() });
    slice = await setUpProject(harness);
  });
  after(async () => {
    await harness.stop();
    await store.close();
  });
  const run = (...args: readonly string[]) =>
    subledger(['books', 'fetch', '--project', slice.projectId, ...args], {
      SUBLEDGER_URL: harness.service().url ?? '',
      SUBLEDGER_API_KEY: slice.secretKey,
    });

  it('says what is missing, and what is new once it is there', async () => {
    const none = await run();
    expect([none.code, none.stderr]).to.deep.equal([
      1,
      'no reports are fetched for it; register a report source of an app first\n',
    ]);
    const source = { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey(), vendorNumber: VENDOR };
    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/report-source/ios-store`;
    await harness.call('POST', path, source, { key: slice.secretKey });
    await harness.service().idle();
    const refused = await run();
    expect(refused.code).to.equal(1);
    expect(refused.stdout).to.match(/not fetched: the ios-store refused the key/);
    expect(refused.stderr).to.include('the reports of 1 of 1 apps were not fetched');
    store.reports.accountKeys.set('KEY1', { issuerId: 'issuer', privateKey: iosKey(), role: 'Finance' });
    const fetched = await run('--from', '2026-10');
    expect(fetched.stdout, fetched.stderr)
      .to.include(`${slice.appId}, ios-store, ${VENDOR}: 1 new reports, 0 unchanged`)
      .and.include('  2026-10  81234567_1026_Z1.txt.gz');
    expect((await run('--json', '--app', slice.appId)).stdout).to.include('"unchanged": 1');
    expect((await run('--from', 'May')).stderr).to.include('May is no month');
  });
});

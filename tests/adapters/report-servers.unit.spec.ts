// The clients of both stores' report servers: what they ask for, what they name as missing, and their bounds of bytes, time and pages.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startAndroidStore, type SimulatedAndroidStore } from '#simulator/android-store/server.js';
import { startIosStore, type SimulatedIosStore } from '#simulator/ios-store/api-server.js';
import { reportKey } from '#simulator/ios-store/report-server.js';
import { createStoreAccessTokens } from '../../src/adapters/android-store/access-tokens.js';
import { createAndroidReports, REPORT_SCOPE } from '../../src/adapters/android-store/report-bucket.js';
import { createIosReports } from '../../src/adapters/ios-store/finance-reports.js';
import { createOutbound } from '../../src/adapters/outbound/undici.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { ReportsRefused, StoreUnavailable } from '../../src/domain/errors.js';
import { anotherIosKey, anotherRsaKey, iosKey } from '../http/support/store-credentials.js';

const never = new AbortController().signal;
const VENDOR = '81234567';
const BUCKET = 'pubsite_prod_rev_0123';
const small = { timeoutMs: 300, maxResponseBytes: 1000 };
const runtime = systemRuntime();

/** Returns the name of what the store refused, of the class of the error, or the result. */
async function outcomeOf(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof ReportsRefused) return err.problem;
    return err instanceof StoreUnavailable ? 'StoreUnavailable' : err;
  }
}

describe("the ios-store's report server", () => {
  let store: SimulatedIosStore;
  let outbound: ReturnType<typeof createOutbound>;
  beforeEach(async () => {
    store = await startIosStore({ PURCHASES: iosKey() });
    store.reports.accountKeys.set('KEY1', { issuerId: 'issuer', privateKey: iosKey(), role: 'Finance' });
    store.reports.accountKeys.set('SALES', { issuerId: 'issuer', privateKey: iosKey(), role: 'Sales' });
    store.reports.vendorNumbers.add(VENDOR);
    outbound = createOutbound({
      egress: { allowHttp: false, allowCidrs: [] },
      trusted: [store.settings['IOS_STORE_REPORTS_URL'] ?? ''],
    });
  });
  afterEach(async () => {
    await outbound.close();
    await store.close();
  });
  const key = { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() };
  const ask = (o: { key?: object; vendorNumber?: string; bounds?: typeof small; signal?: AbortSignal } = {}) => {
    const baseUrl = store.settings['IOS_STORE_REPORTS_URL'] ?? '';
    const reports = createIosReports({ outbound, baseUrl, runtime, ...(o.bounds && { bounds: o.bounds }) });
    const request = { type: 'FINANCE_DETAIL' as const, fiscalMonth: '2026-10', vendorNumber: o.vendorNumber ?? VENDOR };
    return outcomeOf(reports.report({ ...key, ...o.key }, request, o.signal ?? never));
  };

  it('gives the report of a fiscal month, and nothing before it is published', async () => {
    expect(await ask()).to.equal(null);
    const file = gzipSync('a report');
    store.reports.reports.set(reportKey(VENDOR, 'FINANCE_DETAIL', '2026-10'), file);
    expect(await ask()).to.deep.equal(file);
  });

  for (const [what, o, problem] of [
    ['another private key', { key: { privateKey: anotherIosKey() } }, 'key_refused'],
    ['an unknown key ID', { key: { keyId: 'KEY9' } }, 'key_refused'],
    ['the key of purchases', { key: { keyId: 'PURCHASES' } }, 'key_refused'],
    ['a key of another role', { key: { keyId: 'SALES' } }, 'role_missing'],
    ['an unknown vendor number', { vendorNumber: '1' }, 'vendor_unknown'],
  ] as const) {
    it(`refuses ${what} as ${problem}`, async () => {
      expect(await ask(o)).to.equal(problem);
    });
  }

  it('names an agreement that nobody signed', async () => {
    const error = { code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', detail: 'x' };
    store.reports.setReportFault({ status: 403, body: { errors: [error] } });
    expect(await ask()).to.equal('agreement_missing');
  });

  for (const [fault, outcome] of [
    ['hanging', 'StoreUnavailable'],
    ['endless', 'report_too_large'],
    [{ status: 503 }, 'StoreUnavailable'],
    [{ status: 429 }, 'StoreUnavailable'],
    [{ status: 418, body: 'no JSON' }, 'unavailable'],
    [{ status: 403, body: null }, 'role_missing'],
  ] as const) {
    it(`is bounded: ${JSON.stringify(fault)} is ${outcome}`, async () => {
      store.reports.setReportFault(fault);
      expect(await ask({ bounds: small })).to.equal(outcome);
    });
  }

  it('is not waited for in silence longer than it may be silent', async () => {
    store.reports.setReportFault('hanging');
    const bounds = { timeoutMs: 60_000, silenceMs: 200, maxResponseBytes: 1000 };
    expect(await ask({ bounds })).to.equal('StoreUnavailable');
  });

  it('is left at once when the look ends', async () => {
    store.reports.setReportFault('hanging');
    const ending = new AbortController();
    const reason = new Error('the look ended');
    const asked = ask({ signal: ending.signal });
    ending.abort(reason);
    expect(await asked).to.equal(reason);
  });
});

describe("the android-store's bucket of reports", () => {
  let store: SimulatedAndroidStore;
  let outbound: ReturnType<typeof createOutbound>;
  beforeEach(async () => {
    store = await startAndroidStore('com.example.a');
    const trusted = Object.values(store.settings);
    outbound = createOutbound({ egress: { allowHttp: false, allowCidrs: [] }, trusted });
  });
  afterEach(async () => {
    await outbound.close();
    await store.close();
  });
  const open = (scope = REPORT_SCOPE, bounds?: typeof small) => {
    const tokenUrl = store.settings['ANDROID_STORE_TOKEN_URL'] ?? '';
    const accessTokens = createStoreAccessTokens({ outbound, tokenUrl, scope, runtime });
    const baseUrl = store.settings['ANDROID_STORE_REPORTS_URL'] ?? '';
    return createAndroidReports({ outbound, accessTokens, baseUrl, ...(bounds && { bounds }) });
  };
  const owner = (privateKey?: string) => {
    const { client_email: clientEmail, private_key, private_key_id: privateKeyId } = store.identity.keyFile();
    return { projectId: 'p', account: { clientEmail, privateKey: privateKey ?? private_key, privateKeyId } };
  };
  const put = (name: string, content = 'x') => store.reports.putReport(BUCKET, name, Buffer.from(content));

  it('lists the files of a month over several pages, and gives their content', async () => {
    const names = [1, 2, 3, 4, 5].map((n) => `earnings/earnings_202610_1-${n}.zip`);
    for (const name of [...names, 'earnings/earnings_202609_1-1.zip', 'sales/salesreport_202610.zip']) put(name, name);
    const reports = open();
    const found = await reports.list(owner(), BUCKET, 'earnings/earnings_202610', never);
    expect(found.map(({ name }) => name)).to.deep.equal(names);
    const [first] = found;
    expect(first?.size).to.equal(names[0]?.length);
    expect(first && (await reports.download(owner(), BUCKET, first, never))?.toString()).to.equal(names[0]);
  });

  it('stops reading an endless list', async () => {
    for (let n = 0; n < 40; n++) put(`sales/salesreport_202610_${n}.zip`);
    await open().list(owner(), BUCKET, 'sales/', never);
    expect(store.reports.bucketRequests).to.have.length(5);
  });

  it('has no content of a file that was replaced since', async () => {
    put('sales/salesreport_202610.zip');
    const reports = open();
    const [file] = await reports.list(owner(), BUCKET, 'sales/', never);
    put('sales/salesreport_202610.zip', 'newer');
    expect(file && (await reports.download(owner(), BUCKET, file, never))).to.equal(null);
  });

  it('has another scope than purchases', async () => {
    put('sales/salesreport_202610.zip');
    const purchases = open('https://www.googleapis.com/auth/androidpublisher');
    expect(await outcomeOf(purchases.list(owner(), BUCKET, 'sales/', never))).to.equal('bucket_forbidden');
  });

  it('takes a new token when one was revoked', async () => {
    put('sales/salesreport_202610.zip');
    const reports = open();
    await reports.list(owner(), BUCKET, 'sales/', never);
    store.revokeAccessTokens();
    expect(await reports.list(owner(), BUCKET, 'sales/', never)).to.have.length(1);
  });

  it('names what is missing', async () => {
    expect(await outcomeOf(open().list(owner(), 'pubsite_prod_1', 'sales/', never))).to.equal('bucket_unknown');
    expect(await outcomeOf(open().list(owner(anotherRsaKey()), BUCKET, 'sales/', never))).to.equal('key_refused');
    store.reports.setReportFault({ status: 403 });
    expect(await outcomeOf(open().list(owner(), BUCKET, 'sales/', never))).to.equal('bucket_forbidden');
  });

  for (const [fault, outcome] of [
    ['hanging', 'StoreUnavailable'],
    ['endless', 'report_too_large'],
    [{ status: 500 }, 'StoreUnavailable'],
  ] as const) {
    it(`is bounded: ${JSON.stringify(fault)} is ${outcome}`, async () => {
      put('sales/salesreport_202610.zip');
      const reports = open(REPORT_SCOPE, small);
      const [file] = await reports.list(owner(), BUCKET, 'sales/', never);
      store.reports.setReportFault(fault);
      expect(file && (await outcomeOf(reports.download(owner(), BUCKET, file, never)))).to.equal(outcome);
    });
  }
});

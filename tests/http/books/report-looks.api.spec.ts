// Reports that are fetched from the stores' servers, where an app has a report source: each day, once, in bounds, and with what is missing in
// words.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startAndroidStore, type SimulatedAndroidStore } from '#simulator/android-store/server.js';
import { startIosStore, type SimulatedIosStore } from '#simulator/ios-store/api-server.js';
import { reportKey } from '#simulator/ios-store/report-server.js';
import { writeEarnings, writeFinanceDetail, writeFinancial, writeSales } from '#simulator/store-reports.js';
import { dueSources } from '../../../src/commands/books/report-sources.js';
import { lookForReports } from '../../../src/commands/books/look-for-reports.js';
import { setUpProject, startHarness, type Harness, type Json, type Slice } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefused, headOf } from '../support/refusal.js';
import { anotherIosKey, iosKey, serviceAccount } from '../support/store-credentials.js';
import { newMember } from '../support/team.js';
import { zipOf } from '../support/zip.js';

const MIN_MS = 60_000;
const DAY_MS = 86_400_000;
const VENDOR = '81234567';
const BUCKET = 'pubsite_prod_rev_01234567890987654321';
const PACKAGE = 'com.example.stargazer';
const START = Date.parse('2026-11-20T18:00:00.000Z');

describe('reports of the stores’ servers', () => {
  const clock = createManualClock(START);
  let harness: Harness;
  let ios: SimulatedIosStore;
  let android: SimulatedAndroidStore;
  let slice: Slice;
  let as: { key: string };
  let base: string;
  let androidApp: string;

  before(async () => {
    ios = await startIosStore({ PURCHASES: iosKey() });
    ios.reports.accountKeys.set('KEY1', { issuerId: 'issuer', privateKey: iosKey(), role: 'Finance' });
    ios.reports.accountKeys.set('SALES', { issuerId: 'issuer', privateKey: iosKey(), role: 'Sales' });
    ios.reports.vendorNumbers.add(VENDOR);
    android = await startAndroidStore(PACKAGE);
    harness = await startHarness({ ...ios.settings, ...android.settings, LOG_LEVEL: 'silent' }, clock.runtime);
  });
  after(async () => {
    await harness.stop();
    await ios.close();
    await android.close();
  });
  beforeEach(async () => {
    clock.set(START);
    ios.reports.reports.clear();
    ios.reports.reportRequests.length = 0;
    ios.reports.setReportFault(null);
    android.reports.buckets.clear();
    android.reports.bucketRequests.length = 0;
    android.reports.setReportFault(null);
    slice = await setUpProject(harness);
    as = { key: slice.secretKey };
    base = `/v1/projects/${slice.projectId}`;
    const app = { name: 'A', platform: 'android', packageName: PACKAGE };
    androidApp = (await harness.call('POST', `${base}/apps`, app, as)).body.id;
  });
  afterEach(async () => {
    await harness.call('DELETE', base, undefined, { token: slice.token });
  });

  const call = async (method: string, path: string, body?: object, by: object = as): Promise<Json> =>
    (await harness.call(method, `${base}${path}`, body, by)).body;
  const iosSource = (fields: object = {}) => ({
    ...{ issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey(), vendorNumber: VENDOR },
    ...fields,
  });
  const pathOf = (appId: string, kind: string) => `/apps/${appId}/report-source/${kind}`;
  const register = (fields: object = {}) => call('POST', pathOf(slice.appId, 'ios-store'), iosSource(fields));
  const registerBucket = async () => {
    const account = { serviceAccountJson: android.identity.keyFile() };
    await call('POST', `/apps/${androidApp}/credentials/android-store`, account);
    return call('POST', pathOf(androidApp, 'android-store'), { bucket: BUCKET });
  };
  const look = async (afterMs = 0): Promise<Json> => {
    clock.set(clock.now() + afterMs);
    await harness.service().idle();
    const [source] = (await call('GET', '/books/sources')).items as readonly Json[];
    return source;
  };
  const reports = async () =>
    ((await call('GET', '/books/reports')).items as readonly Json[]).map(({ kind, month, isCounted, account }) => {
      return `${kind} ${month} ${account}${isCounted ? '' : ' uncounted'}`;
    });

  const sale = (quantity: number) => ({
    ...{ sku: 'pro', country: 'US', quantity, price: '1.00', currency: 'USD', share: '0.85', shareCurrency: 'USD' },
    ...{ extendedShare: (0.85 * quantity).toFixed(2), day: '2026-10-05', settledOn: '2026-10-06', isReturn: false },
  });
  const period = { startDate: '2026-09-27', endDate: '2026-10-31' };
  const detail = (quantity = 1) => writeFinanceDetail([sale(quantity)], period);
  /** October of 2026 is the first month of the store's year 2027. Each download is compressed anew, with other bytes. */
  const publish = (text: string, type: 'FINANCE_DETAIL' | 'FINANCIAL' = 'FINANCE_DETAIL', level = 9) =>
    ios.reports.reports.set(reportKey(VENDOR, type, '2027-01'), gzipSync(text, { level }));
  const earnings = (amount: string, month = '2026-10') =>
    zipOf(
      'PlayApps.csv',
      writeEarnings([
        {
          ...{ orderId: 'GPA.1-1-1-1', day: `${month}-05`, type: 'Charge', packageName: PACKAGE, sku: 'pro' },
          ...{ country: 'US', currency: 'USD', amount, merchantCurrency: 'USD', merchantAmount: amount },
        },
      ]),
    );
  const sales = (charged: string, month = '2026-10') =>
    zipOf(
      'salesreport.csv',
      writeSales([
        {
          ...{ orderId: 'GPA.1-1-1-1', chargedAt: `${month}-05T10:00:00Z`, status: 'Charged', packageName: PACKAGE },
          ...{ sku: 'pro', country: 'US', currency: 'USD', price: charged, tax: '0.00', charged },
        },
      ]),
    );

  describe('of the ios-store', () => {
    it('are added when the source is registered, and no key is shown', async () => {
      publish(detail());
      const registered = await register();
      expect(registered).to.deep.include({ object: 'report_source', account: VENDOR, keyId: 'KEY1', lastLook: null });
      const { lastLook, nextLookAt } = await look();
      expect(await reports()).to.deep.equal([`finance_detail 2026-10 ${VENDOR}`]);
      expect(lastLook.problem).to.equal(null);
      expect(lastLook.added).to.have.length(1);
      expect(lastLook.added[0]).to.include({ fileName: '81234567_1026_Z1.txt.gz', month: '2026-10' });
      expect(lastLook.unpublished).to.have.members(['2026-11', '2026-09', '2026-08']);
      expect(nextLookAt).to.equal(new Date(clock.now() + DAY_MS).toISOString());
      // A month without a detail report is asked for without days, and nothing else is asked for.
      expect(ios.reports.reportRequests).to.deep.equal([
        ...['FINANCE_DETAIL 2027-02', 'FINANCIAL 2027-02', 'FINANCE_DETAIL 2027-01', 'FINANCE_DETAIL 2026-12'],
        ...['FINANCIAL 2026-12', 'FINANCE_DETAIL 2026-11', 'FINANCIAL 2026-11'],
      ]);
    });

    it('are fetched each day, and the same report with other bytes changes nothing', async () => {
      await register();
      expect((await look()).lastLook).to.deep.include({ added: [], problem: null });
      publish(detail());
      expect((await look(DAY_MS - 1)).lastLook.added, 'too early').to.deep.equal([]);
      expect((await look(1)).lastLook.added).to.have.length(1);
      publish(detail(), 'FINANCE_DETAIL', 1);
      const head = await headOf(harness);
      expect((await look(DAY_MS)).lastLook).to.deep.include({ added: [], unchanged: 1 });
      expect(await headOf(harness)).to.equal(head);
    });

    it('are those of an upload: the same text is added once, whichever comes first', async () => {
      publish(detail());
      const url = `${harness.service().url ?? ''}${base}/books/reports?fileName=a.txt&account=${VENDOR}`;
      const upload = async () =>
        (await fetch(url, { method: 'POST', headers: { 'x-api-key': as.key }, body: detail() })).json();
      expect(((await upload()) as Json).isRepeat).to.equal(false);
      await register();
      expect((await look()).lastLook).to.deep.include({ added: [], unchanged: 1 });
      expect(((await upload()) as Json).isRepeat).to.equal(true);
      expect(await reports()).to.have.length(1);
    });

    it('are replaced by a restated one', async () => {
      publish(detail());
      await register();
      await look();
      publish(detail(2));
      expect((await look(DAY_MS)).lastLook.added).to.have.length(1);
      const counted = `finance_detail 2026-10 ${VENDOR}`;
      expect(await reports()).to.have.members([counted, `${counted} uncounted`]);
    });

    it('have no days where the store has no detail', async () => {
      publish(writeFinancial([sale(1)], period), 'FINANCIAL');
      await register();
      expect((await look()).lastLook.added[0].fileName).to.equal('81234567_1026_ZZ.txt.gz');
      expect(await reports()).to.deep.equal([`financial 2026-10 ${VENDOR}`]);
    });

    for (const [what, fields, code, words] of [
      ['a key without the role', { keyId: 'SALES' }, 'role_missing', 'Finance'],
      ['a revoked key', { privateKey: anotherIosKey() }, 'key_refused', 'revoked'],
      ['the vendor number of another account', { vendorNumber: '89999999' }, 'vendor_unknown', 'vendor number'],
    ] as const) {
      it(`that ${what} may not read are named, and tried again less and less often`, async () => {
        await register(fields);
        const { lastLook, nextLookAt } = await look();
        expect(lastLook.problem.code).to.equal(code);
        expect(lastLook.problem.message).to.include(words);
        expect(Date.parse(nextLookAt) - clock.now()).to.equal(15 * MIN_MS);
        const tries = ios.reports.reportRequests.length;
        await look(15 * MIN_MS - 1);
        expect(ios.reports.reportRequests.length, 'too early').to.equal(tries);
        expect(Date.parse((await look(1)).nextLookAt) - clock.now()).to.equal(30 * MIN_MS);
        // Whoever mends it need not wait.
        publish(detail());
        await register();
        expect((await look()).lastLook).to.deep.include({ problem: null });
        expect(await reports()).to.have.length(1);
      });
    }

    it('are not blamed on the vendor number where only some months have none', async () => {
      publish(detail());
      await register();
      await look();
      ios.reports.setReportFault({ status: 400, body: { errors: [{ detail: 'Invalid vendor number specified.' }] } });
      expect((await look(DAY_MS)).lastLook.problem.code, 'all months').to.equal('vendor_unknown');
    });

    for (const [what, fault, code] of [
      ['cut off', 'cut', 'report_unreadable'],
      ['not text', { status: 200, body: { not: 'a report' } }, 'report_unreadable'],
      ['endless', 'endless', 'report_too_large'],
      ['refused by a busy server', { status: 503 }, 'unavailable'],
    ] as const) {
      it(`that are ${what} add nothing, and are fetched when that has passed`, async () => {
        publish(detail(50));
        ios.reports.setReportFault(fault);
        await register();
        expect((await look()).lastLook.problem.code).to.equal(code);
        expect(await reports()).to.deep.equal([]);
        ios.reports.setReportFault(null);
        expect((await look(15 * MIN_MS)).lastLook).to.deep.include({ problem: null });
        expect(await reports()).to.have.length(1);
      });
    }

    it('are looked for on request, from an older month on', async () => {
      await register();
      await look();
      ios.reports.reportRequests.length = 0;
      await call('POST', '/books/look', { from: '2026-01' });
      await look();
      expect(ios.reports.reportRequests.filter((one) => one.startsWith('FINANCE_DETAIL'))).to.have.length(11);
      const day = ios.reports.reportRequests.length;
      await look(DAY_MS);
      expect(ios.reports.reportRequests.length - day, 'a daily look again').to.equal(8);
    });

    it('are looked for on request only within bounds, and where there is a source', async () => {
      const ask = (body: object) => harness.call('POST', `${base}/books/look`, body, as);
      await expectRefused(harness, () => ask({}), 404);
      await register();
      for (const from of ['2024-11', '2026-12', '2026-13', 'x']) await expectRefused(harness, () => ask({ from }), 400);
      await expectRefused(harness, () => ask({ appId: androidApp }), 404);
    });

    it('are no longer fetched when the source, the app or the project is gone', async () => {
      publish(detail());
      await register();
      await call('DELETE', `/apps/${slice.appId}/report-source`);
      expect(await look()).to.equal(undefined);
      await register();
      await call('DELETE', `/apps/${slice.appId}`);
      expect(await look()).to.equal(undefined);
      expect(ios.reports.reportRequests).to.deep.equal([]);
      const other = await setUpProject(harness);
      const theirs = `/v1/projects/${other.projectId}`;
      await harness.call('POST', `${theirs}${pathOf(other.appId, 'ios-store')}`, iosSource(), { key: other.secretKey });
      await harness.call('DELETE', theirs, undefined, { token: other.token });
      clock.set(clock.now() + DAY_MS);
      await harness.service().idle();
      expect(ios.reports.reportRequests).to.deep.equal([]);
    });

    it('are fetched again after an end between the download and the books', async () => {
      publish(detail());
      await register();
      const { deps, reportFiles } = harness.service().services;
      // The process ends where the file would be read.
      const ending = { read: () => new Promise<never>(() => undefined) };
      for await (const [due] of dueSources(deps))
        if (due) void lookForReports(deps, ending, due, new AbortController().signal);
      while (ios.reports.reportRequests.length < 3) await new Promise((resolve) => setImmediate(resolve));
      await look();
      expect(
        await reports(),
        'not at once, so that a look that ends the process is not repeated at once',
      ).to.deep.equal([]);
      await look(15 * MIN_MS);
      expect(await reports()).to.have.length(1);
      expect(reportFiles).not.to.equal(ending);
    });

    it('are looked for by one of two processes', async () => {
      publish(detail());
      await register();
      const { deps, reportFiles } = harness.service().services;
      const due = [];
      for await (const page of dueSources(deps)) due.push(...page);
      const signal = new AbortController().signal;
      const looks = await Promise.all([...due, ...due].map((one) => lookForReports(deps, reportFiles, one, signal)));
      expect(looks.filter((one) => one !== null)).to.have.length(1);
      await harness.service().idle();
      expect(await reports()).to.have.length(1);
    });

    it('are all read by a look during which somebody asks for another, which follows', async () => {
      publish(detail());
      await register();
      const { deps, reportFiles } = harness.service().services;
      const asking: typeof reportFiles = {
        read: async (content, onRow) => {
          clock.set(clock.now() + 1);
          await call('POST', '/books/look', {});
          return reportFiles.read(content, onRow);
        },
      };
      for await (const [due] of dueSources(deps))
        if (due) await lookForReports(deps, asking, due, new AbortController().signal);
      const [first] = (await call('GET', '/books/sources')).items as readonly Json[];
      expect(first.lastLook.added).to.have.length(1);
      expect(first.nextLookAt).to.equal(new Date(clock.now()).toISOString());
      const next = await look();
      expect(next.lastLook).to.deep.include({ added: [], unchanged: 1 });
      expect(next.nextLookAt).to.equal(new Date(clock.now() + DAY_MS).toISOString());
    });

    it('end with the service, even while the server of the store is silent', async () => {
      ios.reports.setReportFault('hanging');
      await register();
      const { deps, reportFiles } = harness.service().services;
      const ending = new AbortController();
      for await (const [due] of dueSources(deps)) {
        if (!due) continue;
        const looking = lookForReports(deps, reportFiles, due, ending.signal);
        while (ios.reports.reportRequests.length === 0) await new Promise((resolve) => setImmediate(resolve));
        ending.abort(new Error('the service ends'));
        const failure = await looking.then(
          () => null,
          (err: unknown) => err,
        );
        expect(failure).to.equal(ending.signal.reason);
      }
    });
  });

  describe('of the android-store', () => {
    const put = (name: string, content: Buffer) => android.reports.putReport(BUCKET, name, content);

    it('are the earnings of each profile, and sales only of months without earnings', async () => {
      put('earnings/earnings_202610_1234567890-1.zip', earnings('9.99'));
      put('earnings/earnings_202610_777-1.zip', earnings('8.99'));
      put('earnings/notes.txt', Buffer.from('x'));
      put('sales/salesreport_202610.zip', sales('9.99'));
      put('sales/salesreport_202611.zip', sales('9.99', '2026-11'));
      await registerBucket();
      expect((await look()).lastLook).to.deep.include({ problem: null });
      expect(await reports()).to.have.members([
        'earnings 2026-10 1234567890',
        'earnings 2026-10 777',
        'sales 2026-11 all',
      ]);
    });

    it('are downloaded once, and again when they change; those of the running month once a week', async () => {
      put('earnings/earnings_202610_1-1.zip', earnings('9.99'));
      put('sales/salesreport_202611.zip', sales('1.00', '2026-11'));
      await registerBucket();
      await look();
      const downloads = () => android.reports.bucketRequests.filter((one) => one.includes('alt=media')).length;
      expect(downloads()).to.equal(2);
      await look(DAY_MS);
      expect(downloads(), 'unchanged').to.equal(2);
      put('earnings/earnings_202610_1-1.zip', earnings('8.99'));
      put('sales/salesreport_202611.zip', sales('2.00', '2026-11'));
      expect((await look(DAY_MS)).lastLook.added).to.have.length(1);
      expect(await reports()).to.include('earnings 2026-10 1 uncounted');
      await look(5 * DAY_MS);
      expect(downloads()).to.equal(4);
    });

    for (const [what, prepare, code, words] of [
      ['without a service account', () => undefined, 'credentials_missing', 'service account'],
      ['without a bucket of that name', () => android.reports.buckets.clear(), 'bucket_unknown', BUCKET],
      [
        'without the permission',
        () => android.reports.setReportFault({ status: 403 }),
        'bucket_forbidden',
        'financial',
      ],
    ] as const) {
      it(`${what} are named`, async () => {
        if (code === 'credentials_missing') await call('POST', pathOf(androidApp, 'android-store'), { bucket: BUCKET });
        else await registerBucket();
        prepare();
        const { lastLook } = await look();
        expect(lastLook.problem.code).to.equal(code);
        expect(lastLook.problem.message).to.include(words);
      });
    }

    it('that cannot be read do not hold up the others', async () => {
      put('earnings/earnings_202610_1-1.zip', Buffer.from('PK no archive'));
      put('earnings/earnings_202610_2-1.zip', earnings('9.99'));
      await registerBucket();
      const { lastLook } = await look();
      expect(lastLook.problem.code).to.equal('report_unreadable');
      expect(await reports()).to.deep.equal(['earnings 2026-10 2']);
    });

    it('come from the bucket whose address the store’s console copies', async () => {
      const path = pathOf(androidApp, 'android-store');
      const copied = await call('POST', path, { bucket: `gs://${BUCKET}/earnings/` });
      expect(copied).to.include({ account: BUCKET, keyId: null });
    });
  });

  it('need a source that can be right', async () => {
    const ask = (appId: string, kind: string, body: object) => () =>
      harness.call('POST', `${base}${pathOf(appId, kind)}`, body, as);
    const rsa = String(serviceAccount()['private_key']);
    for (const fields of [
      { privateKey: rsa },
      { privateKey: 'x' },
      { vendorNumber: 'Ann' },
      { keyId: '' },
      { role: 'x' },
    ])
      await expectRefused(harness, ask(slice.appId, 'ios-store', iosSource(fields)), 400);
    for (const bucket of [
      '',
      'mine',
      '../pubsite_prod_1',
      'pubsite_prod_rev_1?x',
      'https://example.com/pubsite_prod_1',
    ])
      await expectRefused(harness, ask(androidApp, 'android-store', { bucket }), 400);
    await expectRefused(harness, ask(androidApp, 'ios-store', iosSource()), 400);
    await expectRefused(harness, ask('app_none', 'ios-store', iosSource({ privateKey: 'x' })), 404);
    await expectRefused(
      harness,
      () => harness.call('DELETE', `${base}/apps/${slice.appId}/report-source`, undefined, as),
      404,
    );
  });

  it('are of one project alone, and their state is for everybody who may see money', async () => {
    publish(detail());
    await register();
    await look();
    const other = await setUpProject(harness);
    const theirs = await harness.call('GET', `/v1/projects/${other.projectId}/books/sources`, undefined, {
      key: other.secretKey,
    });
    expect(theirs.body.items).to.deep.equal([]);
    expect((await harness.call('GET', `${base}/books/sources`, undefined, { key: other.secretKey })).status).to.equal(
      403,
    );
    const finance = await newMember(harness.call, slice.projectId, slice.token, 'finance');
    const by = { token: finance.token };
    const [source] = (await call('GET', '/books/sources', undefined, by)).items as readonly Json[];
    expect(source.lastLook.added).to.have.length(1);
    expect(JSON.stringify(source)).not.to.include('PRIVATE');
    const refused = await harness.call('POST', `${base}${pathOf(slice.appId, 'ios-store')}`, iosSource(), by);
    expect(refused.status).to.equal(403);
  });

  it('leave no key in the clear, and an entry in the audit for who registered them', async () => {
    await register();
    await register();
    await register({ vendorNumber: '89999999' });
    await call('DELETE', `/apps/${slice.appId}/report-source`);
    await harness.service().idle();
    const audit = (await call('GET', '/audit?limit=100', undefined, { token: slice.token })).items as readonly Json[];
    const entries = audit.filter(({ target }) => target.kind === 'reportSource');
    expect(entries.map(({ action }) => action)).to.deep.equal([
      ...['ReportSourceDeleted', 'ReportSourceRegistered', 'ReportSourceRegistered'],
    ]);
    expect(entries[1]?.after).to.include({ account: '89999999' });
    expect(JSON.stringify(audit)).not.to.include(iosKey().split('\n')[1]);
  });
});

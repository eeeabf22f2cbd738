// Comparisons with RevenueCat at a terminal, beside a running service and a server that answers as RevenueCat does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECT, startFakeRevenueCat, V1_KEY, V2_KEY } from '../fixtures/revenuecat/fake-revenuecat.js';
import { MONTHLY, notification } from '../http/support/harness.js';
import { setUpService } from '../http/support/setup.js';
import { startSubledger, subledger } from './command-line.js';
import { poll } from '../fixtures/poll.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

describe('comparison with RevenueCat', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  const folder = mkdtempSync(join(tmpdir(), 'subledger-compare-'));
  const now = Date.now();
  const [bought, ends] = [now - 5 * DAY_MS, now + 25 * DAY_MS];
  let fake: Awaited<ReturnType<typeof startFakeRevenueCat>>;
  before(async () => {
    fake = await startFakeRevenueCat();
    fake.lists.set('/entitlements', [{ id: 'entl1', lookup_key: 'pro', display_name: 'Pro' }]);
    for (const [i, id] of ['equal', 'later', 'only-here'].entries()) {
      const transaction = {
        ...{ transactionId: `${i}1`, originalTransactionId: `${i}1`, productId: MONTHLY },
        ...{ purchaseDate: bought, expiresDate: ends, price: 9990, currency: 'USD' },
      };
      const body = notification({ notificationType: 'SUBSCRIBED', signedDate: bought, transaction });
      expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
      await claim(id, body);
    }
    await harness.service().idle();
    const month = (end: number) => ({ endsAt: iso(end), productId: MONTHLY, store: 'app_store' });
    fake.customers.set('equal', { pro: month(ends + HOUR_MS / 2) });
    fake.customers.set('later', { pro: month(ends + 30 * DAY_MS) });
    fake.customers.set('only-here', {});
    fake.customers.set('missing', { pro: month(ends) });
    fake.customers.set('web', { pro: { ...month(ends), store: 'stripe' } });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await fake.stop();
  });

  /** The customer sends the receipt of the purchase. */
  async function claim(appUserId: string, body: { readonly signedPayload: string }): Promise<void> {
    const [, payload = ''] = body.signedPayload.split('.');
    const { data } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const receipt = { store: 'ios-store', receipt: data.signedTransactionInfo };
    const path = `/v1/subscribers/${appUserId}/receipts`;
    const sent = await harness.call('POST', path, receipt, { key: slice.secretKey });
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
  }

  const fileOf = (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };
  const env = (more: Record<string, string> = {}) => ({
    ...{ DATA_DIR: harness.dataDir, REVENUECAT_API_URL: fake.url },
    ...{ REVENUECAT_API_KEY: V2_KEY, REVENUECAT_PROJECT_ID: PROJECT, ...more },
  });
  const access = (ids: string, ...rest: string[]) => [
    ...['compare', 'access', '--project', slice.projectId, '--ids', ids],
    ...rest,
  ];

  it('lists each difference of access with its class and customer, and exits with 1', async () => {
    const ids = fileOf('all.txt', ['\uFEFFequal', 'later', '', 'only-here\r', 'missing', 'web', 'nobody', 'equal']);
    for (const version of ['v1', 'v2']) {
      const own = version === 'v1' ? { REVENUECAT_API_KEY: V1_KEY, REVENUECAT_PROJECT_ID: '' } : {};
      const { code, stdout, stderr } = await subledger(access(ids, '--json'), env(own));
      expect(code, stderr).to.equal(1);
      const { differences, customers, equal, unknownToBoth, unknownHere, losingAccess, unexplained } =
        JSON.parse(stdout);
      const found = differences.map((d: { appUserId: string; class: string }) => [d.appUserId, d.class]);
      expect(found, version).to.have.deep.members([
        ['later', 'end_differs'],
        ['only-here', 'only_here'],
        ['missing', 'unknown_here'],
        ['web', 'other_store'],
      ]);
      // RevenueCat's v1 has created the customer that nobody knew.
      expect({ customers, equal, unknownHere, unexplained, losingAccess }).to.deep.equal({
        ...{ customers: 6, equal: 2, unknownHere: 2, unexplained: 3, losingAccess: 2 },
      });
      expect(unknownToBoth).to.equal(1);
      fake.customers.delete('nobody');
    }
    const { stdout } = await subledger(access(ids), env());
    expect(stdout).to.contain('end_differs (UNEXPLAINED): 1 — ends differ by more than an hour');
    expect(stdout).to.contain(
      `\n  later pro: there until ${iso(ends + 30 * DAY_MS)} (ios-store), here until ${iso(ends)} (ios-store)\n`,
    );
    expect(stdout).to.match(/\n2 customers have access there .*\n3 differences are unexplained\.\n$/);
  });

  it('exits with 0 without an unexplained difference', async () => {
    const ended = await subledger(access(fileOf('equal.txt', ['equal', 'web'])), env());
    expect(ended.code, ended.stderr).to.equal(0);
    expect(ended.stdout).to.contain('0 differences are unexplained.');
  });

  it('continues an interrupted run, and refuses the results of another comparison', async () => {
    const ids = fileOf('more.txt', ['equal', 'later', 'web']);
    const progress = join(folder, 'progress.ndjson');
    const done = await subledger(access(ids, '--progress', progress, '--json'), env());
    expect(done.code, done.stderr).to.equal(1);
    const lines = readFileSync(progress, 'utf8').split('\n');
    // The last line is torn, as when the process is killed.
    writeFileSync(progress, [...lines.slice(0, 3), lines[3]?.slice(0, 20)].join('\n'));
    const before = fake.seen.length;
    const again = await subledger(access(ids, '--progress', progress, '--json'), env());
    const asked = new Set(fake.seen.slice(before).flatMap(({ path }) => /customers\/([^/?]+)/.exec(path)?.[1] ?? []));
    expect(asked.size, 'only the torn one is compared again').to.equal(1);
    expect(JSON.parse(again.stdout).customers).to.equal(3);
    const other = await subledger(access(fileOf('other.txt', ['web']), '--progress', progress), env());
    expect(other).to.include({ code: 1, stdout: '' });
    expect(other.stderr).to.contain('the file belongs to another comparison; give the path of a new file');
  });

  it('names the missing key', async () => {
    const ids = fileOf('one.txt', ['equal']);
    const without = await subledger(access(ids), env({ REVENUECAT_API_KEY: '' }));
    expect(without).to.include({ code: 1, stdout: '' });
    expect(without.stderr).to.contain('REVENUECAT_API_KEY is not set');
    const wrong = await subledger(access(ids), env({ REVENUECAT_API_KEY: V1_KEY }));
    expect(wrong).to.include({ code: 1, stdout: '' });
    expect(wrong.stderr).to.match(
      /REVENUECAT_API_KEY must be a secret key of API v2 with the permission customer_information/,
    );
    expect(wrong.stderr).not.to.contain(V1_KEY);
    const project = await subledger(['compare', 'access', '--project', 'proj_x', '--ids', ids], env());
    expect(project.stderr).to.contain('project proj_x not found');
  });

  it('ends at an interrupt with what to do next', async () => {
    for (let i = 0; i < 5; i++) fake.faults.push({ status: 429, headers: { 'retry-after': '600' } });
    const running = startSubledger(access(fileOf('slow.txt', ['equal'])), env());
    const seen = fake.seen.length;
    await poll(
      () => fake.seen.length,
      (count) => count > seen,
    );
    running.interrupt();
    const ended = await running.ended;
    fake.faults.length = 0;
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.contain('with --progress FILE the same command continues');
  });

  describe('of charts', () => {
    const first = iso(bought).slice(0, 8) + '01';
    const lastOfMonth = new Date(Date.UTC(new Date(bought).getUTCFullYear(), new Date(bought).getUTCMonth() + 1, 0));
    const last = lastOfMonth.toISOString().slice(0, 10);
    const charts = (...rest: string[]) => [
      ...['compare', 'charts', '--project', slice.projectId, '--from', first, '--to', last],
      ...rest,
    ];
    const put = (id: string, measures: readonly string[], values: readonly number[]) =>
      fake.charts.set(id, {
        resolution: 'month',
        measures: measures.map((display_name) => ({ display_name })),
        values: values.map((value, measure) => ({
          cohort: Date.parse(first) / 1000,
          measure,
          value,
          incomplete: false,
        })),
      });

    it('shows both sides of each bucket, with the known reasons', async () => {
      put('revenue', ['Revenue', 'Transactions'], [29.97, 3]);
      put('actives_new', ['Direct Subscriptions'], [4]);
      const args = charts('--chart', 'revenue', 'actives_new', '--json');
      const { code, stdout, stderr } = await subledger(args, env());
      const report = JSON.parse(stdout || '{}');
      expect(
        report.charts?.map((c: { chartId: string }) => c.chartId),
        stderr,
      ).to.deep.equal(['revenue', 'actives_new']);
      const [revenue, actives] = report.charts;
      const shown = revenue.cells.map((c: { measure: string; here: number; isEqual: boolean }) => [
        c.measure,
        c.here,
        c.isEqual,
      ]);
      expect(shown).to.deep.equal([
        ['revenue', 29.97, true],
        ['transactions', 3, true],
      ]);
      expect(actives.cells[0]).to.deep.include({ measure: 'direct_subscriptions', there: 4, here: 3, difference: -1 });
      expect(report).to.deep.include({ values: 3, equal: 2, missing: [] });
      const isOpen = lastOfMonth.getTime() + DAY_MS > Date.now();
      expect([code, report.unexplained]).to.deep.equal(isOpen ? [0, 0] : [1, 1]);
    });

    it('lists charts that cannot be compared, and exits with 1', async () => {
      const { code, stdout } = await subledger(charts('--chart', 'churn'), env());
      expect(code).to.equal(1);
      expect(stdout).to.contain('churn: not compared: RevenueCat refused');
      expect(stdout).to.contain('Not compared: churn.');
    });

    it('refuses periods that cut a bucket, and unknown charts', async () => {
      const cut = await subledger(
        ['compare', 'charts', '--project', 'x', '--from', '2026-01-02', '--to', '2026-01-31'],
        env(),
      );
      expect(cut).to.include({ code: 2, stdout: '' });
      expect(cut.stderr).to.contain('must be the first and the last day of a month; or add --interval day');
      const unknown = await subledger(charts('--chart', 'profit'), env());
      expect(unknown.code).to.equal(2);
      expect(unknown.stderr).to.match(/--chart profit: give one of actives, /);
    });
  });
});

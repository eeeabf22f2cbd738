// Books at a terminal, with and without a running service.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeEarnings, writePayments, writeSales, type EarningsRow } from '#simulator/store-reports.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

const order = (orderId: string): EarningsRow => ({
  ...{ orderId, day: '2026-09-05', type: 'Charge', packageName: 'com.example.other', sku: 'pro', country: 'DE' },
  ...{ currency: 'EUR', amount: '9.99', merchantCurrency: 'USD', merchantAmount: '11.00' },
});

describe('subledger books', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  const folder = mkdtempSync(join(tmpdir(), 'books-'));
  after(() => rmSync(folder, { recursive: true }));
  const run = (...args: readonly string[]) =>
    subledger(['books', ...args, '--project', slice.projectId], { DATA_DIR: harness.dataDir });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('adds files, says what they contain, and shows the month', async () => {
    const file = write('earnings_202609_1234567890-1.csv', writeEarnings([order('GPA.1'), order('GPA.2')]));
    const { code, stdout, stderr } = await run('add', file);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('2 lines of 2026-09, android-store, account 1234567890.').and.include('Charge 22.00 USD');
    expect((await run('add', file)).stdout).to.match(/was added before \(rep_\w+\); nothing changed\./);
    await harness.service().idle();
    const shown = await run('show', '2026-09');
    expect(shown.stdout, shown.stderr)
      .to.include('no app of the project, EUR')
      .and.match(/other_app +2 entries/);
    const json = JSON.parse((await run('show', '2026-09', '--json')).stdout);
    expect(json.tables[0].store).to.include({ charged: '19.98' });
  });

  it('adds sales and payments, and says which reports do not count', async () => {
    const sale = {
      orderId: 'GPA.1',
      chargedAt: '2026-09-05T10:00:00Z',
      status: 'Charged',
      country: 'DE',
      currency: 'EUR',
    };
    const product = { packageName: 'com.example.other', sku: 'pro', price: '8.40', tax: '1.59', charged: '9.99' };
    const sales = await run('add', write('salesreport_202609.csv', writeSales([{ ...sale, ...product }])));
    expect(sales.stdout, sales.stderr).to.include(
      '1 lines of 2026-09, android-store, account all.\n  Charged 9.99 EUR',
    );
    const row = {
      region: 'Euro-Zone (EUR)',
      units: 9,
      earned: '9.22',
      owed: '9.22',
      rate: '1.00000',
      proceeds: '9.22',
    };
    const page = writePayments([{ ...row, bankCurrency: 'EUR' }], { month: 'September, 2026', total: '9.22 EUR' });
    const payments = await run('add', write('financial_report.csv', page), '--account', '81234567');
    expect(payments.stdout, payments.stderr).to.include(
      '1 lines of 2026-09, ios-store, account 81234567.\n  Proceeds 9.22 EUR',
    );
    await harness.service().idle();
    expect((await run('show', '2026-09')).stdout).to.match(/^2026-09: \w+, 3 reports, 1 of them not counted/);
  });

  it('adds a file to the data of a stopped service', async () => {
    const file = write('earnings_202608_1234567890-1.csv', writeEarnings([{ ...order('GPA.3'), day: '2026-08-05' }]));
    await harness.restart(async () => expect((await run('add', file)).stdout).to.include('1 lines of 2026-08'));
    expect((await run('show', '2026-08')).stdout).to.match(/other_app +1 entries/);
  });

  it('closes a month over the running service, and says what is missing', async () => {
    const close = (month: string, env: Record<string, string> = {}, ...args: readonly string[]) =>
      subledger(['books', 'close', month, '--project', slice.projectId, ...args], {
        ...{ SUBLEDGER_URL: harness.service().url ?? '', SUBLEDGER_API_KEY: slice.secretKey },
        ...env,
      });
    expect((await close('2026-08')).stderr).to.match(/PUT .*books\/settings|how revenue is counted/);
    const settings = `/v1/projects/${slice.projectId}/books/settings`;
    expect((await harness.call('PUT', settings, { basis: 'gross' }, { key: slice.secretKey })).status).to.equal(200);
    const first = await close('2026-08');
    expect([first.code, first.stderr]).to.deep.equal([0, '']);
    expect(first.stdout)
      .to.match(/^2026-08 was closed at 20\d\d-/)
      .and.include('no app of the project, EUR: difference');
    const again = JSON.parse((await close('2026-08', {}, '--json')).stdout);
    expect([again.state, again.closing.number, again.closing.closedBy.kind]).to.deep.equal(['closed', 1, 'api_key']);
    for (const [month, env, stderr] of [
      ['2026-07', {}, /2026-08 is closed|in order/],
      ['2026-9', {}, /2026-9 is no month; write it as 2026-09/],
      ['2026-09', { SUBLEDGER_API_KEY: '' }, /SUBLEDGER_API_KEY: set it to a secret API key/],
      ['2026-09', { SUBLEDGER_API_KEY: slice.publicKey }, /^not allowed with a public API key/],
      ['2026-09', { SUBLEDGER_URL: 'http://127.0.0.1:1' }, /^http:\/\/127\.0\.0\.1:1 cannot be reached: /],
    ] as const) {
      const refused = await close(month, env);
      expect(refused.code, refused.stdout).to.not.equal(0);
      expect(refused.stderr).to.match(stderr);
      expect(refused.stderr).to.not.include('    at ');
    }
  });

  it('declares a report absent over the running service, shows that, and takes it back', async () => {
    const env = { SUBLEDGER_URL: harness.service().url ?? '', SUBLEDGER_API_KEY: slice.secretKey };
    const absent = (...args: readonly string[]) =>
      subledger(['books', 'absent', '2026-09', '--project', slice.projectId, ...args], env);
    const of = ['--store', 'ios-store', '--countries', 'US,CA'];
    const declared = await absent(...of, '--reason', 'Nothing was sold there.');
    expect([declared.code, declared.stderr]).to.deep.equal([0, '']);
    expect(declared.stdout).to.equal('2026-09 does not wait for the report of ios-store (CA, US).\n');
    await harness.service().idle();
    const known = new Date().toISOString();
    const line = 'not waiting for a report of ios-store (CA, US): Nothing was sold there.';
    expect((await run('show', '2026-09')).stdout).to.include(line);
    const back = await absent(...of, '--withdraw');
    expect([back.stdout, back.stderr]).to.deep.equal([
      '2026-09 waits for the report of ios-store (CA, US) again.\n',
      '',
    ]);
    await harness.service().idle();
    expect((await run('show', '2026-09')).stdout).not.to.include(line);
    expect((await run('show', '2026-09', '--as-of', known)).stdout).to.include(line);
    for (const [args, stderr] of [
      [[...of, '--withdraw'], /no report of ios-store \(CA, US\) was declared absent for 2026-09/],
      [of, /say why the report will not come, with --reason/],
      [['--store', 'amazon', '--reason', 'x'], /amazon is no store; use ios-store or android-store/],
      [['--store', 'ios-store', '--countries', 'EU', '--reason', 'x'], /countries/],
    ] as const) {
      const refused = await absent(...args);
      expect(refused.code, refused.stdout).to.not.equal(0);
      expect(refused.stderr).to.match(stderr).and.not.include('    at ');
    }
  });

  it('names the file and the line of a refusal, and what to do', async () => {
    const broken = write('broken.csv', writeEarnings([{ ...order('GPA.4'), amount: 'ten' }]));
    const refused = await run('add', broken, '--account', '1');
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      'line 2, column "Amount (Buyer Currency)": "ten" where an amount such as 1,234.50 is expected; no line was added\n',
    ]);
    const missing = await run('add', join(folder, 'nowhere.csv'), '--account', '1');
    expect([missing.code, missing.stderr]).to.deep.equal([
      1,
      `${join(folder, 'nowhere.csv')} cannot be read (ENOENT); check its path, and that the user of the service may read it\n`,
    ]);
    expect((await run('show', '2026-9')).stderr).to.equal('2026-9 is no month; write it as 2026-09\n');
    const { code, stderr } = await subledger(['books', 'add', broken, '--project', 'proj_x'], {
      DATA_DIR: harness.dataDir,
    });
    expect([code, stderr]).to.deep.equal([1, 'project not found\n']);
  });
});

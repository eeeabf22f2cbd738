// Commands beside a running service, and on the data of a stopped one: read models built again, copies, exchange rates.
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { notification, setUpProject, startHarness, type Harness, type Slice } from '../http/support/harness.js';
import { subledger } from './command-line.js';

const DAY_MS = 86_400_000;
const RATES = 'Date,USD,GBP,XTS\n';

describe('commands in addition to the running service', function () {
  this.timeout(120_000);
  let harness: Harness;
  let slice: Slice;
  let folder: string;
  let env: Record<string, string>;
  before(async () => {
    harness = await startHarness();
    slice = await setUpProject(harness);
    folder = mkdtempSync(join(tmpdir(), 'subledger-files-'));
    env = { DATA_DIR: harness.dataDir };
  });
  after(async () => {
    await harness.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const buy = async (n: number, from: number, price: number, currency: string) => {
    const at = from + n * 1000;
    const transaction = {
      transactionId: String(5000 + n),
      originalTransactionId: String(5000 + n),
      productId: 'com.example.app.pro.month',
      purchaseDate: at,
      originalPurchaseDate: at,
      expiresDate: at + 30 * DAY_MS,
      price,
      currency,
    };
    const { signedPayload } = notification({ notificationType: 'SUBSCRIBED', signedDate: at, transaction });
    const { status } = await harness.call('POST', slice.notificationPath, { signedPayload });
    expect(status).to.equal(200);
    await harness.service().idle();
  };
  const listed = async () => {
    const url = `/v1/projects/${slice.projectId}/customers?limit=100`;
    return (await harness.call('GET', url, undefined, { key: slice.secretKey })).body.items;
  };
  const detail = async (id: string) =>
    (await harness.call('GET', `/v1/projects/${slice.projectId}/customers/${id}`, undefined, { key: slice.secretKey }))
      .body;
  const now = Date.now();

  it('build all read models again while it serves', async () => {
    for (let n = 0; n < 5; n++) await buy(n, now - DAY_MS, 9990, 'USD');
    const before = await listed();
    expect(before).to.have.length(5);
    const { code, stdout, stderr } = await subledger(['replay', '--json'], env);
    expect([code, stderr.includes('Error')], stderr).to.deep.equal([0, false]);
    const replayed: { name: string; generation: number; differences: { count: number } }[] = JSON.parse(stdout);
    expect(replayed.map((r) => r.name)).to.include.members(['customers', 'transactions', 'projects']);
    expect(replayed.every((r) => r.generation === 2 && r.differences.count === 0)).to.equal(true);
    expect(await listed()).to.deep.equal(before);
    await buy(5, now - DAY_MS, 9990, 'USD');
    expect(await listed()).to.have.length(6);
    expect(existsSync(join(harness.dataDir, 'builds', 'all'))).to.equal(false);
  });

  it('rebuild one, and continue after a restart', async () => {
    const { code, stdout } = await subledger(['replay', 'customers'], env);
    expect([code, stdout]).to.deep.equal([0, 'customers: generation 3 is served, no differences\n']);
    await harness.restart();
    await buy(6, now - DAY_MS, 9990, 'USD');
    expect(await listed()).to.have.length(7);
  });

  it('import exchange rates, which fill in what was unknown', async () => {
    const day = new Date(now - DAY_MS).toISOString().slice(0, 10);
    await buy(7, now - DAY_MS, 8000, 'GBP');
    const [unknown] = (await listed()) as { id: string }[];
    const worth = async () => (await detail(unknown?.id ?? '')).totalSpentUsd;
    expect(await worth()).to.equal(0);
    const file = join(folder, 'rates.csv');
    writeFileSync(file, `${RATES}${day},1.2,0.8,3\n`);
    const { code, stdout, stderr } = await subledger(['rates', 'import', file], env);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include(`1 days from ${day} to ${day}: 1 new, 0 corrected, 0 unchanged.`);
    expect(stdout).to.include('Not in the current ISO 4217 table, imported anyway: XTS.');
    await harness.service().idle();
    expect(await worth()).to.equal(12);
  });

  it('export facts that other tools read', async () => {
    const [csv, parquet] = await Promise.all([
      subledger(['export-facts', join(folder, 'csv'), '--format', 'csv', '--project', slice.projectId], env),
      subledger(['export-facts', join(folder, 'parquet')], env),
    ]);
    expect([csv.code, parquet.code], csv.stderr + parquet.stderr).to.deep.equal([0, 0]);
    const [header, ...lines] = readFileSync(join(folder, 'csv', 'transactions.csv'), 'utf8')
      .trim()
      .split('\n');
    expect([header?.split(',').length, lines.length]).to.deep.equal([26, 8]);
    const file = await asyncBufferFromFile(join(folder, 'parquet', 'transactions.parquet'));
    const rows = await parquetReadObjects({ file });
    expect(rows).to.have.length(8);
    const pounds = rows.find((row) => row['currency'] === 'GBP');
    expect(pounds).to.include({ amountMicros: 8_000_000n, usdMicros: 12_000_000n, fxRate: '1.5' });
    expect(pounds?.['purchasedAt'], 'instants were texts').to.be.instanceOf(Date);
    expect(pounds, 'refunds, countries and durations were missing').to.include.keys(
      'refundedUsdMicros',
      'refundReversedAt',
      'country',
      'offeringId',
      'periodDuration',
    );
    expect(readFileSync(join(folder, 'csv', 'README.md'), 'utf8')).to.include('## subscriptions');
  });

  it('explain wrong arguments', async () => {
    const ended = async (...args: string[]) => {
      const { code, stderr } = await subledger(args, env);
      return [code, stderr.trim().split('\n').at(-1)];
    };
    const all = await Promise.all([
      ended('replay', '--until', '2026-01-01'),
      ended('replay', 'charts', '--as', 'a/b'),
      ended('replay', '--as', 'x', '--what-if', 'commission=2'),
      ended('replay', 'nothing'),
      ended('rates', 'import', join(folder, 'none.csv')),
      ended('replay', '--as', 'x', '--until', '2026-02-30'),
    ]);
    expect(all.map(([code]) => code)).to.deep.equal([2, 2, 2, 1, 1, 2]);
    expect(all[0]?.[1]).to.include('name it with --as');
    expect(all[5]?.[1]).to.include('--until 2026-02-30: give an instant');
    expect(all[3]?.[1]).to.include('unknown read model nothing; give all, charts, or one of');
  });

  it('do the same on the data of a stopped service', async () => {
    const stopped = await startHarness();
    const { secretKey, projectId } = await setUpProject(stopped);
    await stopped.service().stop();
    const file = join(folder, 'rates.csv');
    const there = { DATA_DIR: stopped.dataDir };
    const rates = await subledger(['rates', 'import', file, '--json'], there);
    const replayed = await subledger(['replay', 'products', '--json'], there);
    expect([rates.code, replayed.code], rates.stderr + replayed.stderr).to.deep.equal([0, 0]);
    expect(JSON.parse(rates.stdout)).to.include({ days: 1, published: 1, corrected: 0 });
    expect(JSON.parse(replayed.stdout)[0]).to.deep.include({ generation: 2, differences: { count: 0, ids: [] } });
    const again = await startHarness({ DATA_DIR: stopped.dataDir });
    const products = await again.call('GET', `/v1/projects/${projectId}/products`, undefined, { key: secretKey });
    expect(products.body.items).to.have.length(1);
    await again.stop();
    rmSync(join(stopped.dataDir, '..'), { recursive: true, force: true });
  });
});

// Long work at a terminal that is killed in the middle of it: what it leaves is no half of anything, and the next run ends as if it had
// been the first.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { buildFolder } from '../../src/adapters/configuration/data-directory.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type Slice,
} from '../http/support/harness.js';
import { startSubledger, type CommandResult } from './command-line.js';

const DAY_MS = 86_400_000;
const CUSTOMERS = 12;
const TABLES = ['customers', 'subscriptions', 'transactions'];
const CHARTS = ['actives', 'revenue', 'subscription_retention', 'cohort_explorer'];

describe('commands that are killed', function () {
  this.timeout(120_000);
  let harness: Harness;
  let slice: Slice;
  let folder: string;
  let isOver = false;
  before(async () => {
    harness = await startHarness();
    slice = await setUpProject(harness);
    folder = mkdtempSync(join(tmpdir(), 'subledger-killed-'));
    const from = Date.now() - 10 * DAY_MS;
    for (let n = 0; n < CUSTOMERS; n++) {
      const at = from + n * 60_000;
      const ids = { transactionId: String(7000 + n), originalTransactionId: String(7000 + n), productId: MONTHLY };
      const transaction = { ...ids, purchaseDate: at, expiresDate: at + 30 * DAY_MS, price: 9990 };
      const body = notification({ notificationType: 'SUBSCRIBED', signedDate: at, transaction });
      expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    }
    await harness.service().idle();
  });
  after(async () => {
    isOver = true;
    await harness.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Kills the command at the `nth` change in the directory that concerns such a name, if it runs that long. */
  async function killedAt(
    args: readonly string[],
    directory: string,
    name: RegExp,
    nth: number,
  ): Promise<CommandResult> {
    mkdirSync(directory, { recursive: true });
    const running = startSubledger(args, { DATA_DIR: harness.dataDir });
    let seen = 0;
    const watcher = watch(directory, (_event, changed) => {
      if (changed !== null && name.test(changed) && ++seen === nth) void running.kill();
    });
    return running.ended.finally(() => watcher.close());
  }
  const figures = async () => {
    const get = async (chart: string) => {
      const path = `/v1/projects/${slice.projectId}/metrics/charts/${chart}?interval=day&period=last_28_days`;
      const { status, body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
      expect(status).to.equal(200);
      return body.buckets ?? body.rows;
    };
    return Promise.all(CHARTS.map(get));
  };

  it('leave the charts as they were, and build them to the end when they are run again', async () => {
    const before = await figures();
    expect(before[0].at(-1).values).to.deep.equal({ active_subscriptions: CUSTOMERS });
    const under = buildFolder(harness.dataDir, 'charts');
    let killed = 0;
    for (let nth = 1; !isOver; nth *= 4) {
      const ended = await killedAt(['replay', 'charts'], under, /^documents\.sqlite/, nth);
      expect(await figures(), `after ${nth} changes`).to.deep.equal(before);
      if (ended.code === null) {
        killed++;
        continue;
      }
      expect(ended.code, ended.stderr).to.equal(0);
      expect(ended.stdout).to.match(/^customer_histories: generation \d+ is served, no differences\n$/);
      break;
    }
    expect(killed).to.be.greaterThan(0);
    expect(existsSync(under)).to.equal(false);
  });

  it('leave no half of a table under its name', async () => {
    let isHalf = false;
    for (let round = 0; !isHalf && !isOver; round++) {
      const directory = join(folder, String(round));
      const table = TABLES[round % TABLES.length];
      await killedAt(
        ['export-facts', directory, '--format', 'csv'],
        directory,
        new RegExp(`^${table}\\.csv\\.part$`),
        1,
      );
      const left = readdirSync(directory);
      for (const name of left.filter((n) => n.endsWith('.csv'))) {
        const rows: unknown[] = parse(readFileSync(join(directory, name)), { columns: true });
        expect(rows, name).to.have.length(CUSTOMERS);
      }
      isHalf = left.some((name) => name.endsWith('.part'));
      if (isHalf)
        expect(left)
          .not.to.include.members([...TABLES.map((t) => `${t}.csv`)])
          .and.not.to.include('README.md');
    }
  });
});

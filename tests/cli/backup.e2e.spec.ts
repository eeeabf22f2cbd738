// `subledger backup` beside a service that is being written to: the copy starts, is sound, and holds all that was acknowledged before.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventsOf } from '../commands/support/memory-deps.js';
import { notification, MONTHLY, setUpProject, startHarness, type Slice } from '../http/support/harness.js';
import { setUpHarness } from '../http/support/setup.js';
import { subledger, type CommandResult } from './command-line.js';

const DAY_MS = 86_400_000;
const WRITERS = 4;
const BEFORE = 12;

describe('a backup of a running service', function () {
  this.timeout(120_000);
  const harness = setUpHarness();
  const folder = mkdtempSync(join(tmpdir(), 'subledger-backup-'));
  const copy = join(folder, 'copy');
  let slice: Slice;
  let env: Record<string, string>;
  let made: CommandResult;
  /** Acknowledged before the backup began, and while it was made. */
  const earlier: string[] = [];
  const meanwhile: string[] = [];
  after(() => rmSync(folder, { recursive: true, force: true }));

  const write = async (id: string) => {
    const base = `/v1/subscribers/${id}/attributes`;
    const attributes = { $email: `${id}@example.com` };
    const written = await harness.call('POST', base, { attributes }, { key: slice.secretKey });
    expect(written.status).to.equal(200);
    const signedDate = Date.now();
    const transaction = {
      transactionId: `t-${id}`,
      originalTransactionId: `t-${id}`,
      productId: MONTHLY,
      purchaseDate: signedDate,
      expiresDate: signedDate + 30 * DAY_MS,
      price: 9990,
      currency: 'USD',
    };
    const body = notification({ notificationType: 'SUBSCRIBED', signedDate, transaction });
    expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
  };

  before(async () => {
    env = { DATA_DIR: harness.dataDir };
    slice = await setUpProject(harness);
    for (let i = 0; i < BEFORE; i++) {
      await write(`before-${i}`);
      earlier.push(`before-${i}`);
    }
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, w) => {
      for (let i = 0; !isOver; i++) {
        const id = `meanwhile-${w}-${i}`;
        await write(id);
        meanwhile.push(id);
      }
    });
    made = await subledger(['backup', copy], env);
    isOver = true;
    await Promise.all(writers);
  });

  it('reports what it copied, and that the key is not in it', () => {
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.match(/^\d+ events and their documents copied to .*copy\n/);
    expect(made.stdout).to.contain(`cannot be read without ${join(harness.dataDir, 'master.key')}`);
    expect(readdirSync(copy).sort()).to.deep.equal(['documents.sqlite', 'log.sqlite']);
    expect(statSync(copy).mode & 0o777).to.equal(0o700);
    for (const name of readdirSync(copy)) expect(statSync(join(copy, name)).mode & 0o777, name).to.equal(0o600);
    expect(meanwhile).to.have.length.above(0);
  });

  it('passes `doctor` once the key is added', async () => {
    copyFileSync(join(harness.dataDir, 'master.key'), join(copy, 'master.key'));
    const { code, stdout, stderr } = await subledger(['doctor'], { DATA_DIR: copy });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.not.contain('PROBLEM');
  });

  it('starts, and holds every write that was acknowledged before it was made, readable to the last field', async () => {
    const restored = await startHarness({ DATA_DIR: copy });
    try {
      await restored.service().idle();
      const as = { key: slice.secretKey };
      for (const id of earlier) {
        const { status, body } = await restored.call('GET', `/v1/subscribers/${id}`, undefined, as);
        expect(status).to.equal(200);
        expect(body.subscriber.attributes.$email.value).to.equal(`${id}@example.com`);
      }
      const url = `/v1/projects/${slice.projectId}/customers?limit=100`;
      const { body } = await restored.call('GET', url, undefined, as);
      expect(body.items).to.have.length.above(BEFORE);
      // Each sealed field opens: the keys are of the same instant as the events.
      const { log } = restored.service().services.deps;
      const texts = JSON.stringify(await eventsOf(log));
      const sealed = texts.match(/"type":"CustomerAttributesUpdated"/g) ?? [];
      const opened = texts.match(/(before-\d+|meanwhile-\d+-\d+)@example\.com/g) ?? [];
      expect(opened).to.have.length(sealed.length);
      expect(opened).to.have.length.at.least(BEFORE);
    } finally {
      await restored.stop();
    }
  });

  it('has read models equal to those rebuilt from its log', async () => {
    const { code, stdout, stderr } = await subledger(['replay', '--json'], { DATA_DIR: copy });
    expect(code, stderr).to.equal(0);
    const replayed: { name: string; differences: { count: number } }[] = JSON.parse(stdout);
    expect(replayed.map(({ name }) => name)).to.include.members(['customers', 'transactions']);
    for (const { name, differences } of replayed) expect(differences.count, name).to.equal(0);
  });

  it('with its keys starts by itself', async () => {
    const whole = join(folder, 'whole');
    const { code, stdout, stderr } = await subledger(['backup', whole, '--with-keys'], env);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain('anyone with the copy can read all of its data');
    const names = ['documents.sqlite', 'jwt.secret', 'log.sqlite', 'master.key'];
    expect(readdirSync(whole).sort()).to.deep.equal(names);
    for (const name of names) expect(statSync(join(whole, name)).mode & 0o777, name).to.equal(0o600);
    expect((await subledger(['doctor'], { DATA_DIR: whole })).code).to.equal(0);
  });

  it('goes into an empty directory only', async () => {
    const used = join(folder, 'used');
    mkdirSync(used);
    writeFileSync(join(used, 'notes.txt'), 'mine');
    const { code, stderr } = await subledger(['backup', used], env);
    expect([code, stderr]).to.deep.equal([1, `DIR ${used} is not empty; give a new or empty directory\n`]);
    expect(readdirSync(used)).to.deep.equal(['notes.txt']);
  });

  it('leaves no files when it fails', async () => {
    const failed = join(folder, 'failed');
    const MASTER_KEY = randomBytes(32).toString('base64');
    const { code, stderr } = await subledger(['backup', failed], { ...env, MASTER_KEY });
    expect(code, stderr).to.equal(78);
    expect(readdirSync(failed)).to.deep.equal([]);
  });

  it('is refused for data on servers, and without data', async () => {
    const servers = { MONGODB_URL: 'mongodb://127.0.0.1:9', MASTER_KEY: randomBytes(32).toString('base64') };
    const away = await subledger(['backup', join(folder, 'away')], {
      ...env,
      ...servers,
      JWT_SECRET: 'a secret that only the tests know of',
    });
    expect(away.code).to.equal(1);
    expect(away.stderr).to.contain('MongoDB first, then EventStoreDB');
    const nowhere = await subledger(['backup', join(folder, 'none')], { DATA_DIR: join(folder, 'nowhere') });
    expect(nowhere.code).to.equal(78);
    expect(existsSync(join(folder, 'none'))).to.equal(false);
  });
});

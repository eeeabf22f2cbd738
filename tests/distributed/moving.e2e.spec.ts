// Moving house: an embedded installation goes to the servers and back, and is the same there.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { dataFiles } from '../../src/adapters/configuration/data-directory.js';
import { openForWriting } from '../../src/adapters/sqlite/database.js';
import { subledger } from '../cli/command-line.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type Slice,
} from '../http/support/harness.js';
import { ownEngine } from './servers.js';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const JWT_SECRET = 'a secret that only the tests know of';

/** Second installation: on the servers if they are configured, else in another directory. */
const servers = ownEngine();
const there = Object.keys(servers).length > 0 ? 'EventStoreDB and MongoDB' : 'another directory';

describe(`moving house to ${there} and back`, function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-moving-'));
  const dump = join(directory, 'dump.gz');
  const dumpBack = join(directory, 'back.gz');
  /** Attempts by the webhook's id, and how many of them were taken. */
  const attempted = new Map<string, number>();
  let isRefusing = false;
  const receiver = createServer((req, res) => {
    const id = String(req.headers['webhook-id']);
    attempted.set(id, (attempted.get(id) ?? 0) + (isRefusing ? 0 : 1));
    req.resume().on('end', () => res.writeHead(isRefusing ? 503 : 200).end());
  });
  const egress = { EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
  const NONE = { EVENTSTORE_URL: '', EVENTSTORE_NAMESPACE: '', MONGODB_URL: '' };
  const secrets = { MASTER_KEY, JWT_SECRET, ...egress, WEBHOOK_RETRY_SCHEDULE_SECONDS: '5,5,5,5,5,5,5,5,5,5' };
  const home = { ...NONE, ...secrets, DATA_DIR: join(directory, 'home') };
  const away = { ...NONE, ...secrets, ...servers, DATA_DIR: join(directory, 'away') };
  const homeAgain = { ...NONE, ...secrets, DATA_DIR: join(directory, 'home-again') };
  let slice: Slice;
  let atHome: unknown;

  before(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  after(() => {
    receiver.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** All that the interface shows of the project, and how often its webhook was called. */
  const seenIn = async ({ call, service }: Harness) => {
    await service().idle();
    const as = { key: slice.secretKey };
    const base = `/v1/projects/${slice.projectId}`;
    const customers = await call('GET', `${base}/customers`, undefined, as);
    const details = [];
    for (const { id } of customers.body.items) {
      details.push((await call('GET', `${base}/customers/${id}`, undefined, as)).body);
      details.push((await call('GET', `${base}/customers/${id}/timeline`, undefined, as)).body);
    }
    const products = await call('GET', `${base}/products`, undefined, as);
    return { customers: customers.body, details, products: products.body };
  };
  const command = async (args: readonly string[], env: Record<string, string>) => {
    const ended = await subledger(args, env);
    expect(ended.code, ended.stderr).to.equal(0);
    return ended.stdout;
  };

  it('exports what a service has made', async () => {
    const harness = await startHarness(home);
    slice = await setUpProject(harness);
    const { port } = receiver.address() as AddressInfo;
    const hook = { url: `http://127.0.0.1:${port}/in` };
    const made = await harness.call('POST', `/v1/projects/${slice.projectId}/webhooks`, hook, { key: slice.secretKey });
    expect(made.status).to.equal(201);
    const now = Date.now();
    for (let i = 0; i < 5; i++) {
      if (i === 3) await harness.service().idle();
      isRefusing = i >= 3;
      const transaction = {
        transactionId: `81000${i}`,
        productId: MONTHLY,
        purchaseDate: now,
        expiresDate: now + 86_400_000,
        price: 9990,
        currency: 'USD',
      };
      const renewal = { originalTransactionId: `81000${i}`, productId: MONTHLY };
      const body = notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction, renewal });
      expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
      const attributes = { $email: `person${i}@example.com` };
      const as = { key: slice.secretKey };
      await harness.call('POST', `/v1/subscribers/person-${i}/attributes`, { attributes }, as);
    }
    atHome = await seenIn(harness);
    await harness.stop();
    expect(await command(['export', dump], home)).to.match(/^\d+ events and \d+ records exported/);
    expect(await command(['verify', dump], home)).to.match(/events are identical/);
    expect(readFileSync(dump).includes('person1@example.com')).to.equal(false);
  });

  it('has sent some and has some pending', () => {
    const taken = [...attempted.values()];
    expect(taken.filter((n) => n === 1)).to.have.length.above(2);
    expect(taken.filter((n) => n === 0)).to.have.length.above(1);
  });

  it('detects a changed log', async () => {
    const changed = { ...home, DATA_DIR: join(directory, 'changed') };
    cpSync(home.DATA_DIR, changed.DATA_DIR, { recursive: true });
    const db = openForWriting(dataFiles(changed.DATA_DIR).log);
    const isOne = `body LIKE '%"SubscriptionStarted"%'`;
    db.exec(`UPDATE events SET body = replace(body, '9990000', '1990000')
      WHERE position = (SELECT min(position) FROM events WHERE ${isOne})`);
    db.close();
    const ended = await subledger(['verify', dump], changed);
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/^event \S+ \(number \d+\) differs from the log/);
  });

  it('refuses a file that was cut or changed, before anything is written', async () => {
    const broken = join(directory, 'broken.gz');
    writeFileSync(broken, readFileSync(dump));
    truncateSync(broken, 2000);
    const ended = await subledger(['import', broken], { ...away, DATA_DIR: join(directory, 'nowhere'), ...NONE });
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/is incomplete|is damaged/);
  });

  for (const [name, env, file] of [
    ['there', away, dump],
    ['back', homeAgain, dumpBack],
  ] as const) {
    it(`shows the same ${name}, after an import that may be repeated`, async () => {
      if (name === 'back') await command(['export', dumpBack], away);
      const output = await command(['import', file], env);
      expect(await command(['import', file], env)).to.equal(output);
      expect(await command(['verify', file], env)).to.match(/events are identical/);
      const harness = await startHarness(env);
      expect(await seenIn(harness)).to.deep.equal(atHome);
      isRefusing = false;
      do await pause(100);
      while (JSON.stringify((atHome = await seenIn(harness))).includes('"state":"pending"'));
      expect([...attempted.values()], 'each sent once').to.deep.equal([...attempted.values()].map(() => 1));
      const as = { token: slice.token };
      expect((await harness.call('GET', '/v1/projects', undefined, as)).status).to.equal(200);
      await harness.stop();
    });
  }

  it('refuses to import into an installation that has another past', async () => {
    const other = { ...home, DATA_DIR: join(directory, 'other') };
    const harness = await startHarness(other);
    await setUpProject(harness);
    await harness.stop();
    const ended = await subledger(['import', dump], other);
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/import into an empty/);
  });
});

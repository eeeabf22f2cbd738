// Moving house: an embedded installation goes to the servers and back, and is the same there.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { subledger } from '../cli/command-line.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness, type Slice } from '../http/harness.js';
import { ownEngine } from './servers.js';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const JWT_SECRET = 'a secret that only the tests know of';

/** Where the second installation is: on the servers when they are named, else in another directory. */
const servers = ownEngine();
const there = Object.keys(servers).length > 0 ? 'EventStoreDB and MongoDB' : 'another directory';

describe(`moving house to ${there} and back`, function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-moving-'));
  const dump = join(directory, 'dump.gz');
  const dumpBack = join(directory, 'back.gz');
  const NONE = { EVENTSTORE_URL: '', EVENTSTORE_NAMESPACE: '', MONGODB_URL: '' };
  const secrets = { MASTER_KEY, JWT_SECRET };
  const home = { ...NONE, ...secrets, DATA_DIR: join(directory, 'home') };
  const away = { ...NONE, ...secrets, ...servers, DATA_DIR: join(directory, 'away') };
  const homeAgain = { ...NONE, ...secrets, DATA_DIR: join(directory, 'home-again') };
  let slice: Slice;
  let atHome: unknown;

  after(() => rmSync(directory, { recursive: true, force: true }));

  /** All that the interface tells of the project, and how often its webhook was called. */
  const seenIn = async ({ call, service }: Harness) => {
    await service().settled();
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
    const now = Date.now();
    for (let i = 0; i < 5; i++) {
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
    expect(await command(['verify', dump], home)).to.match(/events are the same/);
    expect(readFileSync(dump).includes('person1@example.com')).to.equal(false);
  });

  it('refuses a file that was cut or changed, before anything is written', async () => {
    const broken = join(directory, 'broken.gz');
    writeFileSync(broken, readFileSync(dump));
    truncateSync(broken, 2000);
    const ended = await subledger(['import', broken], { ...away, DATA_DIR: join(directory, 'nowhere'), ...NONE });
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.match(/is not whole|is not what was written/);
  });

  for (const [name, env, file] of [
    ['there', away, dump],
    ['back', homeAgain, dumpBack],
  ] as const) {
    it(`shows the same ${name}, after an import that may be repeated`, async () => {
      if (name === 'back') await command(['export', dumpBack], away);
      const told = await command(['import', file], env);
      expect(await command(['import', file], env)).to.equal(told);
      expect(await command(['verify', file], env)).to.match(/events are the same/);
      const harness = await startHarness(env);
      expect(await seenIn(harness)).to.deep.equal(atHome);
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

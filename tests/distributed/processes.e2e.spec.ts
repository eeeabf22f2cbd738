// Several processes on one log: the active projector and workers are killed or paused under load, others take over, nothing is lost or
// doubled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { start, type Running } from '../e2e/process.js';
import { signPurchases, type SignedPurchases } from '../e2e/signed-purchases.js';
import { caller, setUpProject, type Call, type Slice } from '../http/support/harness.js';
import { ownEngine, skipped } from './servers.js';

const engine = ownEngine();
const TAKE_OVER_MS = 15_000;
/** Between two purchases of one sender: what is measured is the take-over, not how soon a slow machine has worked off its load. */
const PACE_MS = 100;

if (engine['MONGODB_URL'] === undefined) skipped('several processes', 'TEST_EVENTSTORE_URL and TEST_MONGODB_URL');
else describe('several processes on one log', severalProcesses);

function severalProcesses(this: Mocha.Suite): void {
  this.timeout(180_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-processes-'));
  const running: Running[] = [];
  let calls: Call[];
  let slice: Slice;
  let purchases: SignedPurchases;
  let makers: Running[];
  const acknowledged: string[] = [];

  const launch = async (roles: string): Promise<Running> => {
    const rootPem = join(directory, 'root.pem');
    const env = { ...engine, ROLES: roles, PORT: '0', RATE_LIMITS: 'off', IOS_STORE_ROOT_CERTIFICATES: rootPem };
    const process = await start(env);
    running.push(process);
    return process;
  };

  before(async () => {
    purchases = await signPurchases();
    writeFileSync(join(directory, 'root.pem'), purchases.rootPem);
    makers = [await launch('projector,worker')];
    makers.push(await launch('projector,worker'));
    const servers = [await launch('http'), await launch('http')];
    calls = servers.map(({ url }) => caller(() => url));
    slice = await setUpProject({ call: (...request) => nextCall()(...request) });
  });
  after(async () => {
    await Promise.all(running.map((process) => process.kill()));
    rmSync(directory, { recursive: true, force: true });
  });

  let turn = 0;
  const nextCall = (): Call => calls[turn++ % calls.length] as Call;
  const as = () => ({ key: slice.secretKey });
  const customersOf = async (transactionId: string): Promise<{ id: string }[]> => {
    const path = `/v1/projects/${slice.projectId}/customers?search=${transactionId}`;
    return (await nextCall()('GET', path, undefined, as())).body.items;
  };
  const buy = async (transactionId: string) => {
    const body = purchases.notification(transactionId);
    const response = await nextCall()('POST', slice.notificationPath, body);
    if (response.status === 200) acknowledged.push(transactionId);
    return response.status;
  };
  /** Returns the ms until the read models contain the purchase; fails after the limit. */
  const shownAfter = async (transactionId: string): Promise<number> => {
    const from = Date.now();
    while ((await customersOf(transactionId)).length === 0) {
      if (Date.now() - from > TAKE_OVER_MS) throw new Error(`${transactionId} is not shown after ${TAKE_OVER_MS} ms`);
      await pause(50);
    }
    return Date.now() - from;
  };

  const expectPrinted = async (process: Running, pattern: RegExp, withinMs: number): Promise<void> => {
    const from = Date.now();
    while (!pattern.test(process.output())) {
      expect(Date.now() - from, String(pattern)).to.be.at.most(withinMs);
      await pause(50);
    }
  };
  /** Records the positions that a process reads while it waits for a read model, until the result is requested. */
  const watchPositions = async () => {
    const client = await MongoClient.connect(engine['MONGODB_URL'] ?? '');
    const table = client.db().collection<{ _id: string; d: string }>('progress');
    const printed: string[] = [];
    let isOver = false;
    const looking = (async () => {
      for (; !isOver; await pause(20)) {
        const found = await table.findOne({ _id: 'read_models' });
        if (found) printed.push(JSON.parse(found.d).positions.customers);
      }
    })();
    const positions = async () => {
      isOver = true;
      await looking;
      return printed;
    };
    return { client, positions };
  };

  it('lets every http process read what another one wrote', async () => {
    for (let i = 0; i < 10; i++) {
      const [writer, reader] = i % 2 ? calls : [...calls].reverse();
      const attributes = { color: `c${i}` };
      const path = `/v1/subscribers/reader-${i}`;
      const written = await writer?.('POST', `${path}/attributes`, { attributes }, as());
      expect(written?.status).to.equal(200);
      const position = written?.headers.get('x-position') ?? '';
      const read = await reader?.('GET', path, undefined, { ...as(), headers: { 'x-position': position } });
      expect(read?.body.subscriber.attributes.color.value).to.equal(`c${i}`);
    }
  });

  it('makes a named replay in one process and reads it in every other', async () => {
    const [asking, reading] = calls as [Call, Call];
    const id = '5400';
    expect(await buy(id)).to.equal(200);
    await shownAfter(id);
    const path = `/v1/projects/${slice.projectId}/metrics`;
    const asked = await asking('POST', `${path}/replays`, { name: 'smaller', whatIf: { commission: 0.15 } }, as());
    expect(asked.status, JSON.stringify(asked.body)).to.equal(202);
    const chart = `${path}/charts/revenue?period=this_month&interval=month&replay=smaller`;
    const [here, there] = await Promise.all(calls.map((call) => call('GET', chart, undefined, as())));
    expect(here?.status, JSON.stringify(here?.body)).to.equal(200);
    expect(here?.body.buckets).to.deep.equal(there?.body.buckets);
    const [{ values }] = here?.body.buckets ?? [];
    expect(values.revenue).to.be.greaterThan(0);
    expect(values.commission / values.revenue).to.be.closeTo(0.15, 0.01);
    expect((await reading('DELETE', `${path}/replays/smaller`, undefined, as())).status).to.equal(200);
    expect((await asking('GET', chart, undefined, as())).status).to.equal(404);
  });

  it('refuses a deleted API key in every process within two seconds', async () => {
    const [first, second] = calls as [Call, Call];
    const user = { token: slice.token };
    const keys = `/v1/projects/${slice.projectId}/api-keys`;
    const made = await first('POST', keys, { name: 'short-lived' }, user);
    const short = { key: made.body.key };
    const ask = () => second('GET', '/v1/subscribers/anybody', undefined, short);
    expect((await ask()).status).to.not.equal(401);
    expect((await first('DELETE', `${keys}/${made.body.id}`, undefined, user)).status).to.equal(200);
    const from = Date.now();
    while ((await ask()).status !== 401) {
      expect(Date.now() - from).to.be.lessThan(2000);
      await pause(50);
    }
  });

  it('gives a purchase line that two customers present at once to one of them only', async () => {
    for (let i = 0; i < 10; i++) {
      const id = `5500${i}`;
      expect(await buy(id)).to.equal(200);
      const receipt = purchases.receipt(id);
      const users = [`left-${i}`, `right-${i}`];
      const presented = await Promise.all(
        users.map((user) => {
          const body = { store: 'ios-store', receipt };
          return nextCall()('POST', `/v1/subscribers/${user}/receipts`, body, { key: slice.publicKey });
        }),
      );
      await shownAfter(id);
      // While the line changes hands, one of them may be read before and the other after.
      const position = presented.map(({ headers }) => headers.get('x-position') ?? '').toSorted()[1];
      const counts = await Promise.all(
        users.map(async (user) => {
          const at = { ...as(), headers: { 'x-position': position ?? '' } };
          const response = await nextCall()('GET', `/v1/subscribers/${user}`, undefined, at);
          expect(response.status).to.equal(200);
          return Object.keys(response.body.subscriber?.subscriptions ?? {}).length;
        }),
      );
      expect(
        counts.reduce((a, b) => a + b, 0),
        `owners of ${id}`,
      ).to.equal(1);
    }
  });

  it('continues within 15 s when the process with the projectors and workers is killed under load', async () => {
    let isLoading = true;
    const load = async (w: number) => {
      for (let i = 0; isLoading; i++, await pause(PACE_MS)) expect(await buy(`7${w}0${i}`)).to.equal(200);
    };
    const loads = [1, 2, 3, 4].map(load);
    await pause(1500);
    const [active, standby] = makers as [Running, Running];
    expect(active.output()).to.match(/"lease":"projector".*lease acquired/);
    expect(standby.output()).not.to.match(/"lease":"projector".*lease acquired/);
    await active.kill();
    await pause(1500);
    isLoading = false;
    await Promise.all(loads);
    await buy('799');
    await shownAfter('799');
    expect(standby.output()).to.match(/"lease":"projector".*lease acquired/);
  });

  it('keeps a process that was paused longer than its leases from writing as their holder', async () => {
    const [, paused] = makers as [Running, Running];
    const next = await launch('projector,worker');
    const { client, positions } = await watchPositions();
    let isLoading = true;
    const load = async (w: number) => {
      for (let i = 0; isLoading; i++, await pause(PACE_MS)) expect(await buy(`7${w}1${i}`)).to.equal(200);
    };
    const loads = [1, 2].map(load);
    await pause(500);
    paused.child.kill('SIGSTOP');
    await expectPrinted(next, /"lease":"projector".*lease acquired/, TAKE_OVER_MS);
    await expectPrinted(next, /"lease":"inbox".*lease acquired/, TAKE_OVER_MS);
    await pause(500);
    paused.child.kill('SIGCONT');
    await expectPrinted(paused, /"lease":"projector".*lease lost/, TAKE_OVER_MS);
    await expectPrinted(paused, /"lease":"inbox".*lease lost/, TAKE_OVER_MS);
    await pause(1500);
    isLoading = false;
    await Promise.all(loads);
    await buy('798');
    await shownAfter('798');
    const published = await positions();
    await client.close();
    expect(published.length).to.be.greaterThan(10);
    expect(published, 'how far the read models are, as it was published').to.deep.equal(published.toSorted());
  });

  it('has lost and doubled nothing', async () => {
    // Lines that changed hands leave their money with who paid.
    for (const id of acknowledged.filter((bought) => bought.startsWith('7'))) {
      await shownAfter(id);
      const [customer, ...others] = await customersOf(id);
      expect(others, id).to.deep.equal([]);
      const path = `/v1/projects/${slice.projectId}/customers/${customer?.id}`;
      const { body } = await nextCall()('GET', path, undefined, as());
      const shown = body.subscriptions.flatMap((s: { transactions: { id: string }[] }) => s.transactions);
      expect(
        shown.map((t: { id: string }) => t.id),
        id,
      ).to.deep.equal([id]);
      expect(body.totalSpentUsd).to.equal(9.99);
    }
  });
}

// Named replays over HTTP: made in the background, listed with how far they are, read by charts and comparisons, deleted.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hasServers } from '../../../src/adapters/engine.js';
import { replayMakingInFiles } from '../../../src/adapters/replays/making-in-files.js';
import { ownEngine } from '../../distributed/servers.js';
import { lockDirectory } from '../../../src/adapters/sqlite/lock.js';
import { MONTHLY, notification, setUpProject, type HttpResponse } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createSetClock } from '../support/set-clock.js';
import { setUpService } from '../support/set-up.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;
const JANUARY = 'startDate=2026-01-01&endDate=2026-01-31&interval=month';

const ofFiles = hasServers({ DATA_DIR: '', ...ownEngine() }) ? it.skip : it;

describe('named replays', () => {
  const clock = createSetClock(BEGIN);
  const { harness, slice } = setUpService({}, clock.runtime);
  let base: string;
  before(async () => {
    base = `/v1/projects/${slice.projectId}/metrics`;
    await notify(2, 'SUBSCRIBED', '1');
    await notify(10, 'SUBSCRIBED', '2');
    await notify(12, 'REFUND', '2', 10);
    clock.set(day(20));
    await harness.service().idle();
  });

  const as = () => ({ key: slice.secretKey });
  const call = (method: string, path: string, body?: object) => harness.call(method, `${base}${path}`, body, as());
  const make = (body: object) => call('POST', '/replays', body);

  async function notify(n: number, notificationType: string, chain: string, from = n): Promise<void> {
    clock.set(day(n));
    const revoked = { revocationDate: day(n), revocationReason: 0 as const };
    const transaction = {
      ...{ transactionId: `${chain}001`, originalTransactionId: `${chain}001`, productId: MONTHLY },
      ...{ purchaseDate: day(from), expiresDate: day(from + 30), price: 9990 },
      ...(notificationType === 'REFUND' && revoked),
    };
    const body = notification({ notificationType, signedDate: day(n), transaction });
    expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    await harness.service().idle();
  }
  async function listed(): Promise<HttpResponse['body'][]> {
    const { status, body } = await call('GET', '/replays');
    expect(status).to.equal(200);
    return body.items;
  }
  /** Asked again until nothing waits or is built: each time the service has had its turns. */
  async function settled(): Promise<HttpResponse['body'][]> {
    for (;;) {
      const items = await listed();
      if (items.every(({ state }) => state === 'ready' || state === 'failed')) return items;
    }
  }
  const folder = () => join(harness.dataDir, 'replays', slice.projectId);

  it('are made in the background, and say what they are', async () => {
    expect(await listed()).to.deep.equal([]);
    const asked = await make({ name: 'cheap', whatIf: { commission: 0.15 } });
    expect(asked.status, JSON.stringify(asked.body)).to.equal(202);
    expect(asked.body).to.deep.include({ object: 'replay', name: 'cheap', until: null, whatIf: { commission: 0.15 } });
    expect(asked.body.state).to.be.oneOf(['waiting', 'building']);
    await make({ name: 'then', until: iso(day(11)) });
    const items = await settled();
    expect(items.map(({ name, state, progress }) => [name, state, progress])).to.deep.equal([
      ['cheap', 'ready', 1],
      ['then', 'ready', 1],
    ]);
    expect(items[0]).to.include({ madeAt: iso(day(20)), problem: null });
    expect(items[0].events).to.be.greaterThan(items[1].events);
    expect(items[1].events).to.be.greaterThan(0);
    expect(items[0].sizeBytes).to.be.greaterThan(0);
  });

  ofFiles('leave nothing beside them', () => {
    expect(readdirSync(folder()).filter((name) => name.endsWith('.making'))).to.deep.equal([]);
  });

  it('are read by charts, and compared with them', async () => {
    const { body } = await call('GET', `/charts/revenue?${JANUARY}&replay=cheap`);
    expect(body.buckets[0].values).to.deep.include({ revenue: 9.99, commission: 1.5 });
    const setting = await call('GET', `/charts/revenue/compare?${JANUARY}&thenReplay=cheap`);
    expect(setting.body.then.replay.name).to.equal('cheap');
    const { commission, revenue } = setting.body.buckets[0].values;
    expect([commission.then, commission.now, commission.difference]).to.deep.equal([1.5, 3, 1.5]);
    expect(commission.reasons.map((r: { kind: string; amount: number }) => [r.kind, r.amount])).to.deep.equal([
      ['setting', 1.5],
    ]);
    expect(revenue).to.deep.equal({ then: 9.99, now: 9.99, difference: 0 });
    const learned = await call('GET', `/charts/revenue/compare?${JANUARY}&thenReplay=then`);
    const refund = learned.body.buckets[0].values.revenue;
    expect([refund.difference, refund.reasons.map((r: { kind: string }) => r.kind)]).to.deep.equal([
      -9.99,
      ['TransactionRefunded'],
    ]);
    const back = await call('GET', `/charts/revenue/compare?${JANUARY}&thenReplay=cheap&nowReplay=then`);
    expect(back.status).to.equal(200);
    const { commission: other } = back.body.buckets[0].values;
    const sum = other.reasons.reduce((all: number, r: { amount: number }) => all + r.amount, 0);
    expect(Math.round(sum * 100)).to.equal(Math.round(other.difference * 100));
    expect(other.reasons.map((r: { kind: string }) => r.kind)).to.deep.equal(['TransactionRefunded', 'setting']);
    const place = 'bucket=2026-01-01T00:00:00.000Z&measure=commission&kind=setting';
    const behind = await call('GET', `/charts/revenue/compare/customers?${JANUARY}&thenReplay=cheap&${place}`);
    expect(behind.body.items.map((c: { value: number }) => c.value)).to.deep.equal([1.5]);
  });

  it('keep a name for one copy', async () => {
    const again = await make({ name: 'cheap' });
    expectRefusal(again, 409);
    const { items } = (await call('GET', '/replays')).body;
    expect(items.find((r: { name: string }) => r.name === 'cheap').whatIf).to.deep.equal({ commission: 0.15 });
  });

  it('are of one project: another has the same names for itself', async () => {
    const other = await setUpProject(harness);
    const path = `/v1/projects/${other.projectId}/metrics`;
    const theirs = { key: other.secretKey };
    const list = await harness.call('GET', `${path}/replays`, undefined, theirs);
    expect(list.body.items).to.deep.equal([]);
    expectRefusal(await harness.call('GET', `${path}/charts/mrr?replay=cheap`, undefined, theirs), 404);
    expectRefusal(await harness.call('DELETE', `${path}/replays/cheap`, undefined, theirs), 404);
    expect((await harness.call('POST', `${path}/replays`, { name: 'cheap' }, theirs)).status).to.equal(202);
    expect((await settled()).map((r) => r.name)).to.include('cheap');
  });

  it('are refused for what no copy can be', async () => {
    for (const body of [
      {},
      { name: 'Capital' },
      { name: '../documents' },
      { name: 'x'.repeat(65) },
      { name: 'ahead', until: iso(day(30)) },
      { name: 'early', until: '2020-01-01T00:00:00Z' },
      { name: 'odd', until: '7' },
      { name: 'odd', whatIf: { commission: 1.5 } },
      { name: 'odd', whatIf: { commission: '0.15' } },
      { name: 'odd', whatIf: { refundPolicy: 'never' } },
      { name: 'odd', whatIf: { tax: 0 } },
      { name: 'odd', extra: true },
    ]) {
      expectRefusal(await make(body), 400);
    }
    expect((await listed()).map((r) => r.name)).to.deep.equal(['cheap', 'then']);
    for (const name of ['none', '..%2Fdocuments', 'x'.repeat(65)]) {
      expect((await call('DELETE', `/replays/${name}`)).status).to.be.oneOf([400, 404]);
    }
  });

  it('go away for good when they are deleted', async () => {
    const { status, body } = await call('DELETE', '/replays/then');
    expect([status, body]).to.deep.equal([200, { object: 'replay', id: 'then', deleted: true }]);
    expectRefusal(await call('GET', `/charts/mrr?replay=then`), 404);
    expectRefusal(await call('DELETE', '/replays/then'), 404);
    expect((await listed()).map((r) => r.name)).to.deep.equal(['cheap']);
  });

  ofFiles('are made by one process alone', async () => {
    const making = join(folder(), 'elsewhere.making');
    const release = lockDirectory(making);
    expectRefusal(await make({ name: 'elsewhere' }), 409);
    release();
  });

  ofFiles('go on after a stop in between, and give up what is cut again and again', async () => {
    const making = replayMakingInFiles(harness.dataDir);
    const asked = { projectId: slice.projectId, until: null, whatIf: {}, requestedAt: iso(day(20)), problem: null };
    await harness.restart(async () => {
      expect(await making.ask({ ...asked, name: 'left', begun: 1 })).to.equal(true);
      expect(await making.ask({ ...asked, name: 'deadly', begun: 3 })).to.equal(true);
      expect(await making.ask({ ...asked, name: 'left', begun: 0 })).to.equal(false);
      mkdirSync(join(folder(), 'junk.making'));
      writeFileSync(join(folder(), 'junk.making', 'request.json'), '{');
    });
    const items = await settled();
    expect(items.map(({ name, state }) => [name, state])).to.deep.equal([
      ['cheap', 'ready'],
      ['deadly', 'failed'],
      ['left', 'ready'],
    ]);
    expect(items[1].problem).to.include('delete it');
    expectRefusal(await make({ name: 'deadly' }), 409);
    expect((await call('DELETE', '/replays/deadly')).status).to.equal(200);
    expect((await make({ name: 'deadly' })).status).to.equal(202);
    expect((await settled()).find((r) => r.name === 'deadly')?.state).to.equal('ready');
    expect(existsSync(join(folder(), 'deadly.making'))).to.equal(false);
  });

  ofFiles('are at most twenty of a project', async () => {
    const making = replayMakingInFiles(harness.dataDir);
    const left = { projectId: slice.projectId, until: null, whatIf: {}, requestedAt: iso(day(20)), begun: 1 };
    const there = (await listed()).length;
    for (let n = there; n < 20; n++) await making.ask({ ...left, name: `n${n}`, problem: 'it was cut' });
    const refused = await make({ name: 'one-too-many' });
    expectRefusal(refused, 409);
    expect(refused.body.message).to.include('20');
    expect((await call('DELETE', '/replays/n19')).status).to.equal(200);
    expect((await make({ name: 'one-too-many' })).status).to.equal(202);
  });

  ofFiles('go with their project: those that are ready, failed, being made, and what nobody can read', async () => {
    const other = await setUpProject(harness);
    const path = `/v1/projects/${other.projectId}`;
    const theirs = join(harness.dataDir, 'replays', other.projectId);
    const ask = (name: string) => harness.call('POST', `${path}/metrics/replays`, { name }, { key: other.secretKey });
    expect((await ask('whole')).status).to.equal(202);
    const list = () => harness.call('GET', `${path}/metrics/replays`, undefined, { key: other.secretKey });
    while ((await list()).body.items[0].state !== 'ready');
    writeFileSync(join(theirs, 'torn.sqlite'), 'no database');
    expect((await ask('begun')).status).to.equal(202);
    expect((await harness.call('DELETE', path, undefined, { token: other.token })).status).to.equal(200);
    await harness.service().idle();
    expect(existsSync(theirs)).to.equal(false);
    expect(existsSync(folder())).to.equal(true);
  });
});

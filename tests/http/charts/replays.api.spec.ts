// Named replays over HTTP: made, listed, shown by charts and comparisons, deleted; and those that were copies of the charts once.
import { expect } from 'chai';
import { createRecord } from '../../../src/adapters/documents/records.js';
import { chartReplayCollection } from '../../../src/commands/projects/chart-replays.js';
import { MONTHLY, notification, setUpProject, type HttpResponse } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;
const JANUARY = 'startDate=2026-01-01&endDate=2026-01-31&interval=month';

describe('named replays', () => {
  const clock = createManualClock(BEGIN);
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
  it('say what they are', async () => {
    expect(await listed()).to.deep.equal([]);
    const asked = await make({ name: 'cheap', whatIf: { commission: 0.15 } });
    expect(asked.status, JSON.stringify(asked.body)).to.equal(202);
    const cheap = {
      ...{ object: 'replay', name: 'cheap', until: null, whatIf: { commission: 0.15 }, state: 'ready', progress: 1 },
      madeAt: iso(day(20)),
    };
    expect(asked.body).to.deep.equal(cheap);
    await make({ name: 'then', until: iso(day(11)) });
    const items = await listed();
    expect(items.map(({ name, until }) => [name, until])).to.deep.equal([
      ['cheap', null],
      ['then', iso(day(11))],
    ]);
    expect(items[0]).to.deep.equal(cheap);
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
    expect((await harness.call('POST', `${path}/replays`, { name: 'cheap' }, theirs)).status).to.equal(202);
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

  it('are permanently removed when they are deleted', async () => {
    const { status, body } = await call('DELETE', '/replays/then');
    expect([status, body]).to.deep.equal([200, { object: 'replay', id: 'then', deleted: true }]);
    expectRefusal(await call('GET', `/charts/mrr?replay=then`), 404);
    expectRefusal(await call('DELETE', '/replays/then'), 404);
    expect((await listed()).map((r) => r.name)).to.deep.equal(['cheap']);
  });

  it('stay as they are when more happens, also with a restart in between', async () => {
    const revenue = async (rest: string) => {
      const { body } = await call('GET', `/charts/revenue?${JANUARY}${rest}`);
      return body.buckets[0].values.revenue;
    };
    expect([await revenue(''), await revenue('&replay=cheap')]).to.deep.equal([9.99, 9.99]);
    await notify(21, 'SUBSCRIBED', '3');
    clock.set(day(22));
    expect([await revenue(''), await revenue('&replay=cheap')]).to.deep.equal([19.98, 9.99]);
    await harness.restart();
    expect([await revenue(''), await revenue('&replay=cheap')]).to.deep.equal([19.98, 9.99]);
  });

  it('are shown in the overview under their rules', async () => {
    expect((await make({ name: 'kept', whatIf: { refundPolicy: 'keep_until_expiry' } })).status).to.equal(202);
    const actives = async (rest: string) => {
      const { body } = await call('GET', `/overview${rest}`);
      return body.metrics.find((m: { id: string }) => m.id === 'active_subscriptions').value;
    };
    expect([await actives(''), await actives('?replay=kept')]).to.deep.equal([2, 3]);
    expect((await call('DELETE', '/replays/kept')).status).to.equal(200);
  });

  it('are read where they were copies of the charts before', async () => {
    const { deps } = harness.service().services;
    const { projectId } = slice;
    const request = { projectId, until: null, requestedAt: iso(day(18)), begun: 1, problem: null, claim: null };
    const info = { name: 'old', until: null, endsAt: iso(day(11)), madeAt: iso(day(19)), position: '9', events: 5 };
    const records = [
      { ...request, name: 'old', whatIf: { commission: 0 }, progress: null, copy: { id: 'copy_1', info } },
      { ...request, name: 'waiting', whatIf: {}, progress: 0.5, copy: null },
    ];
    for (const record of records) {
      expect(await createRecord(deps.docs, chartReplayCollection.name, `${projectId}|${record.name}`, record)).to.equal(
        true,
      );
    }
    const [old, waiting] = (await listed()).filter(({ name }) => name !== 'cheap');
    expect(old).to.include({ name: 'old', state: 'ready', madeAt: iso(day(19)) });
    expect(waiting).to.include({ name: 'waiting', state: 'ready', madeAt: iso(day(18)) });
    const { body } = await call('GET', `/charts/revenue?${JANUARY}&replay=old`);
    expect(body.buckets[0].values).to.deep.include({ revenue: 19.98, commission: 0 });
    for (const { name } of records) expect((await call('DELETE', `/replays/${name}`)).status).to.equal(200);
  });

  it('are at most twenty of a project', async () => {
    const there = (await listed()).length;
    for (let n = there; n < 20; n++) expect((await make({ name: `n${n}` })).status).to.equal(202);
    const refused = await make({ name: 'one-too-many' });
    expectRefusal(refused, 409);
    expect(refused.body.message).to.include('20');
    expect((await call('DELETE', '/replays/n19')).status).to.equal(200);
    expect((await make({ name: 'one-too-many' })).status).to.equal(202);
  });

  it('go with their project', async () => {
    const other = await setUpProject(harness);
    const path = `/v1/projects/${other.projectId}`;
    const as = { key: other.secretKey };
    expect((await harness.call('POST', `${path}/metrics/replays`, { name: 'gone' }, as)).status).to.equal(202);
    expect((await harness.call('DELETE', path, undefined, { token: other.token })).status).to.equal(200);
    await harness.service().idle();
    const { docs } = harness.service().services.deps;
    const { rows } = await docs.scan(chartReplayCollection.name, { index: 'id', eq: [], limit: 100 });
    expect(rows.filter(({ id }) => id.startsWith(`${other.projectId}|`))).to.deep.equal([]);
    expect(rows.some(({ id }) => id.startsWith(`${slice.projectId}|`))).to.equal(true);
  });
});

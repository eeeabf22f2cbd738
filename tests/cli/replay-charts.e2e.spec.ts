// Charts under a name, made at a terminal beside the service and read over HTTP: other rules, an earlier end.
import { expect } from 'chai';
import { MONTHLY, notification, setUpProject } from '../http/support/harness.js';
import { expectRefusal } from '../http/support/refusal.js';
import { createManualClock } from '../http/support/manual-clock.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;

describe('charts under a name', function () {
  this.timeout(120_000);
  const clock = createManualClock(BEGIN);
  const { harness, slice } = setUpService({}, clock.runtime);
  before(async () => {
    await notify(2, 'SUBSCRIBED', '1');
    await notify(10, 'SUBSCRIBED', '2');
    await notify(12, 'REFUND', '2', 10);
    clock.set(day(20));
    await harness.service().idle();
  });

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
  const get = (path: string, as = { key: slice.secretKey }) =>
    harness.call('GET', `/v1/projects/${slice.projectId}/metrics${path}`, undefined, as);
  const january = 'startDate=2026-01-01&endDate=2026-01-31&interval=month';
  const figures = async (chart: string, rest = '') => {
    const { status, body } = await get(`/charts/${chart}?${january}${rest}`);
    expect(status, body.message).to.equal(200);
    return body.buckets[0].values;
  };
  const actives = async (rest = '') => (await figures('actives', rest)).active_subscriptions;
  const copy = async (name: string, ...rest: string[]) => {
    const made = await subledger(['replay', 'charts', '--as', name, ...rest], { DATA_DIR: harness.dataDir });
    expect(made.code, made.stderr).to.equal(0);
    return made.stdout;
  };

  it('show what other rules would have brought, and leave the live ones alone', async () => {
    const live = [await actives(), await figures('revenue')];
    const [printed] = await Promise.all([
      copy('keep', '--what-if', 'refundPolicy=keep_until_expiry'),
      copy('cheap', '--what-if', 'commission=0.15'),
      copy('same'),
    ]);
    expect(printed).to.include('?replay=keep');
    expect(await actives('&replay=keep')).to.equal(2);
    expect(await figures('revenue', '&replay=cheap')).to.deep.include({
      revenue: 9.99,
      commission: 1.5,
      proceeds: 8.49,
    });
    expect([await actives('&replay=same'), await figures('revenue', '&replay=same')]).to.deep.equal(live);
    expect([await actives(), await figures('revenue')]).to.deep.equal(live);
    expect(live[0]).to.equal(1);
    expect(live[1]).to.include({ commission: 3, proceeds: 6.99 });
  });

  it('warn when nothing was known by then', async () => {
    const args = ['replay', 'charts', '--as', 'early', '--until'];
    const env = { DATA_DIR: harness.dataDir };
    const early = await subledger([...args, iso(day(1))], env);
    expect(early.code, early.stderr).to.equal(0);
    expect(early.stderr).to.match(
      /^warning: early is empty: the first event was recorded at 2026-01-03T10:00:00.000Z, position \d+/m,
    );
    const known = await subledger([...args, iso(day(5))], env);
    expect(known.stderr).not.to.include('warning');
  });

  it('end at the instant given by --until', async () => {
    await copy('then', '--until', iso(day(11)));
    expect(await actives('&replay=then')).to.equal(2);
    expect((await figures('revenue', '&replay=then')).revenue).to.equal(19.98);
    const { body } = await get(`/charts/actives?${january}&replay=then`);
    expect(body.asOf).to.equal(iso(day(11)));
    expect(body.replay).to.deep.include({ name: 'then', until: iso(day(11)), whatIf: {} });
    expect(await actives(`&replay=then&asOf=${iso(day(5))}`)).to.equal(1);
    const later = await get(`/charts/actives?${january}&replay=then&asOf=${iso(day(15))}`);
    expectRefusal(later, 400);
    expect(later.body.message).to.include(iso(day(11)));
  });

  it('show in the overview and in the customers of a figure', async () => {
    const mrr = async (rest: string) => {
      const { body } = await get(`/overview${rest}`);
      return body.metrics.find((m: { id: string }) => m.id === 'mrr').value;
    };
    expect([await mrr(''), await mrr('?replay=then')]).to.deep.equal([9.99, 19.98]);
    const behind = async (rest: string) =>
      (await get(`/charts/actives/customers?${january}&bucket=2026-01-01${rest}`)).body.items.length;
    expect([await behind(''), await behind('&replay=keep')]).to.deep.equal([1, 2]);
  });

  it('stay as they are when more happens, until the name is given to another', async () => {
    await notify(21, 'SUBSCRIBED', '3');
    expect([await actives(), await actives('&replay=keep')]).to.deep.equal([2, 2]);
    expect((await figures('revenue', '&replay=cheap')).transactions).to.equal(2);
    await copy('cheap', '--what-if', 'commission=0', '--what-if', 'refundPolicy=keep_until_expiry');
    expect(await figures('revenue', '&replay=cheap')).to.deep.include({ transactions: 3, commission: 0 });
    expect(await actives('&replay=cheap')).to.equal(3);
    expect((await figures('revenue')).transactions).to.equal(3);
  });

  it('end at a position of the log, with all that was known there', async () => {
    const head = Number(await harness.service().services.deps.log.head());
    await notify(22, 'SUBSCRIBED', '4');
    await copy('place', '--until', String(head));
    expect((await figures('revenue', '&replay=place')).transactions).to.equal(3);
    expect((await figures('revenue')).transactions).to.equal(4);
  });

  it('are rejected by an unknown name or one of another project, and for an unknown chart', async () => {
    const other = await setUpProject(harness);
    await copy('theirs', '--project', other.projectId);
    for (const name of ['missing', 'theirs', '..%2Fdocuments']) {
      for (const path of [
        `/overview?replay=${name}`,
        `/charts/mrr?replay=${name}`,
        `/charts/mrr/customers?replay=${name}`,
      ]) {
        const response = await get(path);
        expectRefusal(response, 404);
        expect(response.body.message).to.include('subledger replay charts --as');
      }
    }
    const own = `/v1/projects/${other.projectId}/metrics/charts/mrr?replay=theirs`;
    expect((await harness.call('GET', own, undefined, { key: other.secretKey })).status).to.equal(200);
    const env = { DATA_DIR: harness.dataDir };
    for (const [args, message] of [
      [['customers', '--as', 'people'], 'customers cannot have a named replay'],
      [['--as', 'Capital'], 'lower-case letters'],
      [['--as', 'odd', '--what-if', 'commission=2'], 'a share from 0 to 1'],
      [['--as', 'odd', '--what-if', 'tax=0'], 'refundPolicy=keep_until_expiry'],
      [['--as', 'odd', '--until', 'yesterday'], 'a position of the log'],
      [['--delete', 'missing'], 'replay not found'],
    ] as const) {
      const refused = await subledger(['replay', ...args], env);
      expect(refused.code, args.join(' ')).to.be.greaterThan(0);
      expect(refused.stderr).to.include(message);
    }
  });

  it('go away when they are deleted: those of all projects at the terminal alone', async () => {
    const path = `/v1/projects/${slice.projectId}/metrics/replays`;
    const refused = await harness.call('DELETE', `${path}/keep`, undefined, { key: slice.secretKey });
    expectRefusal(refused, 409);
    expect(refused.body.message).to.include('subledger replay --delete keep');
    const deleted = await subledger(['replay', '--delete', 'keep'], { DATA_DIR: harness.dataDir });
    expect([deleted.code, deleted.stdout]).to.deep.equal([0, 'keep deleted.\n']);
    expectRefusal(await get('/charts/mrr?replay=keep'), 404);
    await harness.restart(async () => {
      const alone = await subledger(['replay', '--delete', 'same'], { DATA_DIR: harness.dataDir });
      expect([alone.code, alone.stdout]).to.deep.equal([0, 'same deleted.\n']);
    });
    expectRefusal(await get('/charts/mrr?replay=same'), 404);
  });
});

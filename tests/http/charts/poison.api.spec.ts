// An event that the charts cannot fold, with the whole service around it: they stop before it and report it, everything else goes on, and
// the repaired code takes them up from there.
import { expect } from 'chai';
import { createSandbox } from 'sinon';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness, type Slice } from '../support/harness.js';
import { poll } from '../../fixtures/poll.js';

const DAY_MS = 86_400_000;
const DEFECT = 'this code cannot fold it';

describe('charts that meet an event they cannot fold', function () {
  this.timeout(120_000);
  const sandbox = createSandbox();
  const lines: string[] = [];
  let harness: Harness;
  let slice: Slice;
  before(async () => {
    const logged = { write: (line: string) => lines.push(line) };
    harness = await startHarness({ METRICS_PORT: '0', LOG_LEVEL: 'error' }, {}, logged);
    slice = await setUpProject(harness);
  });
  after(async () => {
    sandbox.restore();
    await harness.stop();
  });

  const buy = async (n: number) => {
    const at = Date.now() - DAY_MS + n * 1000;
    const ids = { transactionId: `8${n}`, originalTransactionId: `8${n}`, productId: MONTHLY };
    const transaction = { ...ids, purchaseDate: at, expiresDate: at + 30 * DAY_MS, price: 9990 };
    const body = notification({ notificationType: 'SUBSCRIBED', signedDate: at, transaction });
    expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    await harness.service().idle();
  };
  const get = async (path: string) => {
    const { status, body } = await harness.call('GET', `/v1/projects/${slice.projectId}${path}`, undefined, {
      key: slice.secretKey,
    });
    expect(status).to.equal(200);
    return body;
  };
  const ask = async (path: string) => (await fetch(`${harness.service().metricsUrl}${path}`)).text();
  const state = async () => {
    const { status, haltedProjections } = JSON.parse(await ask('/healthz'));
    const isMeasured = /^projection_halted\{name="customer_histories"\} 1$/m.test(await ask('/metrics'));
    const { summary } = await get('/metrics/charts/revenue?period=last_7_days');
    await expectStaleness(haltedProjections.length > 0);
    const customers = (await get('/customers?limit=100')).items.length;
    return { status, haltedProjections, isMeasured, transactions: summary.transactions.total, customers };
  };

  /** Each response marks a stale value, or contains none. */
  const expectStaleness = async (isStale: boolean) => {
    const chart = await get('/metrics/charts/revenue?period=last_7_days');
    const overview = await get('/metrics/overview');
    const readiness = await harness.call('GET', '/readyz');
    expect(readiness.status).to.equal(200);
    expect(readiness.body.halted).to.deep.equal(isStale ? ['customer_histories'] : undefined);
    expect([chart.staleSince !== undefined, overview.staleSince !== undefined]).to.deep.equal([isStale, isStale]);
    if (isStale) expect(chart.lastComputedAt).to.equal(chart.staleSince).and.to.equal(overview.staleSince);
    const headers = { accept: 'text/csv', 'x-api-key': slice.secretKey };
    const url = `${harness.service().url}/v1/projects/${slice.projectId}/metrics/charts/revenue?period=last_7_days`;
    expect((await fetch(url, { headers })).status).to.equal(isStale ? 503 : 200);
  };

  it('stop before it, report it, and let everything else continue', async () => {
    await buy(1);
    const sound = { status: 'ok', haltedProjections: [], isMeasured: false };
    expect(await state()).to.deep.equal({ ...sound, transactions: 1, customers: 1 });
    const { fold } = customerHistories;
    let poison = '';
    sandbox.stub(customerHistories, 'fold').callsFake((doc, event, id, peer) => {
      if (event.type === 'SubscriptionStarted' && poison === '') poison = event.id;
      if (event.id === poison) throw new Error(DEFECT);
      return fold(doc, event, id, peer);
    });
    await buy(2);
    await buy(3);
    const halted = { status: 'attention', haltedProjections: ['customer_histories'], isMeasured: true };
    expect(await state()).to.deep.equal({ ...halted, transactions: 1, customers: 3 });
    const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'projection halted');
    expect(logged).to.include({ projection: 'customer_histories', eventId: poison });
    expect(logged.stack).to.include(DEFECT);
  });

  it('stay stopped when the same code starts again', async () => {
    await harness.restart();
    await harness.service().idle();
    const { status, isMeasured, transactions } = await state();
    expect({ status, isMeasured, transactions }).to.deep.equal({
      status: 'attention',
      isMeasured: true,
      transactions: 1,
    });
  });

  it('continue where they stopped once the code is repaired', async () => {
    await harness.restart(async () => sandbox.restore());
    await harness.service().idle();
    // On servers the last published state is shown as halted until the repaired code has passed the event.
    const read = async () => JSON.parse(await ask('/healthz'));
    await poll(read, ({ haltedProjections }) => haltedProjections.length === 0);
    const sound = { status: 'ok', haltedProjections: [], isMeasured: false };
    expect(await state()).to.deep.equal({ ...sound, transactions: 3, customers: 3 });
  });
});

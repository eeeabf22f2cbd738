// Charts that several threads compute, each for its share of the customers.
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import sinon from 'sinon';
import { dataFiles } from '../../../src/adapters/configuration/data-directory.js';
import { findChart } from '../../../src/domain/charts/catalogue/catalogue.js';
import { RetryLater, Unavailable } from '../../../src/domain/errors.js';
import { errorResponse } from '../../../src/http/bodies/errors.js';
import { createThreadClient } from '../../../src/main/charts/thread-client.js';
import { ownEngine } from '../../distributed/servers.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { setUpService } from '../support/setup.js';

const CUSTOMERS = 20;
/** The threads that the tests open read the database of the service. */
const engine = ownEngine();

describe('charts in three threads', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService({ CHART_THREADS: '3', ...engine });
  let base: string;
  before(async () => {
    base = `/v1/projects/${slice.projectId}/metrics/charts`;
    for (let n = 0; n < CUSTOMERS; n++) {
      const body = { platform: n % 4 === 0 ? 'android' : 'ios', country: 'DE' };
      await harness.call('POST', `/v1/subscribers/user-${n}`, body, { key: slice.publicKey });
    }
    await harness.service().idle();
  });
  afterEach(() => sinon.restore());
  const get = (path: string) => harness.call('GET', path, undefined, { key: slice.secretKey });
  const today = new Date().toISOString().slice(0, 10);
  const period = `period=${today}..${today}&interval=month`;

  it('count every customer once, in each segment too', async () => {
    const { status, body } = await get(`${base}/customers_new?${period}&segment=platform`);
    expect(status, JSON.stringify(body)).to.equal(200);
    const countOf = ({ buckets }: { buckets: { values: object }[] }) => buckets[0]?.values;
    expect(countOf(body.total)).to.deep.equal({ new_customers: CUSTOMERS });
    expect(countOf(body.segments.ios)).to.deep.equal({ new_customers: 15 });
    expect(countOf(body.segments.android)).to.deep.equal({ new_customers: 5 });
  });

  it('list all customers of a figure in one order, page by page', async () => {
    const [{ start }] = (await get(`${base}/customers_new?${period}`)).body.buckets;
    const ids: string[] = [];
    for (let path = `${base}/customers_new/customers?${period}&bucket=${start}&limit=7`; path;) {
      const { status, body } = await get(path);
      expect(status, JSON.stringify(body)).to.equal(200);
      ids.push(...body.items.map((item: { customerId: string }) => item.customerId));
      path = body.nextPage;
    }
    expect(ids).to.deep.equal([...new Set(ids)].sort());
    expect(ids).to.have.length(CUSTOMERS);
  });

  const newCustomers = () =>
    queryOf(findChart('customers_new')?.id ?? '', {
      ...{ start: today, end: new Date(Date.now() + 86_400_000).toISOString(), interval: 'month' },
      asOf: new Date().toISOString(),
    });
  const openThread = (o: { readonly memoryMb: number; readonly part: number; readonly parts: number }) => {
    const { dataDir } = harness;
    const { documents: file } = dataFiles(dataDir);
    return createThreadClient<object>({ file, mongodbUrl: engine['MONGODB_URL'], dataDir, ...o });
  };

  it('say which setting a project needs that does not fit into the memory, through all threads', async () => {
    const threads = openThread({ memoryMb: 0.0001, part: 0, parts: 2 });
    const refused = await threads.ask('chart', slice.projectId, { query: newCustomers() }).catch((err: unknown) => err);
    await threads.close();
    expect(refused).to.be.instanceOf(RetryLater);
    const { body, retryAfterSeconds } = errorResponse(refused);
    expect(body.message).to.match(/needs about \d+ MB of memory.+set CHART_MEMORY_MB to \d+ or more/);
    expect(retryAfterSeconds).to.equal(60);
  });

  it('continue with a new thread of a part when one dies, and reject the requests that waited for it', async () => {
    const part = openThread({ memoryMb: 10, part: 1, parts: 3 });
    const ask = () => part.ask('chart', slice.projectId, { query: newCustomers() });
    const cut = sinon.stub(Worker.prototype, 'postMessage').callsFake(function (this: Worker) {
      void this.terminate();
    });
    const refused = await ask().catch((err: unknown) => err);
    expect(refused).to.be.instanceOf(Unavailable);
    expect((refused as Unavailable).retryAfterSeconds).to.be.above(0);
    cut.restore();
    expect(await ask()).to.have.property('kind', 'series');
    await part.close();
  });
});

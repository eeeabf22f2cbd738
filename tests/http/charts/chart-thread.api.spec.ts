// The thread of the charts dies, under a question and between two: nothing is answered wrongly, and another takes its place.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import sinon from 'sinon';
import { ledgerFolder } from '../../../src/adapters/configuration/data-directory.js';
import { setUpService } from '../support/setup.js';

const HALF_YEAR = 'startDate=2026-01-01&endDate=2026-06-30&interval=month';

describe('a service whose thread of the charts dies', () => {
  const { harness, slice, as } = setUpService();
  /** Messages to the threads, in order. */
  let told: sinon.SinonSpy<Parameters<Worker['postMessage']>>;
  beforeEach(() => void (told = sinon.spy(Worker.prototype, 'postMessage')));
  afterEach(() => sinon.restore());
  const isJob = ({ args: [message] }: sinon.SinonSpyCall<Parameters<Worker['postMessage']>>) =>
    typeof message === 'object' && 'projectId' in message;
  const threadOf = ({ thisValue }: sinon.SinonSpyCall) => thisValue as Worker;

  const path = () => `/v1/projects/${slice.projectId}/metrics/charts/customers_new?${HALF_YEAR}&filter=country:US`;
  const ask = async () => {
    const { status, body, headers } = await harness.call('GET', path(), undefined, as);
    return { status, headers, message: body.message, buckets: body.buckets };
  };
  const jobs = () => told.getCalls().filter(isJob);
  const end = async () => void (await Promise.all(jobs().map((job) => threadOf(job).terminate())));

  it('answers the next question from another one', async () => {
    const before = await ask();
    expect(before.status).to.equal(200);
    expect(before.buckets).to.have.length(6);
    await end();
    const after = await ask();
    expect(after.status).to.equal(200);
    expect(after.buckets).to.deep.equal(before.buckets);
    const [first, second] = jobs().map(threadOf);
    expect(first).not.to.equal(second);
    await end();
  });

  it('answers its requests with 503 and a time to retry', async () => {
    sinon.restore();
    const cut = sinon.stub(Worker.prototype, 'postMessage').callsFake(function (this: Worker) {
      void this.terminate();
    });
    const refused = await ask();
    expect(cut.calledOnce).to.equal(true);
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    expect(refused.message).to.match(/retry in \d+ seconds?$/);
    cut.restore();
    expect((await ask()).status).to.equal(200);
  });

  it('makes the other one take over the tasks of the first', async () => {
    const folder = ledgerFolder(harness.dataDir);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'something-kept'), '');
    await ask();
    const [first] = jobs().map(threadOf);
    const { chartLedger } = harness.service().services;
    chartLedger.warm();
    while (!told.calledWith('warm')) await new Promise(setImmediate);
    await first?.terminate();
    expect((await ask()).status).to.equal(200);
    const warmed = told.getCalls().filter(({ args: [message] }) => message === 'warm');
    expect(warmed.map(threadOf)).to.deep.equal([first, threadOf(jobs().at(-1) as sinon.SinonSpyCall)]);
    await end();
  });
});

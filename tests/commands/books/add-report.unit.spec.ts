// Adding of a report: interrupted, repeated and at once, it is recorded once and whole.
import { expect } from 'chai';
import { createReportFiles } from '../../../src/adapters/books/report-files.js';
import { readStream, type EventLog } from '../../../src/adapters/event-log/port.js';
import { addReport } from '../../../src/commands/books/add-report.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { streams } from '../../../src/domain/streams.js';
import { readReportLines } from '../../../src/projections/books/report-lines.js';
import { writeEarnings } from '#simulator/store-reports.js';
import { eventsOf, memoryDeps } from '../support/memory-deps.js';

const LINES = 9000;
const by = { actor: { kind: 'system', id: 'spec' }, requestId: 'req_1' } as const;

/** A report of three parts. */
const text = writeEarnings(
  Array.from({ length: LINES }, (_, i) => ({
    ...{ orderId: `GPA.${i}`, day: '2026-10-05', type: 'Charge', packageName: 'com.example.app', sku: 'pro' },
    ...{ country: 'DE', currency: 'EUR', amount: '9.99', merchantCurrency: 'USD', merchantAmount: '11.00' },
  })),
);

async function* content(): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const files = createReportFiles();
const add = async ({ deps }: Awaited<ReturnType<typeof memoryDeps>>) =>
  addReport(deps, by, files, { projectId: 'proj_1', fileName: 'a.csv', account: '1', content: content() });

describe('the adding of a report', () => {
  for (const failingAppend of [1, 2, 3])
    it(`goes on after an interruption before append ${failingAppend}, and is whole`, async () => {
      let appends = 0;
      const rig = await memoryDeps((log): EventLog => ({
        ...log,
        append: (...args) => {
          if (++appends === failingAppend) return Promise.reject(new Unavailable('killed here'));
          return log.append(...args);
        },
      }));
      const interrupted = await add(rig).catch((err: unknown) => err);
      expect(interrupted).to.be.an.instanceOf(Unavailable);
      const { log } = rig.deps;
      expect((await eventsOf(log)).filter(({ type }) => type === 'StoreReportReceived')).to.deep.equal([]);
      const { report, isRepeat } = await add(rig);
      expect(isRepeat).to.equal(false);
      const types: string[] = [];
      for await (const { type } of readStream(log, streams.books('proj_1', report.reportId))) types.push(type);
      const parts = Array.from({ length: report.parts }, () => 'StoreReportPartReceived');
      expect(types).to.deep.equal([...parts, 'StoreReportReceived']);
      expect(report.parts).to.be.above(1);
      expect(await readReportLines(log, 'proj_1', report.reportId, () => Promise.resolve())).to.have.length(LINES);
    });

  it('records one report of two that arrive at once, and none of a repeat', async () => {
    const rig = await memoryDeps();
    const [one, two] = await Promise.all([add(rig), add(rig)]);
    expect(one?.report.reportId).to.equal(two?.report.reportId);
    expect((await add(rig)).isRepeat).to.equal(true);
    const received = (await eventsOf(rig.deps.log)).filter(({ type }) => type === 'StoreReportReceived');
    expect(received).to.have.length(1);
    const lines = await readReportLines(rig.deps.log, 'proj_1', one?.report.reportId ?? '', () => Promise.resolve());
    expect(lines).to.have.length(LINES);
  });
});

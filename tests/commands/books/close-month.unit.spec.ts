// Closing of a month: interrupted, repeated and at once, it counts once and whole.
import { expect } from 'chai';
import { readStream, type EventLog } from '../../../src/adapters/event-log/port.js';
import { changeBooks } from '../../../src/commands/books/change-books.js';
import { closeMonth } from '../../../src/commands/books/close-month.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { streams } from '../../../src/domain/streams.js';
import { eventsOf, memoryDeps } from '../support/memory-deps.js';

const by = { actor: { kind: 'system', id: 'spec' }, requestId: 'req_1' } as const;
const settings = { basis: 'gross', timeZone: 'UTC', lifetimeMonths: 0 } as const;
/** Lines of three parts. */
const lines = Array.from({ length: 30_000 }, (_, i) =>
  JSON.stringify({ transactionId: `GPA.${i}`, text: 'x'.repeat(60) }),
);

const close = ({ deps }: Awaited<ReturnType<typeof memoryDeps>>, requestId = 'req_1', month = '2026-10') =>
  closeMonth(
    deps,
    { ...by, requestId },
    {
      ...{
        projectId: 'proj_1',
        month,
        basedOn: { settings, lastClosingId: null, absenceIds: [] },
        lines,
        entries: lines.length,
      },
      ...{ position: null, totals: [], incompleteReason: null },
    },
  );
const setUp = async (rig: Awaited<ReturnType<typeof memoryDeps>>) =>
  changeBooks(rig.deps, { ...by, requestId: 'req_0' }, 'proj_1', { kind: 'changeSettings', settings });
const closingsIn = async (log: EventLog) => (await eventsOf(log)).filter(({ type }) => type === 'MonthClosed');

describe('the closing of a month', () => {
  for (const failingAppend of [2, 3, 4])
    it(`counts for nothing after an interruption before append ${failingAppend}, and goes on when repeated`, async () => {
      let appends = 0;
      const rig = await memoryDeps((log): EventLog => ({
        ...log,
        append: (...args) => {
          if (++appends === failingAppend) return Promise.reject(new Unavailable('killed here'));
          return log.append(...args);
        },
      }));
      await setUp(rig);
      expect(await close(rig).catch((err: unknown) => err)).to.be.an.instanceOf(Unavailable);
      expect(await closingsIn(rig.deps.log)).to.deep.equal([]);
      await close(rig, 'req_2');
      const [closed] = await closingsIn(rig.deps.log);
      const { closingId, parts } = closed?.data as { closingId: string; parts: number };
      const recorded: number[] = [];
      for await (const event of readStream(rig.deps.log, streams.books('proj_1', closingId)))
        if (event.type === 'MonthClosingPartRecorded') recorded.push(event.data.part);
      expect(recorded).to.deep.equal(Array.from({ length: parts }, (_, i) => i));
      expect(parts).to.be.above(1);
    });

  it('closes once of two at the same time, and of a repeat', async () => {
    const rig = await memoryDeps();
    await setUp(rig);
    await Promise.all([close(rig, 'req_1'), close(rig, 'req_2')]);
    await close(rig, 'req_3');
    expect(await closingsIn(rig.deps.log)).to.have.length(1);
  });

  it('refuses figures of which the settings or a closed month changed meanwhile', async () => {
    const rig = await memoryDeps();
    await changeBooks(rig.deps, by, 'proj_1', { kind: 'changeSettings', settings: { ...settings, basis: 'net' } });
    const refused = await close(rig, 'req_2').catch((err: unknown) => err);
    expect(refused).to.be.an.instanceOf(Rejection).and.include({ code: 'books-changed' });
    expect(await closingsIn(rig.deps.log)).to.deep.equal([]);
  });
});

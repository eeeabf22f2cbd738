// Recording of findings and look-ups: interrupted before or after any append, repeated and at once, each is in the log once.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { recordLookUps } from '../../../src/commands/books/look-ups.js';
import { recordFindings } from '../../../src/commands/books/record-findings.js';
import type { FindingsCommand } from '../../../src/domain/books/findings.js';
import type { LookUpOutcome } from '../../../src/domain/books/look-up-outcomes.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { eventsOf, memoryDeps } from '../support/memory-deps.js';

const findings: readonly FindingsCommand[] = [
  {
    kind: 'recordMissingLines',
    missing: {
      ...{ month: '2026-10', reportId: 'rep_1', kind: 'earnings', store: 'android-store', account: '1', lines: 1 },
      ...{ totals: [], examples: [] },
    },
  },
  { kind: 'recordCompletion', completed: { month: '2026-10', reportIds: ['rep_1'], totals: [] } },
];
const actor = { kind: 'store', id: 'android-store' } as const;
const lookedUp = (...outcomes: readonly LookUpOutcome[]) => ({
  ...{ month: '2026-10', reportId: 'rep_1' },
  results: outcomes.map((outcome, i) => ({ orderId: `GPA.${i}`, outcome })),
});

/** `breaksAt`: the append that fails, once. `isDone`: it fails after the events were stored. */
const rigThatBreaks = (breaksAt: number, isDone: boolean) => {
  let appends = 0;
  return memoryDeps((log): EventLog => ({
    ...log,
    append: async (...args) => {
      const isBroken = ++appends === breaksAt;
      if (isBroken && !isDone) throw new Unavailable('killed before');
      const receipt = await log.append(...args);
      if (isBroken) throw new Unavailable('killed after');
      return receipt;
    },
  }));
};

describe('findings and look-ups of the books', () => {
  for (const isDone of [false, true])
    it(`are recorded once after an interruption ${isDone ? 'after' : 'before'} the append`, async () => {
      for (const work of [
        (deps: Parameters<typeof recordFindings>[0]) => recordFindings(deps, { projectId: 'proj_1', findings }),
        (deps: Parameters<typeof recordFindings>[0]) =>
          recordLookUps(deps, actor, 'proj_1', lookedUp('recorded', 'not_shown')),
      ]) {
        const whole = await memoryDeps();
        await work(whole.deps);
        const { deps } = await rigThatBreaks(1, isDone);
        const failed = await work(deps).then(
          () => null,
          (err: unknown) => err,
        );
        expect(failed).to.be.instanceOf(Unavailable);
        await Promise.all([work(deps), work(deps)]);
        const dataOf = (all: Awaited<ReturnType<typeof eventsOf>>) => all.map(({ type, data }) => ({ type, data }));
        expect(dataOf(await eventsOf(deps.log))).to.deep.equal(dataOf(await eventsOf(whole.deps.log)));
      }
    });

  it('of an order have its last outcome, also one that it had before', async () => {
    const { deps } = await memoryDeps();
    for (const outcome of ['not_permitted', 'unknown_order', 'unknown_order', 'not_permitted', 'recorded'] as const)
      await recordLookUps(deps, actor, 'proj_1', lookedUp(outcome));
    const outcomes = (await eventsOf(deps.log)).map(
      ({ data }) => (data as ReturnType<typeof lookedUp>).results[0]?.outcome,
    );
    expect(outcomes).to.deep.equal(['not_permitted', 'unknown_order', 'not_permitted', 'recorded']);
  });
});

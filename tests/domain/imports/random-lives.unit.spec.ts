// Random lives of subscriptions: first as the store's notifications, then as the rows of an export of them, imported without the
// notifications. `LIVES` sets how many (300), `SEED` which. The export contains no undone changes (auto-renewal turned off and on again,
// refunds taken back), so that lives with a reversed refund are compared by their charges alone.
import { expect } from 'chai';
import fc from 'fast-check';
import { figuresOf } from '../../commands/support/chart-figures.js';
import { chainPlans, notificationsOf, type ChainPlan } from '../../commands/stores/ios/random-chain.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { exportedPlans, exportOf, importRows, OF_AUTO_RENEWAL } from './exported-rows.js';
import { accessOf, chargesOf, liveOf, nobody, withMessages, type Life } from './lives.js';

const RUNS = { numRuns: Number(process.env['LIVES'] ?? 150), seed: Number(process.env['SEED'] ?? 7) };

describe(`${RUNS.numRuns} random lives imported from an export (seed ${RUNS.seed})`, function () {
  this.timeout(Math.max(120_000, RUNS.numRuns * 400));
  const exported = exportedPlans();

  const compare = (plans: fc.Arbitrary<ChainPlan>, shown: (life: Life) => unknown) => {
    const isSame = (plan: ChainPlan) => {
      const live = liveOf(plan);
      expect(shown(importRows(exportOf(live)))).to.deep.equal(shown(live));
    };
    fc.assert(fc.property(plans, isSame), RUNS);
  };

  it('have the charges and refunds of the lives', () => compare(chainPlans(), chargesOf));

  it('have the access of the lives on every later day', () => compare(exported, accessOf));

  it('have the chart figures of the lives, but for undone changes of auto-renewal', () =>
    compare(exported, ({ events }) => figuresOf(events).filter((figure) => !OF_AUTO_RENEWAL.test(figure))));

  it('have all chart figures of lives without a change of auto-renewal', () => {
    const withoutToggles = exported.map(({ stints }) => ({
      stints: stints.map((stint) => ({ ...stint, periods: stint.periods.map((one) => ({ ...one, toggles: [] })) })),
    }));
    compare(withoutToggles, ({ events }) => figuresOf(events));
  });
});

describe(`${RUNS.numRuns} random lives imported between the messages of the store (seed ${RUNS.seed})`, function () {
  this.timeout(Math.max(120_000, RUNS.numRuns * 400));
  const percent = fc.integer({ min: 0, max: 100 });
  /** Shares of the messages, in percent: before the first that is forwarded here, before the export, and before the import. */
  const shares = fc.tuple(percent, percent, percent);

  /** The life as it is known here if an export fills what was before the first message. */
  const mixedOf = (plan: ChainPlan, [first, exported, imported]: readonly number[], passes: boolean): Life => {
    const messages = notificationsOf(plan);
    const placeOf = (share = 0) => Math.floor((share / 100) * (messages.length + 1));
    const exportedAfter = Math.max(1, placeOf(exported));
    const importedAfter = Math.max(exportedAfter, placeOf(imported));
    const begin = Math.min(placeOf(first), exportedAfter);
    const rows = exportOf(withMessages(nobody, messages.slice(0, exportedAfter), passes));
    const before = withMessages(nobody, messages.slice(begin, importedAfter), passes);
    const now = isoFromMs((messages[importedAfter - 1]?.signedDate ?? 0) + 60_000);
    return withMessages(importRows(rows, now, before), messages.slice(importedAfter), passes);
  };
  const compare = (shown: (life: Life) => unknown) =>
    fc.assert(
      fc.property(exportedPlans(), shares, fc.boolean(), (plan, at, passes) => {
        expect(shown(mixedOf(plan, at, passes))).to.deep.equal(shown(liveOf(plan, passes)));
      }),
      RUNS,
    );

  it('have the charges and refunds of the lives', () => compare(chargesOf));

  it('have the access of the lives on every later day', () => compare(accessOf));

  it('have the chart figures of the lives, but for undone changes of auto-renewal', () =>
    compare(({ events }) => figuresOf(events).filter((figure) => !OF_AUTO_RENEWAL.test(figure))));
});

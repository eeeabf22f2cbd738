// Ends of periods that only the export or only the messages of the store contain: each keeps what the other leaves out.
import { expect } from 'chai';
import { isoFromMs } from '../../../src/domain/time.js';
import { figuresOf } from '../../commands/support/chart-figures.js';
import { notificationsOf, type ChainPlan } from '../../commands/stores/ios/random-chain.js';
import { exportOf, importRows } from './exported-rows.js';
import { liveOf, nobody, withMessages } from './lives.js';

const calm = { toggles: [], refundsFormer: false, extension: 0, isPriceRaised: false, isUpgraded: false };
const planOf = (first: object, second: object): ChainPlan => ({
  stints: [
    {
      ...{ beginsWithTrial: false, ending: 'open', refund: null, pause: 1 },
      periods: [
        { ...calm, passage: 'renewal', ...first },
        { ...calm, passage: 'renewal', ...second },
      ],
    },
  ],
});

describe('an export imported beside the messages of the store', () => {
  /** Figures if the export has the first `exported` messages, and the messages from `from` to `to` are known before the import. */
  const figuresWith = (plan: ChainPlan, [exported, from, to]: readonly [number, number, number]) => {
    const messages = notificationsOf(plan);
    const rows = exportOf(withMessages(nobody, messages.slice(0, exported), false));
    const now = isoFromMs((messages[Math.max(exported, to) - 1]?.signedDate ?? 0) + 60_000);
    const imported = importRows(rows, now, withMessages(nobody, messages.slice(from, to), false));
    return figuresOf(withMessages(imported, messages.slice(Math.max(exported, to)), false).events);
  };

  it('keeps its grace period when a former period is refunded afterwards', () => {
    const plan = planOf({ passage: 'recovery after grace' }, { refundsFormer: true });
    expect(notificationsOf(plan).at(-1)?.notificationType).to.equal('REFUND');
    expect(figuresWith(plan, [4, 4, 4])).to.deep.equal(figuresOf(liveOf(plan).events));
  });

  for (const [what, first] of [
    ['an extension', { extension: 4 }],
    ['a failed charge', { passage: 'recovery in retry' }],
    ['a grace period', { passage: 'recovery after grace' }],
  ] as const)
    it(`ends no subscription early that has ${what} since the export was written`, () => {
      const plan = planOf(first, {});
      const { length } = notificationsOf(plan);
      expect(figuresWith(plan, [1, 0, length])).to.deep.equal(figuresOf(liveOf(plan).events));
    });
});

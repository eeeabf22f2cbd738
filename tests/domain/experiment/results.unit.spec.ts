// Results of one customer in an experiment, from the customer's chart history.
import { expect } from 'chai';
import type { Adjustment, Line, Mark, Period } from '../../../src/domain/charts/history/history.js';
import { emptyCustomerHistory } from '../../../src/domain/charts/history/history.js';
import { knownHistoryOf } from '../../../src/domain/charts/history/known-history.js';
import { outcomeOf, summarize } from '../../../src/domain/experiment/results.js';

const DAY = 86_400_000;
const BEGIN = Date.parse('2026-11-01T00:00:00.000Z');
const on = (day: number) => BEGIN + day * DAY;
const stamp = (day: number) => ({ at: on(day), known: on(day) });

const period = (id: string, from: number, to: number, o: Partial<Period> = {}): Period => ({
  ...stamp(from),
  id,
  type: 'normal',
  until: on(to),
  duration: 'P1M',
  usd: 9_990_000,
  tax: 0,
  fee: 0.15,
  ...o,
});
const trial = (to: number) => period('t', 0, to, { type: 'trial', usd: 0 });

type ExperimentSetup = {
  readonly marks?: readonly Mark[];
  readonly refunds?: { readonly [id: string]: readonly Adjustment[] };
  readonly origin?: Partial<Line>;
};

function outcome(periods: readonly Period[], enrolled: number, asOf: number, o: ExperimentSetup = {}) {
  const store = { store: 'ios-store', appId: 'app_1', productId: 'prod_1', productDuration: 'P1M' };
  const about = { ...store, offeringId: null, offerType: null, startReason: null, country: 'US' };
  const line: Line = { about, isSandbox: false, isShared: false, isStarted: true, periods, marks: o.marks ?? [] };
  const own = { created: null, seen: [], lines: { sub: { ...line, ...o.origin } }, adjustments: o.refunds ?? {} };
  return outcomeOf(knownHistoryOf({ ...emptyCustomerHistory, own }, 'production', on(asOf)), on(enrolled), on(asOf));
}

describe('the outcome of a customer in an experiment', () => {
  it('is nothing for an unknown customer', () =>
    expect(outcomeOf(null, BEGIN, BEGIN)).to.include({ isConverted: false, revenueMicros: 0, mrrMicros: 0 }));

  it('is a paying, active one after a purchase, and a churned one after its end', () => {
    const month = period('a', 0, 30);
    const paid = { isConverted: true, isPaying: true, revenueMicros: 9_990_000 };
    expect(outcome([month], 0, 10)).to.include({ ...paid, isActive: true, isChurned: false, mrrMicros: 9_990_000 });
    expect(outcome([month], 0, 31)).to.include({ ...paid, isActive: false, isChurned: true, mrrMicros: 0 });
  });

  it('leaves out what was before the enrolment, but for access', () =>
    expect(outcome([period('a', 0, 30)], 5, 10)).to.include({
      ...{ isConverted: false, isPaying: false, revenueMicros: 0, isActive: true },
    }));

  it('follows a trial to its end', () => {
    const counts = ({ trialsStarted, trialsCompleted, trialsConverted }: ReturnType<typeof outcome>) => [
      ...[trialsStarted, trialsCompleted, trialsConverted],
    ];
    expect(counts(outcome([trial(7)], 0, 3))).to.deep.equal([1, 0, 0]);
    expect(counts(outcome([trial(7)], 0, 8))).to.deep.equal([1, 1, 0]);
    expect(counts(outcome([trial(7), period('a', 7, 37)], 0, 8))).to.deep.equal([1, 1, 1]);
    expect(outcome([trial(7)], 0, 3)).to.include({ isConverted: true, isPaying: false, isActive: false });
  });

  it('takes money given back out again, and the access with it', () => {
    const decided = { cuts: true, policy: 'revoke_immediately' as const, isLatest: true };
    const refund = { kind: 'refund' as const, usd: 9_990_000, share: 1, ...decided, purchase: null };
    const refunds = { a: [{ ...stamp(4), ...refund }] };
    expect(outcome([period('a', 0, 30)], 0, 3, { refunds })).to.include({ isRefunded: false, isActive: true });
    expect(outcome([period('a', 0, 30)], 0, 10, { refunds })).to.include({
      ...{ isRefunded: true, revenueMicros: 0, isActive: false, isChurned: true, isPaying: true },
    });
  });

  it('is nothing in the sandbox, and of what is only shared', () => {
    for (const origin of [{ isSandbox: true }, { isShared: true }]) {
      expect(outcome([period('a', 0, 30)], 0, 10, { origin })).to.include({ isConverted: false, isActive: false });
    }
  });

  it('is summed per variant, without a rate of zero customers', () => {
    const some = summarize([outcome([period('a', 0, 30)], 0, 10), outcome([], 0, 10)]);
    expect(some).to.include({ customers: 2, initialConversions: 1, initialConversionRate: 0.5, mrrMicros: 9_990_000 });
    expect(summarize([])).to.include({ customers: 0, initialConversionRate: null, trialConversionRate: null });
  });
});

// Random lives of subscriptions: first as the store's notifications, then as the rows of an export of them, imported without the
// notifications. `LIVES` sets how many (300), `SEED` which. The export contains no undone changes (auto-renewal turned off and on again,
// refunds taken back), so that lives with a reversed refund are compared by their charges alone.
import { expect } from 'chai';
import fc from 'fast-check';
import { readTransaction } from '../../../src/commands/imports/revenuecat/transactions.js';
import { figuresOf } from '../../commands/support/chart-figures.js';
import { chainPlans, type ChainPlan } from '../../commands/stores/ios/random-chain.js';
import { accessOf, chargesOf, importFacts, liveOf, NOW, type Life } from './lives.js';

const RUNS = { numRuns: Number(process.env['LIVES'] ?? 150), seed: Number(process.env['SEED'] ?? 7) };

type Row = Record<string, string | null>;

/** The rows that a service would export of the life at the end: a snapshot of each transaction. */
function exportOf({ events, state }: Life): readonly Row[] {
  const rows = new Map<string, Row & { store_transaction_id: string }>();
  let current = '';
  const time = (iso: string) => iso.slice(0, 19).replace('T', ' ');
  for (const { type, data, at = '' } of events) {
    if (type === 'SubscriptionStarted' || type === 'SubscriptionRenewed') {
      current = data.purchase.transactionId;
      const { money, purchasedAt, expiresAt, periodType } = data;
      const units = money.amountMicros === null ? null : String(money.amountMicros / 1_000_000);
      rows.set(current, {
        rc_original_app_user_id: 'alice',
        store: 'app_store',
        product_identifier: data.purchase.storeProductId,
        start_time: time(purchasedAt),
        end_time: time(expiresAt),
        is_auto_renewable: 'true',
        is_trial_period: String(periodType === 'trial'),
        purchase_price_in_purchased_currency: units,
        price_in_purchased_currency: units,
        purchased_currency: money.currency,
        commission_percentage: String(money.commissionRate),
        tax_percentage: String(money.taxRate),
        store_transaction_id: current,
        original_store_transaction_id: data.purchase.originalTransactionId,
      });
    }
    const row = rows.get(current);
    if (!row) continue;
    if (type === 'SubscriptionExtended') row['end_time'] = time(data.expiresAt);
    if (type === 'SubscriptionAutoRenewDisabled') row['unsubscribe_detected_at'] = time(at);
    if (type === 'SubscriptionAutoRenewEnabled') row['unsubscribe_detected_at'] = null;
    if (type === 'SubscriptionBillingIssueDetected') {
      row['billing_issues_detected_at'] = time(at);
      row['grace_period_end_time'] = data.gracePeriodExpiresAt && time(data.gracePeriodExpiresAt);
    }
  }
  for (const { transactionId, refund } of state.transactions.values()) {
    const row = rows.get(transactionId);
    if (row && refund) Object.assign(row, { refunded_at: time(refund.at), price_in_purchased_currency: '0' });
  }
  return [...rows.values()];
}

function importOf(rows: readonly Row[]): Life {
  const options = { sandbox: 'keep', usd: 'keep', otherStores: 'skip', appIds: [] } as const;
  const facts = rows.flatMap((values, i) => {
    const read = readTransaction({ from: { file: 'tx.csv', row: i + 2 }, values }, { now: NOW, options });
    expect(read.problems).to.deep.equal([]);
    return read.facts;
  });
  return importFacts(facts);
}

/** Measures that follow each change of auto-renewal, of which an export contains only the last. */
const OF_AUTO_RENEWAL = /set_to_(renew|cancel)/;

describe(`${RUNS.numRuns} random lives imported from an export (seed ${RUNS.seed})`, function () {
  this.timeout(Math.max(120_000, RUNS.numRuns * 400));
  /** Refunds that were taken back and withdrawn family shares leave no trace in an export. */
  const exported = chainPlans().map(({ stints }) => ({
    stints: stints.map((stint, index) => ({
      ...stint,
      ending: stint.ending === 'revocation' ? ('expiry' as const) : stint.ending,
      refund: stint.refund && { ...stint.refund, reversedAfter: null },
      // Nobody buys again in the very second in which a refunded period would have renewed: each begins at another time of day.
      pause: stint.pause + 0.25 + index / 8,
    })),
  }));

  const compare = (plans: fc.Arbitrary<ChainPlan>, shown: (life: Life) => unknown) => {
    const isSame = (plan: ChainPlan) => {
      const live = liveOf(plan);
      expect(shown(importOf(exportOf(live)))).to.deep.equal(shown(live));
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

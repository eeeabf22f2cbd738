// Random lives of one subscription as rows of RevenueCat's export of transactions, and their import.
import { expect } from 'chai';
import type fc from 'fast-check';
import { readTransaction } from '../../../src/commands/imports/revenuecat/transactions.js';
import { chainPlans, type ChainPlan } from '../../commands/stores/ios/random-chain.js';
import { importFacts, NOW, type Life } from './lives.js';

export type Row = Record<string, string | null>;

/** The rows that a service would export of the life at the end: a snapshot of each transaction. */
export function exportOf({ events, state }: Life): readonly Row[] {
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

/** Imports rows at the instant `now`; `before`: what is recorded here already. */
export function importRows(rows: readonly Row[], now?: string, before?: Life): Life {
  const options = { sandbox: 'keep', usd: 'keep', otherStores: 'skip', appIds: [] } as const;
  const facts = rows.flatMap((values, i) => {
    const read = readTransaction({ from: { file: 'tx.csv', row: i + 2 }, values }, { now: now ?? NOW, options });
    expect(read.problems).to.deep.equal([]);
    return read.facts;
  });
  return importFacts(facts, now, before);
}

/** Lives without refunds that were taken back and withdrawn family shares, which leave no trace in an export. */
export function exportedPlans(): fc.Arbitrary<ChainPlan> {
  return chainPlans().map(({ stints }) => ({
    stints: stints.map((stint, index) => ({
      ...stint,
      ending: stint.ending === 'revocation' ? ('expiry' as const) : stint.ending,
      refund: stint.refund && { ...stint.refund, reversedAfter: null },
      // Nobody buys again in the very second in which a refunded period would have renewed: each begins at another time of day.
      pause: stint.pause + 0.25 + index / 8,
    })),
  }));
}

/** Measures that follow each change of auto-renewal, of which an export contains only the last. */
export const OF_AUTO_RENEWAL = /set_to_(renew|cancel)/;

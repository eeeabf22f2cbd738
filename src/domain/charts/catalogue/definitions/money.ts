// Definitions of the charts of money.
import type { ChartDefinition } from './definition.js';
import { payers as story } from './stories.js';

export const revenue: ChartDefinition = {
  formulas: {
    revenue: 'Charges less refunds, each on its own day.',
    new_revenue: 'Charge, refunds and reversals of the first paid transaction of each customer.',
    renewal_revenue: 'Revenue less new revenue.',
    gross_revenue: 'Charges.',
    refunds: 'Refunds, less refunds that the store reversed.',
    tax: 'Tax in charges, less tax in refunds.',
    commission: 'Commission of the store in charges, less that in refunds.',
    proceeds: 'Revenue less tax and commission.',
    transactions: 'Number of paid transactions.',
    unconverted_transactions: 'Paid transactions without an exchange rate, which add nothing to the amounts.',
  },
  edgeCases: {
    trials: 'A free trial brings no revenue, and is no transaction.',
    grace: 'A grace period brings no revenue; a payment counts on its own day.',
    annual: 'The price of a year counts as a whole on the day of its payment.',
    taxes: 'Included in revenue, and deducted from proceeds. A country without a rate has no tax.',
    refunds:
      'A refund is deducted on the day of the refund, not of the payment. The tax and commission in it are deducted too.',
    currency: 'Amounts are converted at the rate of the day of the payment; a refund at the rate of its payment.',
  },
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [
      { measure: 'revenue', calculation: '10 + 5 - 8', value: 7 },
      { measure: 'new_revenue', calculation: '5 - 8', value: -3 },
      { measure: 'renewal_revenue', calculation: '7 - (5 - 8)', value: 10 },
      { measure: 'gross_revenue', calculation: '10 + 5', value: 15 },
      { measure: 'refunds', calculation: '8', value: 8 },
      { measure: 'tax', calculation: '0.1 * 10', value: 1 },
      { measure: 'commission', calculation: '0.3 * (10 + 5 - 8)', value: 2.1 },
      { measure: 'proceeds', calculation: '7 - 1 - 2.1', value: 3.9 },
      { measure: 'transactions', calculation: '1 + 1', value: 2 },
      { measure: 'unconverted_transactions', calculation: '0', value: 0 },
    ],
    because:
      'Ana’s renewal and Bob’s purchase were charged in February, and Eve’s January payment was refunded. The store retains 30%.',
  },
};

export const refundRate: ChartDefinition = {
  formulas: {
    transactions: 'Paid transactions of the period.',
    refunded_transactions: 'Those of them that were refunded, partly or fully, at any time since.',
    refund_rate: '100 × refunded transactions / transactions.',
  },
  edgeCases: {
    trials: 'A free trial is no transaction.',
    grace: 'A grace period is no transaction.',
    annual: 'The payment of a year is one transaction.',
    taxes: 'Without effect: this is a number of transactions.',
    refunds:
      'A refund counts in the period of the payment, so that past values may rise. A reversed refund does not count.',
    currency: 'Without effect; transactions without an exchange rate count.',
  },
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'transactions', calculation: '1 + 1', value: 2 },
      { measure: 'refunded_transactions', calculation: '1', value: 1 },
      { measure: 'refund_rate', calculation: '100 * 1 / 2', value: 50 },
    ],
    because: 'Ana and Eve paid in January. Eve’s refund of 9 Feb counts in January, where she paid.',
  },
};

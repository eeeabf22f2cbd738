// Charts of money, by the day on which it moved.
import { defineMeasure, type SeriesChart } from './chart.js';
import * as definitions from './definitions/money.js';

const common = { category: 'revenue', kind: 'series', subject: 'purchases', needs: 'money', selectors: [] } as const;

export const moneyCharts: readonly SeriesChart[] = [
  {
    ...common,
    id: 'revenue',
    name: 'Revenue',
    description: 'Charges less refunds, each on its own day, with taxes and store commission.',
    definition: definitions.revenue,
    unit: 'usd',
    drawing: 'bars',
    watch: { measure: 'revenue', count: 'transactions' },
    measures: [
      defineMeasure('usd', 'revenue'),
      defineMeasure('usd', 'new_revenue'),
      defineMeasure('usd', 'renewal_revenue'),
      defineMeasure('usd', 'gross_revenue'),
      defineMeasure('usd', 'refunds'),
      defineMeasure('usd', 'tax'),
      defineMeasure('usd', 'commission'),
      defineMeasure('usd', 'proceeds'),
      defineMeasure('count', 'transactions'),
      defineMeasure('count', 'unconverted_transactions'),
    ],
    values: ({ flow }) => {
      const [gross, refunds] = [flow('money.gross'), flow('money.refunds')];
      const [tax, commission] = [flow('money.tax'), flow('money.commission')];
      const revenue = gross - refunds;
      return {
        revenue,
        new_revenue: flow('money.new'),
        renewal_revenue: revenue - flow('money.new'),
        gross_revenue: gross,
        refunds,
        tax,
        commission,
        proceeds: revenue - tax - commission,
        transactions: flow('money.transactions'),
        unconverted_transactions: flow('money.unconverted'),
      };
    },
  },
  {
    ...common,
    id: 'refund_rate',
    name: 'Refund Rate',
    description: 'Refunded transactions, partly or fully, by the day of their purchase.',
    definition: definitions.refundRate,
    unit: 'percent',
    measures: [
      defineMeasure('count', 'transactions'),
      defineMeasure('count', 'refunded_transactions'),
      defineMeasure('percent', 'refund_rate'),
    ],
    values: ({ flow }) => {
      const [transactions, refunded] = [flow('money.transactions'), flow('money.refunded_transactions')];
      return { transactions, refunded_transactions: refunded, refund_rate: { of: refunded, per: transactions } };
    },
  },
];

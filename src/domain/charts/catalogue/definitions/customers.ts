// Definitions of the charts of customers.
import type { ChartDefinition, EdgeCases } from './definition.js';
import { newcomers as story } from './stories.js';

const ofCustomers: EdgeCases = {
  trials: 'Without effect: every customer counts, paying or not.',
  grace: 'Without effect: every customer counts, paying or not.',
  annual: 'Without effect: every customer counts, paying or not.',
  taxes: 'Without effect: this is a number of customers.',
  refunds: 'Without effect: every customer counts, paying or not.',
  currency: 'Without effect: this is a number of customers.',
};

const ofPaying: EdgeCases = {
  trials: 'A free trial is no payment.',
  grace: 'A grace period is no payment.',
  annual: 'A payment for a year is one payment.',
  taxes: 'Without effect: this is a number of customers.',
  refunds: 'A customer whose payments were all fully refunded within the timeframe did not pay.',
  currency: 'Without effect; a payment without an exchange rate counts.',
};

const ofMoney: EdgeCases = {
  trials: 'A free trial brings nothing.',
  grace: 'A grace period brings nothing.',
  annual: 'The price of a year counts as a whole on the day of its payment.',
  taxes: 'Included; `revenueType` deducts taxes (`revenue_net_of_taxes`), or taxes and commission (`proceeds`).',
  refunds: 'A refund is deducted on its own day, with its own customer.',
  currency: 'Amounts are converted at the rate of the day of the payment. A payment without a rate adds 0.',
};

const newCustomers = 'Customers who were first seen, or first purchased, in the period.';
const realizedLtv = 'Charges less refunds of the new customers until now, or within the customer lifetime.';

export const customersNew: ChartDefinition = {
  formulas: { new_customers: newCustomers },
  edgeCases: ofCustomers,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [{ measure: 'new_customers', calculation: '1 + 1 + 1', value: 3 }],
    because: 'Ana, Bob and Cyd were first seen in January.',
  },
};

export const customersActive: ChartDefinition = {
  formulas: { active_customers: 'Customers whose app was in use in the period, each once.' },
  edgeCases: { ...ofCustomers, annual: 'Without effect. A renewal by the store is no use of the app.' },
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [{ measure: 'active_customers', calculation: '1 + 1', value: 2 }],
    because: 'Bob used the app, and Dov was first seen. Ana’s renewal is no use of the app.',
  },
};

export const conversionToPaying: ChartDefinition = {
  formulas: {
    new_customers: newCustomers,
    paying_customers: 'New customers who paid since, or within the conversion timeframe.',
    conversion_rate: '100 × paying customers / new customers.',
  },
  edgeCases: ofPaying,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'new_customers', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'paying_customers', calculation: '1', value: 1 },
      { measure: 'conversion_rate', calculation: '100 * 1 / 3', value: 33.33 },
    ],
    because: 'Of Ana, Bob and Cyd, Ana paid. Bob never did, and Cyd’s payment was fully refunded.',
  },
};

export const ltvPerCustomer: ChartDefinition = {
  formulas: {
    new_customers: newCustomers,
    realized_ltv: realizedLtv,
    ltv_per_customer: 'Realized LTV / new customers.',
  },
  edgeCases: ofMoney,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'new_customers', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'realized_ltv', calculation: '10 + 10 + 10 - 10', value: 20 },
      { measure: 'ltv_per_customer', calculation: '20 / 3', value: 6.67 },
    ],
    because:
      'Ana paid twice, Cyd once with a refund, Bob never. February’s payments count where the customers came from.',
  },
};

export const ltvPerPayingCustomer: ChartDefinition = {
  formulas: {
    paying_customers: 'New customers who paid since, or within the customer lifetime.',
    realized_ltv: realizedLtv,
    ltv_per_paying_customer: 'Realized LTV / paying customers. Empty if there are none.',
  },
  edgeCases: {
    ...ofMoney,
    refunds: `${ofMoney.refunds} A customer whose payments were all fully refunded is not paying.`,
  },
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'paying_customers', calculation: '1', value: 1 },
      { measure: 'realized_ltv', calculation: '10 + 10 + 10 - 10', value: 20 },
      { measure: 'ltv_per_paying_customer', calculation: '20 / 1', value: 20 },
    ],
    because: 'Ana paid twice. Cyd’s payment and its refund cancel out, and she is not paying.',
  },
};

export const cohortExplorer: ChartDefinition = {
  formulas: {
    size: 'Customers who joined in the row: were first seen, or as `cohort` defines it.',
    value:
      'Charges less refunds in the interval of this number since the day on which each customer joined; or what `cohortMeasure` chooses.',
  },
  edgeCases: {
    ...ofMoney,
    annual: `${ofMoney.annual} With \`cohortMeasure=retained_subscriptions\` it counts in each interval.`,
  },
  example: {
    ...{ story, month: '2026-01-01', column: 1 },
    figures: [
      { measure: 'size', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'value', calculation: '10', value: 10 },
    ],
    because:
      'Ana’s second month begins on 3 Feb and has her renewal. Cyd’s begins on 20 Feb, after her payment and its refund.',
  },
};

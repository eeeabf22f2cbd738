// Charts of customers: new and active customers and their value, counted at their first sighting.
import { defineMeasure, type CohortChart, type SeriesChart } from './chart.js';
import * as definitions from './definitions/customers.js';
import { subscriptionRetention } from './definitions/subscriptions.js';

const common = { kind: 'series', subject: 'customers', needs: 'customers' } as const;
const lifetime = { selectors: ['customerLifetime', 'revenueType'] } as const;

export const customerCharts: readonly (SeriesChart | CohortChart)[] = [
  {
    ...common,
    id: 'customers_new',
    name: 'New Customers',
    description: 'Customers by the time of their first sighting or purchase.',
    definition: definitions.customersNew,
    category: 'customers',
    unit: 'count',
    selectors: [],
    drawing: 'bars',
    watch: { measure: 'new_customers', count: 'new_customers' },
    measures: [defineMeasure('count', 'new_customers')],
    values: ({ flow }) => ({ new_customers: flow('customers.new') }),
  },
  {
    ...common,
    id: 'customers_active',
    name: 'Active Customers',
    description: 'Customers whose app was in use at least once in each bucket; buckets do not add up.',
    definition: definitions.customersActive,
    category: 'customers',
    unit: 'count',
    needs: 'activity',
    selectors: [],
    drawing: 'bars',
    watch: { measure: 'active_customers', count: 'active_customers' },
    measures: [defineMeasure('count', 'active_customers', false)],
    values: ({ flow }) => ({ active_customers: flow('customers.active') }),
  },
  {
    ...common,
    id: 'conversion_to_paying',
    name: 'Conversion to Paying',
    description: 'New customers that paid, within a number of days or ever.',
    definition: definitions.conversionToPaying,
    category: 'conversion',
    unit: 'percent',
    selectors: ['conversionTimeframe'],
    window: (selectors) => selectors.conversionTimeframe,
    measures: [
      defineMeasure('count', 'new_customers'),
      defineMeasure('count', 'paying_customers'),
      defineMeasure('percent', 'conversion_rate'),
    ],
    values: ({ flow }) => {
      const [new_customers, paying] = [flow('customers.new'), flow('customers.converted')];
      return { new_customers, paying_customers: paying, conversion_rate: { of: paying, per: new_customers } };
    },
  },
  {
    ...common,
    ...lifetime,
    id: 'ltv_per_customer',
    name: 'Realized LTV per Customer',
    description: 'Revenue so far from the customers first seen in each bucket, per customer.',
    definition: definitions.ltvPerCustomer,
    category: 'cohort',
    unit: 'usd',
    window: (selectors) => selectors.customerLifetime,
    measures: [
      defineMeasure('count', 'new_customers'),
      defineMeasure('usd', 'realized_ltv'),
      defineMeasure('usd', 'ltv_per_customer', false),
    ],
    values: ({ flow }) => {
      const [new_customers, realized_ltv] = [flow('customers.new'), flow('customers.ltv')];
      return { new_customers, realized_ltv, ltv_per_customer: { of: realized_ltv, per: new_customers } };
    },
  },
  {
    ...common,
    ...lifetime,
    id: 'ltv_per_paying_customer',
    name: 'Realized LTV per Paying Customer',
    description: 'Revenue so far from the customers first seen in each bucket, per customer that paid.',
    definition: definitions.ltvPerPayingCustomer,
    category: 'cohort',
    unit: 'usd',
    window: (selectors) => selectors.customerLifetime,
    measures: [
      defineMeasure('count', 'paying_customers'),
      defineMeasure('usd', 'realized_ltv'),
      defineMeasure('usd', 'ltv_per_paying_customer', false),
    ],
    values: ({ flow }) => {
      const [paying, realized_ltv] = [flow('customers.paying'), flow('customers.ltv')];
      return { paying_customers: paying, realized_ltv, ltv_per_paying_customer: { of: realized_ltv, per: paying } };
    },
  },
  {
    id: 'subscription_retention',
    name: 'Subscription Retention',
    description: 'Share of the subscriptions first paid in each bucket and due for their k-th renewal that paid it.',
    definition: subscriptionRetention,
    category: 'cohort',
    kind: 'cohort',
    of: 'subscriptions',
    subject: 'purchases',
    unit: 'percent',
    selectors: ['productDuration'],
    measures: [
      defineMeasure('count', 'eligible', false),
      defineMeasure('count', 'retained', false),
      defineMeasure('percent', 'retention_rate'),
    ],
  },
  {
    id: 'cohort_explorer',
    name: 'Cohort Explorer',
    description: 'Revenue of each cohort of customers, by interval since they joined.',
    definition: definitions.cohortExplorer,
    category: 'cohort',
    kind: 'cohort',
    of: 'customers',
    subject: 'customers',
    unit: 'usd',
    unitBy: ({ cohortMeasure }) => (cohortMeasure === 'retained_subscriptions' ? 'count' : 'usd'),
    selectors: ['cohort', 'cohortMeasure', 'revenueType'],
    measures: [defineMeasure('usd', 'value', false)],
  },
];

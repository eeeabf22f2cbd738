// Charts of paid subscriptions: their number, its changes, and their monthly value.
import { defineMeasure, type SeriesChart, type Sums } from './chart.js';
import type { Renewal } from '../history/segments.js';
import type { Measure } from '../measures.js';
import * as definitions from './definitions/subscriptions.js';

type Of = (measure: Measure) => number;
const live = (of: Of) => of('actives.new') + of('actives.back') - of('actives.out');
const churned = (s: Sums) => s.flow('actives.out') - s.flow('actives.back');
const worth = (of: Of) => of('mrr.new') + of('mrr.back') - of('mrr.out') + of('mrr.up') - of('mrr.down');

const common = { category: 'subscriptions', kind: 'series', subject: 'purchases', needs: 'stays' } as const;
const count = { ...common, unit: 'count', selectors: [] } as const;
const money = { ...common, category: 'revenue', unit: 'usd', selectors: ['revenueType'] } as const;

export const subscriptionCharts: readonly SeriesChart[] = [
  {
    ...count,
    id: 'actives',
    name: 'Active Subscriptions',
    description: 'Paid subscriptions that are live at the end of each bucket, grace periods included.',
    definition: definitions.actives,
    measures: [defineMeasure('count', 'active_subscriptions', false)],
    values: (s) => ({ active_subscriptions: live(s.stock) }),
  },
  {
    ...count,
    id: 'actives_movement',
    name: 'Active Subscriptions Movement',
    description: 'New subscriptions, and ended ones less those that returned.',
    definition: definitions.activesMovement,
    drawing: 'movement',
    measures: [
      { ...defineMeasure('count', 'new_actives'), part: 'gain' },
      { ...defineMeasure('count', 'churned_actives'), part: 'loss' },
      { ...defineMeasure('count', 'movement'), part: 'balance' },
    ],
    values: (s) => {
      const new_actives = s.flow('actives.new');
      return { new_actives, churned_actives: churned(s), movement: new_actives - churned(s) };
    },
  },
  {
    ...count,
    id: 'actives_new',
    name: 'New Paid Subscriptions',
    description: 'Subscriptions paid for the first time, by how they started.',
    definition: definitions.activesNew,
    drawing: 'bars',
    watch: { measure: 'total', count: 'total' },
    measures: [
      defineMeasure('count', 'trial_conversions'),
      defineMeasure('count', 'intro_offers'),
      defineMeasure('count', 'direct_subscriptions'),
      defineMeasure('count', 'total'),
    ],
    values: (s) => ({
      trial_conversions: s.flow('actives.trial_conversions'),
      intro_offers: s.flow('actives.intro_offers'),
      direct_subscriptions: s.flow('actives.direct_subscriptions'),
      total: s.flow('actives.new'),
    }),
  },
  {
    ...money,
    id: 'mrr',
    name: 'Monthly Recurring Revenue',
    description: 'Monthly value of the active subscriptions at the end of each bucket.',
    definition: definitions.mrr,
    measures: [defineMeasure('usd', 'mrr', false)],
    values: (s) => ({ mrr: worth(s.stock) }),
  },
  {
    ...money,
    id: 'arr',
    name: 'Annual Recurring Revenue',
    description: 'Twelve times the monthly recurring revenue.',
    definition: definitions.arr,
    measures: [defineMeasure('usd', 'arr', false)],
    values: (s) => ({ arr: 12 * worth(s.stock) }),
  },
  {
    ...money,
    id: 'mrr_movement',
    name: 'MRR Movement',
    description: 'New and churned monthly revenue, and price changes of remaining subscriptions.',
    definition: definitions.mrrMovement,
    drawing: 'movement',
    measures: [
      { ...defineMeasure('usd', 'new_mrr'), part: 'gain' },
      { ...defineMeasure('usd', 'churned_mrr'), part: 'loss' },
      { ...defineMeasure('usd', 'expansion_mrr'), part: 'gain' },
      { ...defineMeasure('usd', 'contraction_mrr'), part: 'loss' },
      { ...defineMeasure('usd', 'movement'), part: 'balance' },
    ],
    values: (s) => ({
      new_mrr: s.flow('mrr.new'),
      churned_mrr: s.flow('mrr.out') - s.flow('mrr.back'),
      expansion_mrr: s.flow('mrr.up'),
      contraction_mrr: s.flow('mrr.down'),
      movement: worth(s.flow),
    }),
  },
  {
    ...count,
    id: 'churn',
    name: 'Churn',
    description: 'Churned subscriptions in relation to those that were active when the bucket began.',
    definition: definitions.churn,
    unit: 'percent',
    watch: { measure: 'churn_rate', count: 'churned_actives' },
    measures: [
      defineMeasure('count', 'actives', false),
      defineMeasure('count', 'churned_actives'),
      defineMeasure('percent', 'churn_rate'),
    ],
    values: (s) => {
      const actives = live(s.before);
      return { actives, churned_actives: churned(s), churn_rate: { of: churned(s), per: actives } };
    },
  },
  {
    ...count,
    id: 'subscription_status',
    name: 'Subscription Status',
    description: 'Active subscriptions or trials by what comes next: renewal, cancellation, or an unpaid renewal.',
    definition: definitions.subscriptionStatus,
    needs: 'status',
    selectors: ['statusMeasure', 'revenueType'],
    unitBy: ({ statusMeasure }) => (statusMeasure === 'mrr' || statusMeasure === 'arr' ? 'usd' : 'count'),
    drawing: 'bars',
    measures: [
      defineMeasure('count', 'set_to_renew', false),
      defineMeasure('count', 'set_to_cancel', false),
      defineMeasure('count', 'billing_issue', false),
    ],
    values: (s, { statusMeasure }) => {
      const kind = { actives: 'actives', active_trials: 'trials', mrr: 'mrr', arr: 'mrr' } as const;
      const times = statusMeasure === 'arr' ? 12 : 1;
      const of = (renewal: Renewal) => times * s.stock(`${kind[statusMeasure]}.${renewal}`);
      return {
        set_to_renew: of('set_to_renew'),
        set_to_cancel: of('set_to_cancel'),
        billing_issue: of('billing_issue'),
      };
    },
  },
];

// Charts of free trials.
import { defineMeasure, type SeriesChart, type Sums } from './chart.js';
import * as definitions from './definitions/trials.js';

const common = { category: 'trials', kind: 'series', subject: 'purchases', selectors: [] } as const;
const count = { ...common, unit: 'count', needs: 'stays' } as const;
const expired = (s: Sums) => s.flow('trials.out') - s.flow('trials.back');

export const trialCharts: readonly SeriesChart[] = [
  {
    ...count,
    id: 'trials',
    name: 'Active Trials',
    description: 'Trials that are live at the end of each bucket, grace periods included.',
    definition: definitions.trials,
    measures: [defineMeasure('count', 'active_trials', false)],
    values: ({ stock }) => ({ active_trials: stock('trials.new') + stock('trials.back') - stock('trials.out') }),
  },
  {
    ...count,
    id: 'trials_movement',
    name: 'Active Trials Movement',
    description: 'New trials, and those that ended, converted or not.',
    definition: definitions.trialsMovement,
    drawing: 'movement',
    measures: [
      { ...defineMeasure('count', 'new_trials'), part: 'gain' },
      { ...defineMeasure('count', 'expired_trials'), part: 'loss' },
      { ...defineMeasure('count', 'movement'), part: 'balance' },
    ],
    values: (s) => {
      const new_trials = s.flow('trials.new');
      return { new_trials, expired_trials: expired(s), movement: new_trials - expired(s) };
    },
  },
  {
    ...count,
    id: 'trials_new',
    name: 'New Trials',
    description: 'Trials by their start.',
    definition: definitions.trialsNew,
    drawing: 'bars',
    watch: { measure: 'new_trials', count: 'new_trials' },
    measures: [defineMeasure('count', 'new_trials')],
    values: ({ flow }) => ({ new_trials: flow('trials.new') }),
  },
  {
    ...common,
    id: 'trial_conversion_rate',
    name: 'Trial Conversion Rate',
    description: 'Outcome of the trials that started in each bucket.',
    definition: definitions.trialConversionRate,
    category: 'conversion',
    unit: 'percent',
    needs: 'outcomes',
    pending: 'pending',
    measures: [
      defineMeasure('count', 'trial_starts'),
      defineMeasure('count', 'conversions'),
      defineMeasure('count', 'pending'),
      defineMeasure('count', 'abandoned'),
      defineMeasure('percent', 'conversion_rate'),
    ],
    values: ({ flow }) => {
      const [trial_starts, conversions] = [flow('outcome.starts'), flow('outcome.conversions')];
      const pending = flow('outcome.pending');
      const abandoned = flow('outcome.abandoned') + flow('outcome.lapses');
      return { trial_starts, conversions, pending, abandoned, conversion_rate: { of: conversions, per: trial_starts } };
    },
  },
];

// Definitions of the charts of free trials.
import type { ChartDefinition, EdgeCases } from './definition.js';
import { triers as story } from './stories.js';

const ofTrials: EdgeCases = {
  trials: 'A trial counts from its start to its end, or to the first payment. A paid introductory period is no trial.',
  grace: 'A trial counts until its grace period ends.',
  annual: 'The trial of a yearly subscription counts as one.',
  taxes: 'Without effect: this is a number of trials.',
  refunds: 'Without effect: trials are free.',
  currency: 'Without effect: this is a number of trials.',
};

export const trials: ChartDefinition = {
  formulas: { active_trials: 'Free trials that are live at the end of the period.' },
  edgeCases: ofTrials,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [{ measure: 'active_trials', calculation: '1', value: 1 }],
    because: 'Ana’s trial goes on until 4 Feb. Bob’s ended on 17 Jan, and Dov’s became paid on 27 Jan.',
  },
};

export const trialsMovement: ChartDefinition = {
  formulas: {
    new_trials: 'Free trials that began.',
    expired_trials: 'Free trials that ended, with or without a payment, less those that came back after a gap.',
    movement: 'New less expired: the change of Active Trials.',
  },
  edgeCases: ofTrials,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'new_trials', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'expired_trials', calculation: '1 + 1', value: 2 },
      { measure: 'movement', calculation: '3 - 2', value: 1 },
    ],
    because: 'All three began in January; Bob’s ended without a payment, Dov’s with one.',
  },
};

export const trialsNew: ChartDefinition = {
  formulas: { new_trials: 'Free trials that began.' },
  edgeCases: ofTrials,
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [{ measure: 'new_trials', calculation: '1 + 1 + 1', value: 3 }],
    because: 'Ana, Bob and Dov started a trial in January.',
  },
};

export const trialConversionRate: ChartDefinition = {
  formulas: {
    trial_starts: 'Free trials that began in the period.',
    conversions: 'Those of them that were followed by a payment which was not fully refunded.',
    pending: 'Those without a payment that are live and set to renew.',
    abandoned: 'All others.',
    conversion_rate: '100 × conversions / trial starts.',
  },
  edgeCases: {
    ...ofTrials,
    trials: 'Each trial counts in the period in which it began, whenever it is paid.',
    grace: 'A trial in its grace period is pending while it can still be paid.',
    refunds: 'A full refund of the first payment undoes the conversion; a partial one does not.',
  },
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'trial_starts', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'conversions', calculation: '1', value: 1 },
      { measure: 'pending', calculation: '0', value: 0 },
      { measure: 'abandoned', calculation: '1 + 1', value: 2 },
      { measure: 'conversion_rate', calculation: '100 * 1 / 3', value: 33.33 },
    ],
    because: 'Ana paid, in February. Bob turned off the renewal, and Dov’s payment was refunded.',
  },
};

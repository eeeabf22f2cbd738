// Definitions of the charts of paid subscriptions.
import type { ChartDefinition, EdgeCases } from './definition.js';
import { subscribers as story } from './stories.js';

const ofNumbers: EdgeCases = {
  trials:
    'A free trial is not a paid subscription: it counts from its first paid period on. An introductory price is paid.',
  grace: 'A subscription counts until its grace period ends. It does not count in billing retry or while it is paused.',
  annual: 'A yearly subscription counts as one, for its whole year.',
  taxes: 'Without effect: this is a number of subscriptions.',
  refunds:
    'A refund that ends access ends the subscription on the day of the refund; any other has no effect. A reversal brings it back.',
  currency: 'Without effect: this is a number of subscriptions.',
};

const ofValues: EdgeCases = {
  trials: 'A free trial is worth nothing. An introductory price counts as it is, for its own duration.',
  grace:
    'In a grace period the last price counts. In billing retry and while it is paused, a subscription is worth nothing.',
  annual: 'The price of a period is divided by its months: a year by 12. A week is multiplied by 4.',
  taxes: 'Included; `revenueType` deducts taxes (`revenue_net_of_taxes`), or taxes and commission (`proceeds`).',
  refunds: 'A refund that ends access removes the value on the day of the refund; any other has no effect.',
  currency: 'Prices are converted at the rate of the day of the purchase. A price without a rate counts as 0.',
};

export const actives: ChartDefinition = {
  formulas: { active_subscriptions: 'Paid subscriptions that are live at the end of the period.' },
  edgeCases: ofNumbers,
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [{ measure: 'active_subscriptions', calculation: '1 + 1 + 1 + 1', value: 4 }],
    because: 'Ana, Bob, Gil, and Eve, who is in her grace period. Cyd’s subscription ended on 17 Feb.',
  },
};

export const activesMovement: ChartDefinition = {
  formulas: {
    new_actives: 'Subscriptions that are paid for the first time.',
    churned_actives: 'Subscriptions that ended, less those that came back after a gap.',
    movement: 'New less churned: the change of Active Subscriptions.',
  },
  edgeCases: ofNumbers,
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [
      { measure: 'new_actives', calculation: '1 + 1', value: 2 },
      { measure: 'churned_actives', calculation: '1', value: 1 },
      { measure: 'movement', calculation: '2 - 1', value: 1 },
    ],
    because: 'Bob and Gil are new, Cyd ended. Eve ends only with her grace period, in March.',
  },
};

export const activesNew: ChartDefinition = {
  formulas: {
    trial_conversions: 'New paid subscriptions that began with a trial.',
    intro_offers: 'New paid subscriptions whose first paid period has an introductory price.',
    direct_subscriptions:
      'All other new paid subscriptions, including those of customers who return or change the product.',
    total: 'All of them.',
  },
  edgeCases: { ...ofNumbers, trials: 'A trial counts on the day of its first paid period, as a conversion.' },
  example: {
    ...{ story, month: '2026-01-01' },
    figures: [
      { measure: 'trial_conversions', calculation: '1', value: 1 },
      { measure: 'intro_offers', calculation: '0', value: 0 },
      { measure: 'direct_subscriptions', calculation: '1 + 1', value: 2 },
      { measure: 'total', calculation: '1 + 0 + 2', value: 3 },
    ],
    because:
      'Cyd converted her trial on 17 Jan; Ana and Eve paid at once. Gil’s introductory offer begins in February.',
  },
};

export const mrr: ChartDefinition = {
  formulas: { mrr: 'Sum of the monthly values of all subscriptions that are live at the end of the period.' },
  edgeCases: ofValues,
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [{ measure: 'mrr', calculation: '10 + 60 / 12 + 8 + 4', value: 27 }],
    because: 'Ana’s month, a twelfth of Bob’s year, Eve in her grace period, and Gil’s introductory price.',
  },
};

export const arr: ChartDefinition = {
  formulas: { arr: '12 times the monthly recurring revenue.' },
  edgeCases: ofValues,
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [{ measure: 'arr', calculation: '12 * (10 + 60 / 12 + 8 + 4)', value: 324 }],
    because: 'Twelve times Ana’s month, a twelfth of Bob’s year, Eve’s month and Gil’s introductory price.',
  },
};

export const mrrMovement: ChartDefinition = {
  formulas: {
    new_mrr: 'Monthly value of subscriptions that are paid for the first time.',
    churned_mrr: 'Monthly value of subscriptions that ended, less that of those that came back.',
    expansion_mrr: 'Increase of the monthly value of subscriptions that went on.',
    contraction_mrr: 'Decrease of the monthly value of subscriptions that went on.',
    movement: 'New less churned, plus expansion, less contraction: the change of MRR.',
  },
  edgeCases: ofValues,
  example: {
    ...{ story, month: '2026-03-01' },
    figures: [
      { measure: 'new_mrr', calculation: '0', value: 0 },
      { measure: 'churned_mrr', calculation: '8', value: 8 },
      { measure: 'expansion_mrr', calculation: '10 - 4', value: 6 },
      { measure: 'contraction_mrr', calculation: '0', value: 0 },
      { measure: 'movement', calculation: '0 - 8 + 6 - 0', value: -2 },
    ],
    because: 'Eve’s grace period ends unpaid on 7 Mar, and Gil pays the full price from 1 Mar on.',
  },
};

export const churn: ChartDefinition = {
  formulas: {
    actives: 'Paid subscriptions that were live when the period began.',
    churned_actives: 'Subscriptions that ended in the period, less those that came back after a gap.',
    churn_rate: '100 × churned subscriptions / live subscriptions at the beginning. Empty if there were none.',
  },
  edgeCases: ofNumbers,
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [
      { measure: 'actives', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'churned_actives', calculation: '1', value: 1 },
      { measure: 'churn_rate', calculation: '100 * 1 / 3', value: 33.33 },
    ],
    because: 'Ana, Cyd and Eve were live when February began; Cyd ended.',
  },
};

export const subscriptionStatus: ChartDefinition = {
  formulas: {
    set_to_renew: 'Live subscriptions that will renew.',
    set_to_cancel: 'Live subscriptions whose renewal is turned off.',
    billing_issue: 'Live subscriptions whose paid period is over: they are in a grace period.',
  },
  edgeCases: {
    ...ofNumbers,
    trials: 'Trials count only with `statusMeasure=active_trials`.',
    annual: 'A yearly subscription counts as one; with `statusMeasure=mrr` as a twelfth of its price.',
    taxes: 'Without effect on numbers. With `mrr` or `arr` as in MRR.',
    currency: 'Without effect on numbers. With `mrr` or `arr` as in MRR.',
  },
  example: {
    ...{ story, month: '2026-02-01' },
    figures: [
      { measure: 'set_to_renew', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'set_to_cancel', calculation: '0', value: 0 },
      { measure: 'billing_issue', calculation: '1', value: 1 },
    ],
    because: 'Ana, Bob and Gil will renew, Eve did not pay on 28 Feb. Together these are the active subscriptions.',
  },
};

export const subscriptionRetention: ChartDefinition = {
  formulas: {
    size: 'Subscriptions of the chosen duration with their first regular payment in the row.',
    eligible: 'Those of them whose renewal of this number was due.',
    retained: 'Those of the due ones that paid it.',
    retention_rate: '100 × retained / eligible.',
  },
  edgeCases: {
    ...ofNumbers,
    trials: 'Trials and introductory periods are no regular payments: the row is that of the first regular one.',
    grace: 'A grace period is no payment. A late payment counts as the renewal that was due.',
    annual: '`productDuration` chooses one duration, by default a month: yearly subscriptions have their own chart.',
    refunds: 'A renewal whose refund ended access is not retained.',
  },
  example: {
    ...{ story, month: '2026-01-01', column: 1 },
    figures: [
      { measure: 'size', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'eligible', calculation: '1 + 1 + 1', value: 3 },
      { measure: 'retained', calculation: '1', value: 1 },
      { measure: 'retention_rate', calculation: '100 * 1 / 3', value: 33.33 },
    ],
    because:
      'Ana, Cyd and Eve first paid in January, and their first renewals were due in February; only Ana paid hers.',
  },
};

// All measures of the charts. Their names are persisted in the sums.

/** The time within the day matters: for effects of elapsed time, and for the 28 times 24 hours of the overview. */
const byHour = { countsWithinDay: true } as const;
/** The day is enough: none of these events is later than the instant of the query. */
const byDay = { countsWithinDay: false } as const;

export const measures = {
  'actives.new': byHour,
  'actives.back': byHour,
  'actives.out': byHour,
  'actives.set_to_renew': byHour,
  'actives.set_to_cancel': byHour,
  'actives.billing_issue': byHour,
  'actives.trial_conversions': byDay,
  'actives.intro_offers': byDay,
  'actives.direct_subscriptions': byDay,
  'trials.new': byHour,
  'trials.back': byHour,
  'trials.out': byHour,
  'trials.set_to_renew': byHour,
  'trials.set_to_cancel': byHour,
  'trials.billing_issue': byHour,
  'mrr.new': byHour,
  'mrr.back': byHour,
  'mrr.out': byHour,
  'mrr.up': byHour,
  'mrr.down': byHour,
  'mrr.set_to_renew': byHour,
  'mrr.set_to_cancel': byHour,
  'mrr.billing_issue': byHour,
  'money.gross': byHour,
  'money.refunds': byHour,
  'money.transactions': byHour,
  'money.new': byDay,
  'money.tax': byDay,
  'money.commission': byDay,
  'money.unconverted': byDay,
  'money.refunded_transactions': byDay,
  'outcome.starts': byDay,
  'outcome.conversions': byDay,
  'outcome.abandoned': byDay,
  'outcome.lapses': byDay,
  'outcome.pending': byDay,
  'customers.new': byHour,
  'customers.recent': byHour,
  'customers.converted': byDay,
  'customers.paying': byDay,
  'customers.ltv': byDay,
  'customers.gross': byDay,
  'customers.active': byDay,
  'customers.first_day': byDay,
  'customers.last_day': byDay,
  'customers.first_week': byDay,
  'customers.last_week': byDay,
  'customers.first_month': byDay,
  'customers.last_month': byDay,
  'customers.first_quarter': byDay,
  'customers.last_quarter': byDay,
  'customers.first_year': byDay,
  'customers.last_year': byDay,
} as const;

export type Measure = keyof typeof measures;

export function isMeasure(name: string): name is Measure {
  return Object.hasOwn(measures, name);
}

export const measureNames: readonly Measure[] = Object.keys(measures).filter(isMeasure);

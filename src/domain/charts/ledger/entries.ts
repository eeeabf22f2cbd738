// What rows of the ledger add, by number: the measures of the charts, and what distinct counts and cohorts are made of.
import { measures, type Measure } from '../measures.js';
import type { PurchaseCohort } from '../result/cohorts.js';
import { revenueTypes, type RevenueType } from '../money.js';

/**
 * `seen`: the app was in use. `line`: a purchase begins. `paying`: a transaction begins or ceases to be paid and kept. `joins`: a purchase
 * that makes its customer a member of the cohort. `worth`: money of the type. `unconverted`: a transaction is left out for want of a rate.
 */
export type Entry =
  | Measure
  | `${Measure}@${RevenueType}`
  | `worth@${RevenueType}`
  | `joins@${PurchaseCohort}`
  | 'seen'
  | 'line'
  | 'paying'
  | 'unconverted';

const numbers = new Map<Entry, number>();
const names: Entry[] = [];

/** The same for the same entry as long as the process runs. */
export function entryNumber(entry: Entry): number {
  let number = numbers.get(entry);
  if (number === undefined) {
    number = names.push(entry) - 1;
    numbers.set(entry, number);
  }
  return number;
}

/** All that have a number, in the order of their numbers. */
export function entryNames(): readonly string[] {
  return names;
}

/** Monthly worth depends on what is taken off; by the default terms it has the measure's own number. */
const byType = new Map(
  revenueTypes.map((type) => {
    const named = (Object.keys(measures) as Measure[]).map((measure): [Measure, number] => {
      const isWorth = measure.startsWith('mrr.') && type !== 'revenue';
      return [measure, entryNumber(isWorth ? `${measure}@${type}` : measure)];
    });
    return [type, new Map(named)];
  }),
);

export function measureNumber(measure: Measure, type: RevenueType = 'revenue'): number {
  return byType.get(type)?.get(measure) ?? entryNumber(measure);
}

export const worthNumbers: Readonly<Record<RevenueType, number>> = {
  revenue: entryNumber('worth@revenue'),
  revenue_net_of_taxes: entryNumber('worth@revenue_net_of_taxes'),
  proceeds: entryNumber('worth@proceeds'),
};
export const joinNumbers: Readonly<Record<PurchaseCohort, number>> = {
  initial_conversions: entryNumber('joins@initial_conversions'),
  new_paying_customers: entryNumber('joins@new_paying_customers'),
};
export const SEEN = entryNumber('seen');
export const LINE = entryNumber('line');
export const PAYING = entryNumber('paying');
export const UNCONVERTED = entryNumber('unconverted');

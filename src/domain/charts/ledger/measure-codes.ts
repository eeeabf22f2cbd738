// Codes of what ledger rows add: the measures of the charts, and the components of distinct counts and cohorts.
import { measureNames, type Measure } from '../measures.js';
import type { PurchaseCohort } from '../result/cohorts.js';
import { revenueTypes, type RevenueType } from '../money.js';

/**
 * Kind of an entry. `seen`: the app was in use. `line`: a purchase begins. `paying`: a transaction becomes paid without a full refund, or
 * stops being so. `joins`: a purchase that makes its customer a member of the cohort. `worth`: money of the type. `unconverted`: a
 * transaction is omitted because its rate is missing.
 */
type Entry =
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

/** Returns the code of an entry, stable for the lifetime of the process. */
function entryNumber(entry: Entry): number {
  let number = numbers.get(entry);
  if (number === undefined) {
    number = names.push(entry) - 1;
    numbers.set(entry, number);
  }
  return number;
}

/** Returns all entries that have a code, in the order of their codes. */
export function entryNames(): readonly string[] {
  return names;
}

/** Codes by revenue type: monthly values depend on the deductions; with the default terms they have the measure's own code. */
const byType = new Map(
  revenueTypes.map((type) => {
    const numbers = measureNames.map((measure): [Measure, number] => {
      const isWorth = measure.startsWith('mrr.') && type !== 'revenue';
      return [measure, entryNumber(isWorth ? `${measure}@${type}` : measure)];
    });
    return [type, new Map(numbers)];
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

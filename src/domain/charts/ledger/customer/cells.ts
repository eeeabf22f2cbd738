// Contributions of one purchase, or of one customer, at each instant, collected from `contribution`.
import {
  contributeCustomer,
  contributeMoney,
  contributeOutcomes,
  contributeStatus,
  contributeStays,
  paidMovements,
  payingOf,
  unbounded,
  type Emit,
} from '../../contribution.js';
import type { Charge, KnownHistory, LiveLine } from '../../history/known-history.js';
import { partOf, revenueTypes, type RevenueType } from '../../money.js';
import { joins } from '../../result/cohorts.js';
import { joinNumbers, LINE, measureNumber, PAYING, SEEN, UNCONVERTED, worthNumbers } from '../measure-codes.js';

/**
 * Contributions at one instant, UTC ms: entry numbers with their values (counts, or USD micros). An entry with a lag exists only that many
 * ms later; 0 for no lag.
 */
export type Cell = {
  readonly at: number;
  readonly entries: readonly number[];
  readonly values: readonly number[];
  readonly lags: readonly number[];
};
type OpenCell = { readonly at: number; readonly entries: number[]; readonly values: number[]; readonly lags: number[] };
type Add = (at: number, entry: number, value: number, lag?: number) => void;

const purchaseCohorts = ['initial_conversions', 'new_paying_customers'] as const;
const otherTypes = revenueTypes.filter((type) => type !== unbounded.revenueType);

/** Returns the cells of a purchase line. `first` is the charge whose money counts as new, if it belongs to this line. */
export function cellsOfLine(line: LiveLine, first: Charge | null): ReadonlyMap<number, Cell> {
  const { add, cells } = openCells();
  const emit: Emit = (measure, at, value, effective) => {
    add(at, measureNumber(measure), value, effective === undefined ? 0 : effective - at);
  };
  const begins = line.charges[0]?.period.at ?? line.strays[0]?.at;
  if (begins !== undefined) add(begins, LINE, 1);
  contributeStays(line, unbounded, emit);
  contributeStatus(line, unbounded, emit);
  contributeMoney(line, first, emit);
  contributeOutcomes(line, emit);
  for (const type of otherTypes) addMonthlyWorth(line, type, add);
  for (const type of revenueTypes)
    for (const m of paidMovements([line])) add(m.at, worthNumbers[type], partOf(m, type));
  for (const { at, value } of payingOf(line)) add(at, PAYING, value);
  for (const at of line.unconverted ?? []) add(at, UNCONVERTED, 1);
  for (const charge of line.charges) {
    for (const cohort of purchaseCohorts) if (joins(charge, cohort)) add(charge.period.at, joinNumbers[cohort], 1);
  }
  return cells();
}

function addMonthlyWorth(line: LiveLine, revenueType: RevenueType, add: Add): void {
  const terms = { ...unbounded, revenueType };
  const emit: Emit = (measure, at, value) => {
    if (measure.startsWith('mrr.')) add(at, measureNumber(measure, revenueType), value);
  };
  contributeStays(line, terms, emit);
  contributeStatus(line, terms, emit);
}

/** Returns the cell of the first sighting; null if there is none yet. */
export function cellOfCustomer(history: KnownHistory): Cell | null {
  const { add, cells } = openCells();
  contributeCustomer(history, [], unbounded, (measure, at, value) => add(at, measureNumber(measure), value));
  const [cell] = cells().values();
  return cell ?? null;
}

export function cellOfSighting(at: number): Cell {
  return { at, entries: [SEEN], values: [1], lags: [0] };
}

export function isSameCell(a: Cell, b: Cell): boolean {
  if (a.at !== b.at || a.entries.length !== b.entries.length) return false;
  for (let i = 0; i < a.entries.length; i++) {
    if (a.entries[i] !== b.entries[i] || a.values[i] !== b.values[i] || a.lags[i] !== b.lags[i]) return false;
  }
  return true;
}

/** Adds up contributions to one entry at one instant and removes zeros. */
function openCells(): { readonly add: Add; readonly cells: () => ReadonlyMap<number, Cell> } {
  const open = new Map<number, OpenCell>();
  const add: Add = (at, entry, value, lag = 0) => {
    if (value === 0) return;
    let cell = open.get(at);
    if (!cell) open.set(at, (cell = { at, entries: [], values: [], lags: [] }));
    const { entries, values, lags } = cell;
    for (let i = 0; i < entries.length; i++) {
      if (entries[i] !== entry || lags[i] !== lag) continue;
      values[i] = (values[i] ?? 0) + value;
      return;
    }
    entries.push(entry);
    values.push(value);
    lags.push(lag);
  };
  const cells = () => {
    for (const [at, cell] of open) {
      if (cell.values.includes(0)) removeZeros(cell);
      if (cell.entries.length === 0) open.delete(at);
    }
    return open;
  };
  return { add, cells };
}

function removeZeros({ entries, values, lags }: OpenCell): void {
  for (let i = values.length - 1; i >= 0; i--) {
    if (values[i] === 0) for (const list of [entries, values, lags]) list.splice(i, 1);
  }
}

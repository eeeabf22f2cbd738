// Window of a comparison: two instants, and the views of the ledgers that the reasons are derived from, step by step.
import type { ChartQuery } from '../../catalogue/chart-query.js';
import type { BucketedRange } from '../../result/buckets.js';
import { selectRows, placesOf, type RowSelection, type Places } from '../row-selection.js';
import type { LedgerColumns } from '../ledger.js';

/** One side of a comparison. `ledger` has the knowledge of that side, in the currency of the query. */
export type LedgerSide = { readonly ledger: LedgerColumns; readonly q: ChartQuery };

/** Ledger with the row selection of a query. */
export type View = { readonly ledger: LedgerColumns; readonly selection: RowSelection };

export type ComparisonWindow = {
  readonly chart: ChartQuery['chart'];
  readonly selectors: ChartQuery['selectors'];
  /** Range of the later side; the first `visibleCount` buckets are those of both sides. */
  readonly range: BucketedRange;
  readonly visibleCount: number;
  readonly places: Places;
  /** Instants of the earlier and the later side, UTC ms. */
  readonly since: number;
  readonly until: number;
  /** View of the earlier side with its own knowledge. */
  readonly first: View;
  /** View of the earlier side with the knowledge of the later side. */
  readonly start: View;
  /** The same view with the products of the later side. */
  readonly resold: View;
  /** View of the later side. */
  readonly last: View;
  /** Number of segments, see {@link RowSelection}; 0 without segments. */
  readonly segments: number;
  /** Sign of amounts, which run from the earlier side to the later one; -1 if the later side is the base of the comparison. */
  readonly sign: 1 | -1;
};

/** Creates the window. `inEarlier` is the later side's knowledge in the earlier side's currency, if the currencies differ. */
export function createWindow(then: LedgerSide, now: LedgerSide, inEarlier: LedgerColumns | null): ComparisonWindow {
  const isForward = then.q.range.asOf <= now.q.range.asOf;
  const [earlier, later] = isForward ? [then, now] : [now, then];
  const { chart, selectors, range } = later.q;
  const resold = later.q.sold ? { ...earlier.q, sold: later.q.sold } : earlier.q;
  const startLedger = inEarlier ?? later.ledger;
  const views = [
    { ledger: earlier.ledger, q: earlier.q },
    { ledger: startLedger, q: earlier.q },
    { ledger: startLedger, q: resold },
    { ledger: later.ledger, q: later.q },
  ];
  const isSame = earlier.ledger === startLedger && startLedger === later.ledger && earlier.q.sold === later.q.sold;
  const viewOf = ({ ledger, q }: LedgerSide): View => ({ ledger, selection: selectRows(q, ledger.attributes) });
  const [first, start, sold, last] = isSame ? [] : views.map(viewOf);
  const only = viewOf({ ledger: later.ledger, q: later.q });
  return {
    ...{ chart, selectors, range, segments: only.selection.segments },
    visibleCount: Math.min(then.q.range.buckets.length, now.q.range.buckets.length),
    places: placesOf(range),
    since: earlier.q.range.asOf,
    until: range.asOf,
    first: first ?? only,
    start: start ?? only,
    resold: sold ?? only,
    last: last ?? only,
    sign: isForward ? 1 : -1,
  };
}

/** Returns whether both sides have the same ledger and the same row selection. */
export function isSingleView({ first, last }: ComparisonWindow): boolean {
  return first === last;
}

/** Adds `value` to each place of a track from `from` (-1 for everything before the first place) to before `to`. */
export type EmitContribution = (
  part: number,
  sum: number,
  track: number,
  from: number,
  to: number,
  value: number,
) => void;

/** Part number of the whole. */
export const WHOLE = 0;

export function partOf(segment: number): number {
  return segment + 1;
}

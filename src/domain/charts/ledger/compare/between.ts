// What a comparison asks of the ledgers: two instants, and the views of them through which the reasons go one after the other.
import type { ChartQuery } from '../../catalogue/chart-query.js';
import type { BucketedRange } from '../../result/buckets.js';
import { askedOf, placesOf, type Asked, type Places } from '../asked.js';
import type { LedgerColumns } from '../ledger.js';

/** One side. `ledger`: of what is known there, in the currency of the query. */
export type LedgerSide = { readonly ledger: LedgerColumns; readonly q: ChartQuery };

/** A ledger as a query asks about it. */
export type View = { readonly ledger: LedgerColumns; readonly asked: Asked };

export type Between = {
  readonly chart: ChartQuery['chart'];
  readonly selectors: ChartQuery['selectors'];
  /** Of the later side; its buckets are those of both, as far as they are `shown`. */
  readonly range: BucketedRange;
  readonly shown: number;
  readonly places: Places;
  /** The instants of the earlier and the later side, UTC ms. */
  readonly since: number;
  readonly until: number;
  /** What the earlier side shows of its own knowledge. */
  readonly first: View;
  /** What it shows of the later side's. */
  readonly start: View;
  /** The same by the later side's products. */
  readonly resold: View;
  /** What the later side shows. */
  readonly last: View;
  /** How many, see {@link Asked}; 0 without. */
  readonly segments: number;
  /** Amounts are those from the earlier side to the later one; -1 where the later side is the one compared with. */
  readonly sign: 1 | -1;
};

/** `inEarlier`: the later side's knowledge in the earlier side's currency, where that is another. */
export function betweenOf(then: LedgerSide, now: LedgerSide, inEarlier: LedgerColumns | null): Between {
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
  const viewOf = ({ ledger, q }: LedgerSide): View => ({ ledger, asked: askedOf(q, ledger.attributes) });
  const [first, start, sold, last] = isSame ? [] : views.map(viewOf);
  const only = viewOf({ ledger: later.ledger, q: later.q });
  return {
    ...{ chart, selectors, range, segments: only.asked.segments },
    shown: Math.min(then.q.range.buckets.length, now.q.range.buckets.length),
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

/** All is asked of one ledger in one way. */
export function isOfOne({ first, last }: Between): boolean {
  return first === last;
}

/** Adds to each place of a track from `from`, -1 for all before the first, up to before `to`. */
export type Put = (part: number, sum: number, track: number, from: number, to: number, value: number) => void;

/** The part of everything that is asked about. */
export const WHOLE = 0;

export function partOf(segment: number): number {
  return segment + 1;
}

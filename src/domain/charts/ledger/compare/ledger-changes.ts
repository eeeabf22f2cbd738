// Changes of one customer between two instants: state by state, or row by row if rows add up independently.
import type { LedgerColumns } from '../ledger.js';
import { kindAt } from '../knowledge-time.js';
import type { SumName } from '../../compare/measure-weights.js';
import { isSingleView, type ComparisonWindow, type EmitContribution, type View } from './comparison-window.js';
import type { OmittedEntries } from './customer-entries.js';
import { PRODUCTS, RATES, SETTING, TIME } from './reason-kinds.js';
import type { RecordChange } from './reason-totals.js';

/** Selected rows of a customer. */
export type Rows = { readonly count: number } & Readonly<Record<'at' | 'from' | 'to', ArrayLike<number>>>;

/** Reader of a chart's contributions. Everything at or after `cutoff` (UTC ms) is ignored. */
export type Reader<G extends Rows> = {
  /** Sums that are emitted, by number. */
  readonly sums: readonly SumName[];
  /** Rows to omit if both instants are read from one ledger. */
  readonly omits: OmittedEntries;
  gathererOf(ledger: LedgerColumns, omission: OmittedEntries): (place: number | undefined) => G;
  /** Emits the contributions of the customer as known at the knowledge time. */
  state(view: View, entries: G, knowledgeTime: number, cutoff: number, put: EmitContribution): void;
  /** Emits the contribution of row `i`; only for charts whose rows add up independently. */
  row?(view: View, entries: G, i: number, cutoff: number, put: EmitContribution): void;
  /** Returns the instant from which on elapsed time does not change the contribution of the row; omitted if it always can. */
  settles?(entries: G, i: number): number;
};

/** Step smaller than the smallest difference between two knowledge times. */
export const KNOWLEDGE_STEP = 1 / 4096;

/** Records all changes of a customer; `place` is its place in the last ledger, undefined if it is not in it. */
export function createChanges<G extends Rows>(
  between: ComparisonWindow,
  reader: Reader<G>,
  recordChange: RecordChange,
): (customerId: string, place: number | undefined) => void {
  const { first, start, resold, last, since, until, sign } = between;
  const gatherers = new Map<LedgerColumns, (place: number | undefined) => G>();
  const gather = ({ ledger }: View, customerId: string, place: number | undefined): G => {
    const found = gatherers.get(ledger) ?? reader.gathererOf(ledger, isSingleView(between) ? reader.omits : 'nothing');
    gatherers.set(ledger, found);
    return found(ledger === last.ledger ? place : ledger.placeOf(customerId));
  };
  const notings = Array.from({ length: PRODUCTS + 1 }, (_, kind) => {
    const by =
      (sense: number): EmitContribution =>
      (part, sum, track, from, to, value) =>
        recordChange(kind, part, sum, track, from, to, sense * sign * value);
    return { more: by(1), less: by(-1) };
  });
  const before = since - KNOWLEDGE_STEP;
  let [current, next] = [createPutList(), createPutList()];
  const recordStep = (kind: number): void => {
    const noting = notings[kind];
    if (!noting) return;
    const from = current.sameAs(next);
    current.replay(from, noting.less);
    next.replay(from, noting.more);
  };
  const begin = (view: View, entries: G, knowledgeTime: number, cutoff: number): void => {
    current.clear();
    reader.state(view, entries, knowledgeTime, cutoff, current.put);
  };
  /** Records the differences to the previous state. */
  const go = (kind: number, view: View, entries: G, knowledgeTime: number, cutoff: number): void => {
    next.clear();
    reader.state(view, entries, knowledgeTime, cutoff, next.put);
    recordStep(kind);
    [current, next] = [next, current];
  };

  const stepsByRow = (entries: G): void => {
    const { count, from, to } = entries;
    for (let i = 0; i < count; i++) {
      const [begins, ends] = [from[i] ?? 0, to[i] ?? 0];
      const began = begins >= since ? notings[kindAt(begins)] : undefined;
      if (began) reader.row?.(last, entries, i, until, began.more);
      const atEnd = ends < until ? notings[kindAt(ends)] : undefined;
      if (atEnd) reader.row?.(last, entries, i, until, atEnd.less);
    }
  };
  /** Applies everything learned between the two instants, state by state. */
  const stepsByState = (entries: G): void => {
    for (const knowledgeTime of knowledgeTimesOf(entries, since, until))
      go(kindAt(knowledgeTime), last, entries, knowledgeTime, until);
  };
  const isAdditive = reader.row !== undefined;
  const steps = isAdditive ? stepsByRow : stepsByState;
  const timeByRow = (entries: G): void => {
    for (let i = 0; i < entries.count; i++) {
      if ((entries.from[i] ?? 0) >= since || (reader.settles?.(entries, i) ?? Infinity) < since) continue;
      current.clear();
      reader.row?.(last, entries, i, since, current.put);
      next.clear();
      reader.row?.(last, entries, i, until, next.put);
      recordStep(TIME);
    }
  };

  if (isSingleView(between) && isAdditive) {
    return (customerId, place) => {
      const entries = gather(last, customerId, place);
      timeByRow(entries);
      steps(entries);
    };
  }
  if (isSingleView(between)) {
    return (customerId, place) => {
      const entries = gather(last, customerId, place);
      if (entries.count === 0) return;
      const settled = isSettled(reader, entries, since);
      if (settled && !isLearnedBetween(entries, since, until)) return;
      begin(last, entries, before, settled ? until : since);
      if (!settled) go(TIME, last, entries, before, until);
      steps(entries);
    };
  }
  return (customerId, place) => {
    const startEntries = gather(start, customerId, place);
    if (first.ledger === start.ledger) begin(start, startEntries, before, since);
    else {
      begin(first, gather(first, customerId, place), before, since);
      go(SETTING, start, startEntries, before, since);
    }
    go(TIME, start, startEntries, before, until);
    if (resold !== start) go(PRODUCTS, resold, startEntries, before, until);
    const entries = gather(last, customerId, place);
    if (last.ledger !== start.ledger) go(RATES, last, entries, before, until);
    steps(entries);
  };
}

/** Returns whether everything known at `since` has settled before it. */
function isSettled<G extends Rows>({ settles }: Reader<G>, entries: G, since: number): boolean {
  if (!settles) return false;
  for (let i = 0; i < entries.count; i++)
    if ((entries.from[i] ?? 0) < since && settles(entries, i) >= since) return false;
  return true;
}

function isLearnedBetween({ count, from, to }: Rows, since: number, until: number): boolean {
  for (let i = 0; i < count; i++) if ((from[i] ?? 0) >= since || (to[i] ?? 0) < until) return true;
  return false;
}

/** Returns the knowledge times between the two instants at which a row begins or ends, in order. */
function knowledgeTimesOf({ count, from, to }: Rows, since: number, until: number): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    const [begins, ends] = [from[i] ?? 0, to[i] ?? 0];
    if (begins >= since) found.push(begins);
    if (ends < until) found.push(ends);
  }
  if (found.length < 2) return found;
  found.sort((a, b) => a - b);
  return found.filter((knowledgeTime, i) => knowledgeTime !== found[i - 1]);
}

/** Returns whether the row at `i` is valid at the knowledge time. */
export function isValidAt({ from, to }: Rows, i: number, knowledgeTime: number): boolean {
  return (from[i] ?? 0) <= knowledgeTime && (to[i] ?? 0) > knowledgeTime;
}

const WIDTH = 6;

/** Creates a list of emitted contributions, in order. */
function createPutList() {
  let list = new Float64Array(64 * WIDTH);
  let length = 0;
  return {
    clear: () => {
      length = 0;
    },
    put: (part: number, sum: number, track: number, from: number, to: number, value: number): void => {
      if (length === list.length) {
        const longer = new Float64Array(2 * length);
        longer.set(list);
        list = longer;
      }
      list[length] = part;
      list[length + 1] = sum;
      list[length + 2] = track;
      list[length + 3] = from;
      list[length + 4] = to;
      list[length + 5] = value;
      length += WIDTH;
    },
    at: (i: number) => list[i] ?? 0,
    length: () => length,
    /** Returns the index of the first difference to the other list; the common end if there is none. */
    sameAs: (other: { readonly length: () => number; readonly at: (i: number) => number }): number => {
      const end = Math.min(length, other.length());
      let i = 0;
      while (i < end && list[i] === other.at(i)) i++;
      return i - (i % WIDTH);
    },
    replay: (begin: number, put: EmitContribution): void => {
      for (let i = begin; i < length; i += WIDTH) {
        const [part, sum, track] = [list[i] ?? 0, list[i + 1] ?? 0, list[i + 2] ?? 0];
        put(part, sum, track, list[i + 3] ?? 0, list[i + 4] ?? 0, list[i + 5] ?? 0);
      }
    },
  };
}

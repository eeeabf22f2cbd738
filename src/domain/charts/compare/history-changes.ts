// Changes of one customer between the two sides of a comparison, each with its kind: elapsed time, newly learned events, or another
// setting.
import type { ChartQuery } from '../catalogue/chart-query.js';
import { createConverter } from '../currency.js';
import type { CustomerHistory, Knowledge } from '../history/history.js';
import { historyKnownBy, type KnownHistory } from '../history/known-history.js';
import { knowledgeAt, stepsOf } from '../history/history-steps.js';
import { sharesOf } from '../result/shares.js';
import { changedCells, noCells, type CellReader, type Cells } from './cells.js';

/**
 * Kinds of changes in addition to the event types of a customer. `rates` and `products` are exchange rates and catalogue products learned
 * since.
 */
export const otherKinds = { time: 'time', setting: 'setting', rates: 'rates', products: 'products' } as const;

/** Amounts by packed cell. */
export type Change = { readonly kind: string; readonly amounts: ReadonlyMap<number, number> };

type State = { readonly history: KnownHistory | null; readonly cells: Cells };
const absent: State = { history: null, cells: noCells };

export type CustomerChanges = { readonly changes: readonly Change[]; readonly then: State; readonly now: State };

/**
 * Returns the changes of a customer, given as each side has it, undefined if a side does not have it. The later side determines what was
 * learned in between.
 */
export type ChangesBetween = (then: CustomerHistory | undefined, now: CustomerHistory | undefined) => CustomerChanges;

export function changesBetween(then: ChartQuery, now: ChartQuery, reader: CellReader): ChangesBetween {
  const conversions = new Map(
    [then, now].flatMap(({ conversion }) => (conversion ? [[conversion, createConverter(conversion)] as const] : [])),
  );
  const stateOf = (customer: CustomerHistory | undefined, known: Knowledge, q: ChartQuery, cutoff: number): State => {
    const plain = customer ? historyKnownBy(customer, q.environment, known) : null;
    if (!plain) return absent;
    const history = (q.conversion && conversions.get(q.conversion)?.(plain)) ?? plain;
    return { history, cells: reader.of(history, sharesOf(q, history), cutoff) };
  };
  const isForward = then.range.asOf <= now.range.asOf;
  const [earlier, later] = isForward ? [then, now] : [now, then];
  const [from, to] = [earlier.range.asOf, later.range.asOf];
  const sightings = later.chart.subject === 'customers';
  const asOfEarlier = (customer: CustomerHistory | undefined) =>
    stateOf(customer, knowledgeAt(from, from), earlier, from);

  /** Collects the changes from the earlier side's view of the customer to the later side's view. */
  const walk = (customer: CustomerHistory, start: State): { readonly changes: Change[]; readonly end: State } => {
    const changes: Change[] = [];
    let state = start;
    const move = (kind: string, next: State) => {
      const amounts = changedCells(state.cells, next.cells);
      if (amounts.size > 0) changes.push({ kind, amounts });
      state = next;
    };
    const same = knowledgeAt(from, to);
    move(otherKinds.time, stateOf(customer, same, earlier, to));
    if (earlier.sold !== later.sold) {
      const sold = later.sold && { sold: later.sold };
      move(otherKinds.products, stateOf(customer, same, { ...earlier, ...sold }, to));
    }
    if (earlier.conversion !== later.conversion) move(otherKinds.rates, stateOf(customer, same, later, to));
    for (const { kind, known } of stepsOf(customer, { from, to, sightings })) {
      move(kind, stateOf(customer, known, later, to));
    }
    // A customer that was only seen since adds nothing, but belongs to a segment from then on.
    const isSeenToo = sightings || later.segment === null;
    return { changes, end: isSeenToo ? state : stateOf(customer, knowledgeAt(to, to), later, to) };
  };

  return (thenCustomer, nowCustomer) => {
    const [before, after] = isForward ? [thenCustomer, nowCustomer] : [nowCustomer, thenCustomer];
    const first = asOfEarlier(before);
    const start = before === after ? first : asOfEarlier(after);
    const { changes, end } = after ? walk(after, start) : { changes: [], end: start };
    const amounts = changedCells(first.cells, start.cells);
    if (amounts.size > 0) changes.push({ kind: otherKinds.setting, amounts });
    return isForward
      ? { changes, then: first, now: end }
      : { changes: changes.map(reverseChange), then: end, now: first };
  };
}

function reverseChange({ kind, amounts }: Change): Change {
  return { kind, amounts: new Map([...amounts].map(([cell, amount]) => [cell, -amount])) };
}

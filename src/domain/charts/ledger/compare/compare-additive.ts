// Comparison of charts whose rows add up independently: measures of purchases, and renewals.
import { spanOf } from '../../calendar.js';
import type { SeriesChart } from '../../catalogue/chart.js';
import { columnsDue, isSameSpan } from '../../result/cohorts.js';
import { measuresOf, NOT_SELECTED } from '../row-selection.js';
import { measureNumber } from '../measure-codes.js';
import type { LedgerColumns } from '../ledger.js';
import { spansByDay } from '../query-retention.js';
import { partOf, WHOLE, type ComparisonWindow, type EmitContribution, type View } from './comparison-window.js';
import { isValidAt, type Reader, type Rows } from './ledger-changes.js';
import { createGatherer, type CustomerEntries } from './customer-entries.js';

export function additiveReader(between: ComparisonWindow, chart: SeriesChart): Reader<CustomerEntries> {
  const { selectors, places, visibleCount } = between;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const row = (
    { selection }: View,
    entries: CustomerEntries,
    i: number,
    cutoff: number,
    put: EmitContribution,
  ): void => {
    const segment = selection.purchases[entries.attributes[i] ?? 0] ?? NOT_SELECTED;
    const at = entries.at[i] ?? 0;
    if (segment === NOT_SELECTED || at >= cutoff) return;
    const slot = at + (entries.lags[i] ?? 0) >= cutoff ? pending : (entries.slots[i] ?? NOT_SELECTED);
    const place = places.of(at);
    const index = place - 1;
    if (place === NOT_SELECTED || slot === NOT_SELECTED || index >= visibleCount) return;
    const value = entries.values[i] ?? 0;
    put(WHOLE, slot, 0, index, index + 1, value);
    if (selection.by !== 'none') put(partOf(segment), slot, 0, index, index + 1, value);
  };
  return {
    sums: measures,
    omits: 'rows',
    gathererOf: (ledger, omission) => createGatherer(ledger, slots, between, omission),
    row,
    state: stateByRows(row),
    settles: ({ at, lags }, i) => (at[i] ?? 0) + (lags[i] ?? 0),
  };
}

function stateByRows<G extends Rows>(row: NonNullable<Reader<G>['row']>): Reader<G>['state'] {
  return (view, entries, knowledgeTime, cutoff, put) => {
    for (let i = 0; i < entries.count; i++)
      if (isValidAt(entries, i, knowledgeTime)) row(view, entries, i, cutoff, put);
  };
}

const [SIZE, ELIGIBLE, RETAINED] = [0, 1, 2];

type Statuses = Rows & Readonly<Record<'attributes' | 'kinds' | 'lapsesAt', ArrayLike<number>>>;

type RenewalKind = LedgerColumns['renewalKinds'][number];

/** Emits a renewal status. The contribution that elapsed time changes comes last. */
function putStatus(
  part: number,
  track: number,
  { payments, revoked }: RenewalKind,
  due: number,
  put: EmitContribution,
): void {
  put(part, SIZE, track, 0, 1, 1);
  put(part, RETAINED, track, 0, payments, 1);
  for (const k of revoked) put(part, RETAINED, track, k, k + 1, -1);
  put(part, ELIGIBLE, track, 0, Math.max(due, payments), 1);
}

export function renewalReader({ selectors, places, visibleCount, since, until }: ComparisonWindow): Reader<Statuses> {
  const span = spanOf(selectors.productDuration) ?? { months: 0, days: 0 };
  const spansBy = new Map([since, until].map((cutoff) => [cutoff, spansByDay(span, cutoff - 1)]));
  const row = (
    { ledger, selection }: View,
    statuses: Statuses,
    i: number,
    cutoff: number,
    put: EmitContribution,
  ): void => {
    const kind = ledger.renewalKinds[statuses.kinds[i] ?? 0];
    const segment = selection.purchases[statuses.attributes[i] ?? 0] ?? NOT_SELECTED;
    if (!kind || segment === NOT_SELECTED) return;
    const at = statuses.at[i] ?? 0;
    const place = places.of(at);
    if (place < 1 || place > visibleCount) return;
    const { payments, calendarFrom } = kind;
    const status = { payments, calendarFrom, lapsesAt: statuses.lapsesAt[i] ?? 0 };
    const due = columnsDue(status, cutoff, () => spansBy.get(cutoff)?.(at) ?? 0);
    putStatus(WHOLE, place - 1, kind, due, put);
    if (selection.by !== 'none') putStatus(partOf(segment), place - 1, kind, due, put);
  };
  return {
    sums: ['size', 'eligible', 'sum'],
    omits: 'nothing',
    gathererOf: ({ renewals, renewalKinds }) => {
      const { columns, kinds, starts, ends } = renewals;
      const isWanted = renewalKinds.map((kind) => isSameSpan(kind.span, span));
      let statuses = roomForStatuses(16);
      return (place) => {
        const begin = starts[place ?? 0] ?? 0;
        const end = place === undefined ? begin : (ends[place] ?? 0);
        if (end - begin > statuses.at.length) statuses = roomForStatuses(2 * (end - begin));
        let count = 0;
        for (let i = begin; i < end; i++) {
          const [from, to, kind] = [columns.from[i] ?? 0, columns.to[i] ?? 0, kinds[i] ?? 0];
          if (from >= until || to < since || !isWanted[kind]) continue;
          statuses.at[count] = columns.at[i] ?? 0;
          statuses.from[count] = from;
          statuses.to[count] = to;
          statuses.lapsesAt[count] = columns.lapsesAt[i] ?? 0;
          statuses.kinds[count] = kind;
          statuses.attributes[count++] = columns.attributes[i] ?? 0;
        }
        statuses.count = count;
        return statuses;
      };
    },
    row,
    state: stateByRows(row),
  };
}

/** Allocates columns for statuses, valid until the next customer is gathered. */
function roomForStatuses(size: number) {
  const numbers = () => new Float64Array(size);
  const of = {
    at: numbers(),
    from: numbers(),
    to: numbers(),
    lapsesAt: numbers(),
    kinds: numbers(),
    attributes: numbers(),
  };
  return { ...of, count: 0 };
}

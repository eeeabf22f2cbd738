// Ledger rows of one customer: its contributions to every measure, and the states of knowledge in which they hold. Every past state of the
// history is passed to `contribution`; each difference to the previous state ends rows and begins others.
import { firstCharge } from '../../contribution.js';
import type { About, CustomerHistory } from '../../history/history.js';
import {
  historyKnownBy,
  type Charge,
  type Environment,
  type KnownHistory,
  type LiveLine,
} from '../../history/known-history.js';
import { renewalStatusOf, type RenewalStatus } from '../../result/cohorts.js';
import { cellOfCustomer, cellOfSighting, cellsOfLine, isSameCell, type Cell } from './cells.js';
import { changePointsOf, type EarlyEntry } from './change-points.js';

/** Attributes for filters and segments; `about` is null for rows that belong to the customer alone. */
export type Attributes = {
  readonly country: string | null;
  readonly platform: string | null;
  readonly about: About | null;
};

/**
 * Validity of a row: it counts in charts as of every instant with `from < asOf <= to`. Both are knowledge times, which also contain the kind of
 * event.
 */
type RowValidity = { readonly from: number; to: number; readonly attributes: Attributes };
type LedgerRow = RowValidity & { readonly cell: Cell };
type RenewalRow = RowValidity & { readonly status: RenewalStatus };
export type LedgerRows = {
  readonly rows: readonly LedgerRow[];
  readonly renewals: readonly RenewalRow[];
  readonly early: readonly EarlyEntry[];
};

type OpenLine = {
  readonly line: LiveLine;
  readonly first: Charge | null;
  readonly attributes: Attributes;
  readonly rows: ReadonlyMap<number, LedgerRow>;
  readonly renewal: RenewalRow | null;
};
type RowOutput = { readonly rows: LedgerRow[]; readonly renewals: RenewalRow[] };

type Convert = (history: KnownHistory) => KnownHistory;
const unconverted: Convert = (history) => history;

/** Computes the rows of a customer. Activity rows come last, ordered by time. `convert` converts money to another currency. */
export function ledgerRowsOf(
  customer: CustomerHistory,
  environment: Environment,
  convert: Convert = unconverted,
): LedgerRows {
  const writing: RowOutput = { rows: [], renewals: [] };
  const customerSpans: RowValidity[] = [];
  let own: LedgerRow | null = null;
  let open: ReadonlyMap<object, OpenLine> = new Map();
  const changePoints = changePointsOf(customer);
  for (const from of changePoints.all) {
    const known = historyKnownBy(customer, environment, changePoints.knownAt(from));
    const history = known && convert(known);
    const customerSpan = history && updateCustomer(customerSpans, history, from);
    if (!customerSpan) end(customerSpans.at(-1), from);
    const cell = history && cellOfCustomer(history);
    if (!own || !cell || own.attributes !== customerSpan?.attributes || !isSameCell(own.cell, cell)) {
      end(own, from);
      own =
        customerSpan && cell
          ? begin(writing.rows, { from, to: Infinity, attributes: customerSpan.attributes, cell })
          : null;
    }
    open = updateLines(writing, open, history?.lines ?? [], customerSpan?.attributes, from);
  }
  for (const { at, from, to } of changePoints.sightings) {
    const cell = cellOfSighting(at);
    for (const customerSpan of customerSpans) {
      const [begins, ends] = [Math.max(from, customerSpan.from), Math.min(to, customerSpan.to)];
      if (begins < ends) writing.rows.push({ from: begins, to: ends, attributes: customerSpan.attributes, cell });
    }
  }
  return { ...writing, early: changePoints.early };
}

function begin<R>(rows: R[], row: R): R {
  rows.push(row);
  return row;
}

function end(row: RowValidity | null | undefined, to: number): void {
  if (row && row.to > to) row.to = to;
}

/** Returns the customer attributes valid from that moment on; a purchase may change them. */
function updateCustomer(customerSpans: RowValidity[], { country, platform }: KnownHistory, from: number): RowValidity {
  const last = customerSpans.at(-1);
  if (last?.to === Infinity && last.attributes.country === country && last.attributes.platform === platform)
    return last;
  end(last, from);
  return begin(customerSpans, { from, to: Infinity, attributes: { country, platform, about: null } });
}

/** Updates the open lines. Lines are matched by the identity of `about`; an unmatched line ends and begins as a new one. */
function updateLines(
  writing: RowOutput,
  open: ReadonlyMap<object, OpenLine>,
  lines: readonly LiveLine[],
  customerSpan: Attributes | undefined,
  from: number,
): ReadonlyMap<object, OpenLine> {
  const next = new Map<object, OpenLine>();
  if (customerSpan) {
    const first = firstCharge(lines);
    for (const line of lines) {
      const isAnother = next.has(line.about);
      const before = isAnother ? undefined : open.get(line.about);
      next.set(isAnother ? line : line.about, updateLine(writing, before, line, first, customerSpan, from));
    }
  }
  for (const [key, line] of open) if (next.get(key)?.attributes !== line.attributes) endLine(line, from);
  return next;
}

function updateLine(
  { rows, renewals }: RowOutput,
  before: OpenLine | undefined,
  line: LiveLine,
  firstOfAll: Charge | null,
  customerSpan: Attributes,
  from: number,
): OpenLine {
  const { country, platform } = customerSpan;
  const first = firstOfAll && line.charges.includes(firstOfAll) ? firstOfAll : null;
  const known = before?.attributes.country === country && before.attributes.platform === platform ? before : undefined;
  if (known && known.first?.period === first?.period && isSameLine(known.line, line)) return known;
  const attributes = known?.attributes ?? { country, platform, about: line.about };
  const openRows = new Map<number, LedgerRow>();
  for (const [at, cell] of cellsOfLine(line, first)) {
    const row = known?.rows.get(at);
    openRows.set(at, row && isSameCell(row.cell, cell) ? row : begin(rows, { from, to: Infinity, attributes, cell }));
  }
  for (const [at, row] of known?.rows ?? []) if (openRows.get(at) !== row) end(row, from);
  const status = renewalStatusOf(line);
  let renewal = known?.renewal ?? null;
  if (!isSameStatus(renewal?.status, status)) {
    end(renewal, from);
    renewal = status && begin(renewals, { from, to: Infinity, attributes, status });
  }
  return { line, first, attributes, rows: openRows, renewal };
}

function endLine({ rows, renewal }: OpenLine, to: number): void {
  for (const row of rows.values()) end(row, to);
  end(renewal, to);
}

function isSameLine(a: LiveLine, b: LiveLine): boolean {
  return (
    isSameList(a.marks, b.marks) &&
    a.charges.length === b.charges.length &&
    a.charges.every(({ period }, i) => {
      const { id } = period;
      return period === b.charges[i]?.period && isSameList(a.adjustmentsOf(id), b.adjustmentsOf(id));
    }) &&
    a.strays.length === b.strays.length &&
    a.strays.every(({ at, usd, tax, fee }, i) => {
      const other = b.strays[i];
      return at === other?.at && usd === other.usd && tax === other.tax && fee === other.fee;
    })
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((entry, i) => entry === b[i]);
}

function isSameStatus(a: RenewalStatus | null | undefined, b: RenewalStatus | null): boolean {
  if (!a || !b) return !a && !b;
  return (
    a.at === b.at &&
    a.payments === b.payments &&
    a.lapsesAt === b.lapsesAt &&
    a.calendarFrom === b.calendarFrom &&
    a.span.months === b.span.months &&
    a.span.days === b.span.days &&
    isSameList(a.revoked, b.revoked)
  );
}

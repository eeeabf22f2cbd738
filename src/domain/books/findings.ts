// Findings of comparisons with reports: months that became complete, and lines of reports that were not recorded. Each is recorded
// once, whatever the order of reports and notifications, and however often a month is compared.
import type { Decider } from '../decider.js';
import { addAmounts, NOTHING, type Amounts, type BookEntry } from './entries.js';
import { booksEvents as e, type BooksEvent, type FindingEvent, type ReceivedReport } from './events.js';

type CompletedMonth = Extract<BooksEvent, { type: 'MonthCompleted' }>['data'];
type MissingLines = Extract<BooksEvent, { type: 'MissingLinesFound' }>['data'];

export type FindingsState = {
  readonly completed: ReadonlySet<string>;
  /** Reports with missing lines. */
  readonly reportIds: ReadonlySet<string>;
  /** The last missing lines of each kind, account and month. */
  readonly last: ReadonlyMap<string, MissingLines>;
};

export type FindingsCommand =
  | { readonly kind: 'recordCompletion'; readonly completed: CompletedMonth }
  | { readonly kind: 'recordMissingLines'; readonly missing: MissingLines };

export const findingsDecider: Decider<FindingsState, FindingsCommand, FindingEvent> = {
  initial: () => ({ completed: new Set(), reportIds: new Set(), last: new Map() }),
  evolve: (state, event) =>
    event.type === 'MonthCompleted'
      ? { ...state, completed: new Set(state.completed).add(event.data.month) }
      : {
          ...state,
          reportIds: new Set(state.reportIds).add(event.data.reportId),
          last: new Map(state.last).set(placeOf(event.data), event.data),
        },
  decide: (command, state) => {
    if (command.kind === 'recordCompletion')
      return state.completed.has(command.completed.month) ? [] : [e.MonthCompleted.of(command.completed)];
    const { missing } = command;
    const isRepeat = state.reportIds.has(missing.reportId) || isSame(state.last.get(placeOf(missing)), missing);
    return isRepeat ? [] : [e.MissingLinesFound.of(missing)];
  },
};

function placeOf({ kind, account, month }: MissingLines): string {
  return `${kind}|${account}|${month}`;
}

/** Returns whether a newer report in place of another lacks nothing else. */
function isSame(last: MissingLines | undefined, { lines, totals }: MissingLines): boolean {
  return last?.lines === lines && JSON.stringify(last.totals) === JSON.stringify(totals);
}

/** A month as it was compared. */
type ComparedMonth = {
  readonly month: string;
  readonly isComplete: boolean;
  readonly reports: readonly (ReceivedReport & { readonly isCounted: boolean })[];
  readonly entries: readonly BookEntry[];
};

const MAX_EXAMPLES = 20;
/** A webhook has at most 64 KiB: texts of a report are cut, and further sums and reports left out. */
const [MAX_TEXT, MAX_SUMS, MAX_REPORTS] = [100, 50, 100];

/** Returns what is to be recorded about a month that has a report. */
export function findingsOf({ month, isComplete, reports, entries }: ComparedMonth): readonly FindingsCommand[] {
  const counted = reports.filter((report) => report.isCounted);
  if (counted.length === 0) return [];
  const commands: FindingsCommand[] = [];
  const missing = missingByReport(entries);
  for (const { reportId, kind, store, account } of counted) {
    const lines = missing.get(reportId) ?? [];
    if (lines.length === 0) continue;
    const about = { month, reportId, kind, store, account, lines: lines.length };
    const examples = lines.slice(0, MAX_EXAMPLES).map(exampleOf);
    commands.push({ kind: 'recordMissingLines', missing: { ...about, totals: missingTotals(lines), examples } });
  }
  if (!isComplete) return commands;
  const reportIds = counted.slice(0, MAX_REPORTS).map(({ reportId }) => reportId);
  return [...commands, { kind: 'recordCompletion', completed: { month, reportIds, totals: proceedsOf(entries) } }];
}

type MissingEntry = BookEntry & { readonly appId: string };

/** Returns the entries that only a report has, by the report of their first line. */
function missingByReport(entries: readonly BookEntry[]): ReadonlyMap<string, readonly MissingEntry[]> {
  const found = new Map<string, MissingEntry[]>();
  for (const entry of entries) {
    const { cause, appId, rows } = entry;
    const reportId = rows[0]?.reportId;
    if (cause !== 'missing_here' || appId === null || reportId === undefined) continue;
    const ofReport = found.get(reportId) ?? [];
    ofReport.push({ ...entry, appId });
    found.set(reportId, ofReport);
  }
  return found;
}

function exampleOf({ kind, appId, day, sku, country, currency, count, orderId }: MissingEntry) {
  const cut = (text: string | null) => text && text.slice(0, MAX_TEXT);
  return { kind, appId, day, storeProductId: cut(sku), country: cut(country), currency, count, orderId: cut(orderId) };
}

function missingTotals(lines: readonly MissingEntry[]): MissingLines['totals'] {
  const sums = sumByCurrency(lines, ({ store }) => store);
  return sums.map(([currency, { charged, refunded }]) => ({
    currency,
    chargedMicros: charged,
    refundedMicros: refunded,
  }));
}

function proceedsOf(entries: readonly BookEntry[]): CompletedMonth['totals'] {
  const store = new Map(sumByCurrency(entries, (entry) => entry.store));
  return sumByCurrency(entries, ({ ours }) => ours).map(([currency, { proceeds }]) => ({
    currency,
    oursMicros: proceeds,
    storeMicros: store.get(currency)?.proceeds ?? 0,
  }));
}

function sumByCurrency<E extends BookEntry>(entries: readonly E[], amountsOf: (entry: E) => Amounts | null) {
  const sums = new Map<string, Amounts>();
  for (const entry of entries)
    sums.set(entry.currency, addAmounts(sums.get(entry.currency) ?? NOTHING, amountsOf(entry) ?? NOTHING));
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_SUMS);
}

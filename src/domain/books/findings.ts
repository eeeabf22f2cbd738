// Findings of comparisons with reports: months that became complete, and lines of reports that were not recorded. Each is recorded
// once, whatever the order of reports and notifications, and however often a month is compared.
import type { Decider } from '../decider.js';
import { addAmounts, NOTHING, type Amounts, type BookEntry } from './entries.js';
import { booksEvents as e, type BooksEvent, type FindingEvent, type ReceivedReport } from './events.js';
import type { Steps } from './steps.js';

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
  /** Reports of the month that will not come. */
  readonly absences?: readonly unknown[];
  readonly entries: readonly BookEntry[];
};

const MAX_EXAMPLES = 20;
/** A webhook has at most 64 KiB: texts of a report are cut, and further sums and reports left out. */
const [MAX_TEXT, MAX_SUMS, MAX_REPORTS] = [100, 50, 100];

/** Returns what is to be recorded about a month that has a report, or for which none will come. */
export function* findingsOf(of: ComparedMonth): Steps<readonly FindingsCommand[]> {
  const { month, isComplete, reports, entries, absences = [] } = of;
  const counted = reports.filter((report) => report.isCounted);
  if (counted.length === 0 && absences.length === 0) return [];
  const commands: FindingsCommand[] = [];
  const missing = yield* missingByReport(entries);
  for (const { reportId, kind, store, account } of counted) {
    const found = missing.get(reportId);
    if (!found) continue;
    const about = { month, reportId, kind, store, account, lines: found.lines };
    const totals = inOrder(found.sums).map(([currency, { charged, refunded }]) => ({
      currency,
      chargedMicros: charged,
      refundedMicros: refunded,
    }));
    commands.push({ kind: 'recordMissingLines', missing: { ...about, totals, examples: found.examples } });
  }
  if (!isComplete) return commands;
  const reportIds = counted.slice(0, MAX_REPORTS).map(({ reportId }) => reportId);
  const totals = yield* proceedsOf(entries);
  return [...commands, { kind: 'recordCompletion', completed: { month, reportIds, totals } }];
}

type Missing = { lines: number; readonly sums: Map<string, Amounts>; readonly examples: MissingLines['examples'] };

/** Returns the lines that only a report has, by the report of the first of them. */
function* missingByReport(entries: readonly BookEntry[]): Steps<ReadonlyMap<string, Missing>> {
  const found = new Map<string, Missing>();
  for (const entry of entries) {
    yield;
    const { cause, appId, rows } = entry;
    const reportId = rows[0]?.reportId;
    if (cause !== 'missing_here' || appId === null || reportId === undefined) continue;
    const ofReport = found.get(reportId) ?? { lines: 0, sums: new Map<string, Amounts>(), examples: [] };
    ofReport.lines++;
    addTo(ofReport.sums, entry.currency, entry.store);
    if (ofReport.examples.length < MAX_EXAMPLES) ofReport.examples.push(exampleOf(entry, appId));
    found.set(reportId, ofReport);
  }
  return found;
}

function exampleOf(entry: BookEntry, appId: string) {
  const { kind, day, sku, country, currency, count, orderId } = entry;
  const cut = (text: string | null) => text && text.slice(0, MAX_TEXT);
  return { kind, appId, day, storeProductId: cut(sku), country: cut(country), currency, count, orderId: cut(orderId) };
}

function* proceedsOf(entries: readonly BookEntry[]): Steps<CompletedMonth['totals']> {
  const [ours, store] = [new Map<string, Amounts>(), new Map<string, Amounts>()];
  for (const entry of entries) {
    yield;
    addTo(ours, entry.currency, entry.ours);
    addTo(store, entry.currency, entry.store);
  }
  return inOrder(ours).map(([currency, { proceeds }]) => ({
    currency,
    oursMicros: proceeds,
    storeMicros: store.get(currency)?.proceeds ?? 0,
  }));
}

function addTo(sums: Map<string, Amounts>, currency: string, amounts: Amounts | null): void {
  sums.set(currency, addAmounts(sums.get(currency) ?? NOTHING, amounts ?? NOTHING));
}

function inOrder(sums: ReadonlyMap<string, Amounts>): readonly (readonly [string, Amounts])[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_SUMS);
}

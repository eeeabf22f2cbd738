// Which reports of a project count. One source counts for each account and month: a newer file takes the place of the older one of the same
// kind, and a kind that says more takes that of one that says less. The others stay listed.
import { reportKinds, type ReportKind } from './lines.js';

/** `part`: region of a financial report; null: all of the account's month. */
export type ReportPlace = {
  readonly reportId: string;
  readonly kind: ReportKind;
  readonly store: string;
  readonly account: string;
  readonly month: string;
  readonly part?: string | undefined;
  readonly position: string;
  readonly lines: number;
};

/** Lines of a month and store that are compared. */
export const MAX_COUNTED_LINES = 1_000_000;

/**
 * `replaced`: a newer file of the same kind, account, month and part is there. `outranked`: another kind says more of the account's month.
 * `too_many_lines`: with this one, the reports of the month and store would have more lines than are compared.
 */
export const uncountedReasons = ['replaced', 'outranked', 'too_many_lines'] as const;
export type UncountedReason = (typeof uncountedReasons)[number];

/** Account of a sales report that none was stated for: it is of all accounts. */
export const ALL_ACCOUNTS = 'all';

/** Returns true for a kind that states what buyers were charged, and not what the store settles. */
export function isEstimate(kind: ReportKind): boolean {
  return kind === 'sales';
}

/** Returns why a report does not count, by its ID; reports that count are not in the map. */
export function uncountedReports(
  reports: readonly ReportPlace[],
  maxLines = MAX_COUNTED_LINES,
): ReadonlyMap<string, UncountedReason> {
  const reasons = new Map<string, UncountedReason>();
  const newest = new Map<string, ReportPlace>();
  for (const report of reports) {
    const place = [report.kind, report.account, report.month, report.part ?? ''].join('|');
    const other = newest.get(place);
    const isNewer = !other || report.position > other.position;
    const replaced = isNewer ? other : report;
    if (replaced) reasons.set(replaced.reportId, 'replaced');
    if (isNewer) newest.set(place, report);
  }
  const byMonth = new Map<string, ReportPlace[]>();
  for (const report of newest.values()) {
    const key = `${report.store}|${report.month}`;
    const ofMonth = byMonth.get(key);
    if (ofMonth) ofMonth.push(report);
    else byMonth.set(key, [report]);
  }
  for (const ofMonth of byMonth.values())
    for (const report of ofMonth)
      if (ofMonth.some((other) => outranks(other, report))) reasons.set(report.reportId, 'outranked');
  for (const ofMonth of byMonth.values()) {
    let lines = 0;
    for (const report of ofMonth.toSorted((a, b) => (a.position < b.position ? -1 : 1))) {
      if (reasons.has(report.reportId)) continue;
      if (lines + report.lines > maxLines) reasons.set(report.reportId, 'too_many_lines');
      else lines += report.lines;
    }
  }
  return reasons;
}

function outranks(one: ReportPlace, other: ReportPlace): boolean {
  if (one.account !== other.account && other.account !== ALL_ACCOUNTS) return false;
  // What is paid to the bank is compared with nothing.
  if (one.kind === 'payments' || other.kind === 'payments') return false;
  const [rank, otherRank] = [reportKinds.indexOf(one.kind), reportKinds.indexOf(other.kind)];
  if (rank !== otherRank) return rank < otherRank;
  // The file of all regions has what those of single ones have.
  return one.part === undefined && other.part !== undefined;
}

// Reports of a project, and which of them count.
import { uncountedReports } from '../../domain/books/counted-reports.js';
import { storeReports } from '../models/store-reports.js';
import type { ReadModels } from '../queries/read-models.js';
import type { ListedReport } from './month-sources.js';

/** A project has a few reports a month; the oldest beyond this number are not listed. */
const MAX_REPORTS = 2000;

/** `maxLines`: of a month and store that are compared, where memory is for fewer than usual. */
export type ReportListDeps = { readonly readModels: ReadModels; readonly maxLines?: number };

/** Returns the reports that were received by the instant, or all; the newest month first. */
export async function listReports(
  { readModels, maxLines }: ReportListDeps,
  projectId: string,
  asOf?: string,
): Promise<readonly ListedReport[]> {
  const scan = { index: 'project', eq: [projectId], limit: MAX_REPORTS, reverse: true };
  const all = (await readModels.scan(storeReports, scan)).rows.map(({ doc }) => doc);
  const docs = asOf === undefined ? all : all.filter(({ receivedAt }) => receivedAt <= asOf);
  const uncounted = uncountedReports(docs, maxLines);
  const ordered = docs.toSorted((a, b) => compareTexts(b.month, a.month) || compareTexts(b.position, a.position));
  return ordered.map((doc) => {
    const uncountedReason = uncounted.get(doc.reportId) ?? null;
    return { ...doc, isCounted: uncountedReason === null, uncountedReason };
  });
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

// Reports of a project, and which of them count.
import { getHeapStatistics } from 'node:v8';
import { MAX_COUNTED_LINES, uncountedReports } from '../../domain/books/counted-reports.js';
import { storeReports } from '../models/store-reports.js';
import type { ReadModels } from '../queries/read-models.js';
import type { ListedReport } from './month-sources.js';

/** A project has a few reports a month; the oldest beyond this number are not listed. */
const MAX_REPORTS = 2000;
/** Memory of a line while its month is compared, and the share of Node's heap that a month may use. */
const [BYTES_PER_LINE, SHARE_OF_HEAP] = [600, 0.6];
const MAX_LINES = Math.min(
  MAX_COUNTED_LINES,
  Math.floor((getHeapStatistics().heap_size_limit * SHARE_OF_HEAP) / BYTES_PER_LINE),
);

/** Returns the reports that were received by the instant, or all; the newest month first. */
export async function listReports(
  readModels: ReadModels,
  projectId: string,
  asOf?: string,
): Promise<readonly ListedReport[]> {
  const scan = { index: 'project', eq: [projectId], limit: MAX_REPORTS, reverse: true };
  const all = (await readModels.scan(storeReports, scan)).rows.map(({ doc }) => doc);
  const docs = asOf === undefined ? all : all.filter(({ receivedAt }) => receivedAt <= asOf);
  const uncounted = uncountedReports(docs, MAX_LINES);
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

// Migration of records of imports by earlier versions, which named app user IDs: an erasure does not reach them.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { scanPages, updateRecord } from '../../adapters/documents/records.js';
import { importCollection, type ImportRecord } from '../../commands/imports/import-records.js';

const { name: c } = importCollection;
/** Problems whose details contained app user IDs or values of cells. */
const PERSONAL_DETAILS: ReadonlySet<string> = new Set(['erased', 'several-mains', 'unreadable']);
const PAGE = 100;

/** Removes app user IDs from the records that an earlier version stored. Safe to repeat. An interrupted import starts again. */
export async function removeNamesOfFormerImports(docs: DocStore): Promise<void> {
  for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan)))
    for (const { id, doc } of rows) if ('after' in doc) await updateRecord(docs, c, id, withoutNames);
}

function withoutNames(stored: Doc | null): Doc | undefined {
  if (!stored || !('after' in stored)) return undefined;
  const { after: _, ...rest } = stored;
  const { report } = rest as unknown as ImportRecord;
  const problems = report?.problems.map((problem) => {
    if (!PERSONAL_DETAILS.has(problem.code)) return problem;
    return { ...problem, examples: problem.examples.map((example) => ({ ...example, detail: '' })) };
  });
  return { ...rest, recorded: 0, claim: null, report: report && { ...report, problems: problems ?? [] } };
}

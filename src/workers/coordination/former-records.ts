// Migration of records of earlier versions: the checkpoints of reactions were `cursors`, one reaction had another name, and imports named
// app user IDs, which an erasure does not reach.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { scanPages, createRecord, removeRecord, updateRecord } from '../../adapters/documents/records.js';
import { parkedEventCollection, parkedEventId } from '../../commands/handling/parked-events.js';
import { importCollection, type ImportRecord } from '../../commands/imports/import-records.js';
import { reactionCheckpointCollection } from '../reactions/reaction.js';

type NamedRecord = { readonly c: string; readonly id: string; readonly doc: Doc };

const FORMER_CHECKPOINTS = { name: 'cursors', indexes: [] };
const FORMER_REACTION = 'endings';
const REACTION = 'deletion_cleanup';
const PAGE = 500;

/** Returns the record with the names of this version. */
export function renameRecord<R extends NamedRecord>(record: R): R {
  const { c, id, doc } = record;
  if (c === FORMER_CHECKPOINTS.name) {
    return { ...record, c: reactionCheckpointCollection.name, id: id === FORMER_REACTION ? REACTION : id };
  }
  if (c === parkedEventCollection.name && doc['reaction'] === FORMER_REACTION) {
    return { ...record, id: parkedEventId(REACTION, String(doc['eventId'])), doc: { ...doc, reaction: REACTION } };
  }
  return record;
}

/**
 * Gives the records that an earlier version stored their new names. Safe to repeat: a record that exists under its new name stays. Checkpoints also stay
 * under their former name: that version, started again, goes on from them and handles what came since once more, where it would else begin at the
 * head of the log and leave events out.
 */
export async function renameFormerRecords(docs: DocStore): Promise<void> {
  await docs.ensure([FORMER_CHECKPOINTS]);
  let hasFormer = false;
  for (const { name: c } of [FORMER_CHECKPOINTS, parkedEventCollection]) {
    for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) {
      for (const { id, doc } of rows) {
        const renamed = renameRecord({ c, id, doc });
        if (renamed.c === c && renamed.id === id) continue;
        await createRecord(docs, renamed.c, renamed.id, renamed.doc);
        if (c === FORMER_CHECKPOINTS.name) hasFormer = true;
        else await removeRecord(docs, c, id);
      }
    }
  }
  if (!hasFormer) await docs.drop(FORMER_CHECKPOINTS.name);
}

const { name: c } = importCollection;
/** Problems whose details contained app user IDs or values of cells. */
const PERSONAL_DETAILS: ReadonlySet<string> = new Set(['erased', 'ambiguous-name', 'several-mains', 'unreadable']);
const IMPORTS_PER_PAGE = 100;

/** Removes app user IDs from the records that an earlier version stored. Safe to repeat. An interrupted import starts again. */
export async function removeNamesOfFormerImports(docs: DocStore): Promise<void> {
  for await (const rows of scanPages({ index: 'id', eq: [], limit: IMPORTS_PER_PAGE }, (scan) => docs.scan(c, scan)))
    for (const { id, doc } of rows) if ('after' in doc) await updateRecord(docs, c, id, withoutNames);
}

function withoutNames(stored: ImportRecord | null): ImportRecord | undefined {
  if (!stored || !('after' in stored)) return undefined;
  const { after: _, ...rest } = stored;
  const { report } = rest;
  const problems = report?.problems.map((problem) => {
    if (!PERSONAL_DETAILS.has(problem.code)) return problem;
    return { ...problem, examples: problem.examples.map((example) => ({ ...example, detail: '' })) };
  });
  const cleared = { recorded: 0, claim: null };
  return { ...rest, ...cleared, report: report && { ...report, problems: problems ?? [] } };
}

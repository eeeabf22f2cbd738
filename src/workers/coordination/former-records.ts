// Migration of records with names of earlier versions: the checkpoints of reactions were `cursors`, and one reaction had another name.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { scanPages, createRecord, removeRecord } from '../../adapters/documents/records.js';
import { parkedEventCollection, parkedEventId } from '../../commands/handling/parked-events.js';
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

/** Renames the records that an earlier version stored. Safe to repeat: a record that exists under its new name stays. */
export async function renameFormerRecords(docs: DocStore): Promise<void> {
  await docs.ensure([FORMER_CHECKPOINTS]);
  for (const { name: c } of [FORMER_CHECKPOINTS, parkedEventCollection]) {
    for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) {
      for (const { id, doc } of rows) {
        const renamed = renameRecord({ c, id, doc });
        if (renamed.c === c && renamed.id === id) continue;
        await createRecord(docs, renamed.c, renamed.id, renamed.doc);
        await removeRecord(docs, c, id);
      }
    }
  }
  await docs.drop(FORMER_CHECKPOINTS.name);
}

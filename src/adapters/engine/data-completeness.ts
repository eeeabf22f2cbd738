// Check of the data directory for missing files. A service on incomplete data would record events that are later lost, so it must not
// start, and must not create replacements of missing files.
import { existsSync } from 'node:fs';
import type { DocStore } from '../documents/port.js';
import { dataFiles } from '../configuration/data-directory.js';
import { HEAD } from '../event-log/embedded/writer.js';
import { damageOr, openForReading, prepareQuery } from '../sqlite/database.js';
import { dataKeyCollection } from '../keys/vault.js';

/** Error of missing files that an operator must restore first; the message describes which. */
export class IncompleteData extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IncompleteData';
  }
}

export type DataLocation = {
  readonly DATA_DIR: string;
  readonly EVENTSTORE_URL?: string | undefined;
  readonly MONGODB_URL?: string | undefined;
};

/** State of the files; null for data on a server. */
export type DataFileState = { readonly log: 'missing' | 'empty' | 'used' | null; readonly documents: boolean | null };

/**
 * Checks the files before anything is opened for writing, which would create missing ones. Throws {@link IncompleteData} and `DamagedFile`.
 */
export function checkFiles(place: DataLocation): DataFileState {
  const files = dataFiles(place.DATA_DIR);
  const state: DataFileState = {
    log: place.EVENTSTORE_URL === undefined ? readLogState(files.log) : null,
    documents: place.MONGODB_URL === undefined ? existsSync(files.documents) : null,
  };
  if (state.log === 'used' && state.documents === false) {
    throw new IncompleteData(
      `${files.documents} is missing, but ${files.log} contains events, which cannot be decrypted without the keys in it. ` +
        'Restore documents.sqlite from its backup.',
    );
  }
  return state;
}

/** Returns whether this installation was used before. Throws {@link IncompleteData} when its log is missing. */
export async function checkLogExists(docs: DocStore, state: DataFileState, dataDir: string): Promise<boolean> {
  const { rows } = await docs.scan(dataKeyCollection.name, { index: 'id', eq: [], limit: 1 });
  const isUsed = rows.length > 0;
  if (isUsed && state.log === 'missing') throw missingLogError(dataDir);
  return isUsed || state.log === 'used';
}

/** Check for readers. Throws {@link IncompleteData} when a file is missing, also when there is no data yet. */
export function checkHasData(place: DataLocation): void {
  const { log, documents } = checkFiles(place);
  if (log === 'missing' && documents) throw missingLogError(place.DATA_DIR);
  if (log === 'missing' || documents === false)
    throw new IncompleteData(`${place.DATA_DIR} contains no data yet; start the service once, or set DATA_DIR`);
}

function missingLogError(dataDir: string): IncompleteData {
  return new IncompleteData(
    `${dataFiles(dataDir).log} is missing, but the documents of its installation are there. Restore log.sqlite from its newest backup, ` +
      'and the documents from one that is not newer. To start from scratch, set DATA_DIR to an empty directory.',
  );
}

function readLogState(file: string): 'missing' | 'empty' | 'used' {
  if (!existsSync(file)) return 'missing';
  try {
    const db = openForReading(file);
    try {
      // A process killed during its first start leaves a file without tables.
      if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'log'").get() === undefined) return 'empty';
      const row = prepareQuery<{ readonly position: number }>(db, HEAD).get();
      return (row?.position ?? 0) > 0 ? 'used' : 'empty';
    } finally {
      db.close();
    }
  } catch (err) {
    throw damageOr(file, err);
  }
}

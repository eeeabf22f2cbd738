// Whether what lies in the data directory is whole. A service on a part of its data would record events that nobody finds again, so it must
// not start, and must make nothing in place of what is missing.
import { existsSync } from 'node:fs';
import type { DocStore } from '../documents/port.js';
import { dataFiles } from '../configuration/data-directory.js';
import { HEAD } from '../event-log/embedded/writer.js';
import { damageOr, openForReading } from '../sqlite/database.js';
import { dataKeyCollection } from '../keys/vault.js';

/** Somebody must put something back first; the message says what. */
export class IncompleteData extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IncompleteData';
  }
}

export type DataPlace = {
  readonly DATA_DIR: string;
  readonly EVENTSTORE_URL?: string | undefined;
  readonly MONGODB_URL?: string | undefined;
};

/** Null: not in a file but on a server. */
export type FoundFiles = { readonly log: 'missing' | 'empty' | 'used' | null; readonly documents: boolean | null };

/** Looked at before anything is opened for writing, which makes what is missing. Throws {@link IncompleteData} and `DamagedFile`. */
export function lookForFiles(place: DataPlace): FoundFiles {
  const files = dataFiles(place.DATA_DIR);
  const found: FoundFiles = {
    log: place.EVENTSTORE_URL === undefined ? stateOfLog(files.log) : null,
    documents: place.MONGODB_URL === undefined ? existsSync(files.documents) : null,
  };
  if (found.log === 'used' && found.documents === false) {
    throw new IncompleteData(
      `${files.documents} is missing, but ${files.log} holds events, which nobody can read without the keys in it. ` +
        'Restore documents.sqlite from its backup.',
    );
  }
  return found;
}

/** Whether this installation was in use before. Throws {@link IncompleteData} when its log is missing. */
export async function expectLogOf(docs: DocStore, found: FoundFiles, dataDir: string): Promise<boolean> {
  const { rows } = await docs.scan(dataKeyCollection.name, { index: 'id', eq: [], limit: 1 });
  const isUsed = rows.length > 0;
  if (isUsed && found.log === 'missing') throw logIsMissing(dataDir);
  return isUsed || found.log === 'used';
}

/** For who only reads. Throws {@link IncompleteData} when there is less than was there, also when there is nothing yet. */
export function expectSomeFiles(place: DataPlace): void {
  const { log, documents } = lookForFiles(place);
  if (log === 'missing' && documents) throw logIsMissing(place.DATA_DIR);
  if (log === 'missing' || documents === false)
    throw new IncompleteData(`${place.DATA_DIR} holds no data yet; start the service once, or set DATA_DIR`);
}

function logIsMissing(dataDir: string): IncompleteData {
  return new IncompleteData(
    `${dataFiles(dataDir).log} is missing, but the documents of its installation are there. Restore log.sqlite from its newest backup, ` +
      'and the documents from one that is not newer. To begin anew, set DATA_DIR to an empty directory.',
  );
}

function stateOfLog(file: string): 'missing' | 'empty' | 'used' {
  if (!existsSync(file)) return 'missing';
  try {
    const db = openForReading(file);
    try {
      // A process that was killed at its very first start leaves a file without tables.
      if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'log'").get() === undefined) return 'empty';
      const row = db.prepare(HEAD).get() as { readonly position: number } | undefined;
      return (row?.position ?? 0) > 0 ? 'used' : 'empty';
    } finally {
      db.close();
    }
  } catch (err) {
    throw damageOr(file, err);
  }
}

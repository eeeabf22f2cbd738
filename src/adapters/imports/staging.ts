// Staging area of an import in a temporary database of SQLite, whose file has no name any more once it is open: nothing is left of it when
// the process ends, however it ends. It has no durability: an import reads its files again.
import type { ImportedFact } from '../../domain/imports/facts.js';
import { DatabaseSync } from '../sqlite/engine.js';
import type { CustomerFacts, ImportStaging } from './port.js';

/** SQLite's name for a temporary database in a file. */
const TEMPORARY = '';
const MAX_SHARED_NAMES = 1000;

/** The file is in `SQLITE_TMPDIR`, else `TMPDIR`, else the temporary directory of the system. */
export function openImportStaging(): ImportStaging {
  const db = new DatabaseSync(TEMPORARY);
  db.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384;
    CREATE TABLE facts (customer TEXT NOT NULL, fact TEXT NOT NULL);
    CREATE TABLE names (name TEXT NOT NULL, customer TEXT NOT NULL, PRIMARY KEY (name, customer)) WITHOUT ROWID;
    BEGIN;
  `);
  const insertFact = db.prepare('INSERT INTO facts VALUES (?, ?)');
  const insertName = db.prepare('INSERT OR IGNORE INTO names VALUES (?, ?)');
  return {
    add: (facts) => {
      for (const fact of facts) {
        const { customerKey, customer } = fact;
        insertFact.run(customerKey, JSON.stringify(fact));
        for (const name of [customer.appUserId, ...customer.aliases])
          if (name !== customerKey) insertName.run(name, customerKey);
      }
    },
    group: () => {
      const sharedNames = db
        .prepare('SELECT name FROM names GROUP BY name HAVING count(*) > 1 LIMIT ?')
        .all(MAX_SHARED_NAMES)
        .map((row) => String((row as { name: unknown }).name));
      // A customer list and a token file know only one of the names.
      db.exec(`
        UPDATE facts SET customer = (SELECT min(names.customer) FROM names WHERE names.name = facts.customer)
          WHERE customer IN (SELECT name FROM names GROUP BY name HAVING count(*) = 1);
        CREATE INDEX by_customer ON facts (customer);
        COMMIT;
      `);
      const counts = db.prepare('SELECT count(DISTINCT customer) AS customers, count(*) AS facts FROM facts').get();
      const { customers, facts } = counts as { customers: number; facts: number };
      return { customers, facts, sharedNames };
    },
    customers: function* (recorded) {
      const rows = db.prepare('SELECT customer, fact, customer <= ? AS done FROM facts ORDER BY customer, rowid');
      let current: CollectedFacts | null = null;
      for (const row of rows.iterate(recorded ?? '')) {
        const { customer, fact, done } = row as { customer: string; fact: string; done: number };
        if (current && current.key !== customer) {
          yield asCustomer(current);
          current = null;
        }
        current ??= { key: customer, isRecorded: done === 1, facts: [] };
        current.facts.push(JSON.parse(fact) as ImportedFact);
      }
      if (current) yield asCustomer(current);
    },
    close: () => db.close(),
  };
}

type CollectedFacts = { readonly key: string; readonly isRecorded: boolean; readonly facts: ImportedFact[] };

function asCustomer({ key, isRecorded, facts }: CollectedFacts): CustomerFacts {
  const [first, ...others] = facts;
  if (!first) throw new Error(`customer ${key} has no facts`);
  return { key, isRecorded, facts: [first, ...others] };
}

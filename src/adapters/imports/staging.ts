// Staging area of an import in a temporary database of SQLite, whose file has no name any more once it is open: nothing is left of it when
// the process ends, however it ends. It has no durability: an import reads its files again.
import { setImmediate as turn } from 'node:timers/promises';
import type { ImportedFact } from '../../domain/imports/facts.js';
import { DatabaseSync, type Database } from '../sqlite/database.js';
import type { ImportStaging, SharedName } from './port.js';

/** SQLite's name for a temporary database in a file. */
const TEMPORARY = '';
const MAX_SHARED_NAMES = 1000;
/** Number of names, customers or facts that are read at once. */
const PAGE = 500;

/** The file is in `SQLITE_TMPDIR`, else `TMPDIR`, else the temporary directory of the system. */
export function openImportStaging(): ImportStaging {
  const db = new DatabaseSync(TEMPORARY);
  db.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384;
    CREATE TABLE facts (customer TEXT NOT NULL, fact TEXT NOT NULL);
    CREATE INDEX by_customer ON facts (customer);
    CREATE TABLE names (
      name TEXT NOT NULL, customer TEXT NOT NULL, file TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (name, customer)
    ) WITHOUT ROWID;
    CREATE INDEX names_of ON names (customer);
    BEGIN;
  `);
  const insertFact = db.prepare('INSERT INTO facts VALUES (?, ?)');
  const insertName = db.prepare('INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)');
  return {
    add: (facts) => {
      for (const fact of facts) {
        const { customerKey, customer, from } = fact;
        insertFact.run(customerKey, JSON.stringify(fact));
        for (const name of [customer.appUserId, ...customer.aliases])
          if (name !== customerKey) insertName.run(name, customerKey, from.file, from.row);
      }
    },
    group: async () => {
      const sharedNames = await joinNames(db);
      db.exec('COMMIT');
      const { facts } = db.prepare('SELECT count(*) AS facts FROM facts').get() as { facts: number };
      return { customers: await countCustomers(db), facts, sharedNames };
    },
    customers: function* () {
      // Pages, because an iterator of the package does not keep its statement, which may be freed between two turns.
      const page = db.prepare(
        `SELECT customer, rowid, fact FROM facts WHERE (customer, rowid) > (?, ?) ORDER BY customer, rowid LIMIT ${PAGE}`,
      );
      let [key, facts]: [string, ImportedFact[]] = ['', []];
      for (let after: readonly [string, number] = ['', 0]; ;) {
        const rows = page.all(...after) as readonly {
          readonly customer: string;
          readonly rowid: number;
          readonly fact: string;
        }[];
        for (const { customer, fact } of rows) {
          if (customer !== key && facts.length > 0) {
            yield facts as [ImportedFact, ...ImportedFact[]];
            facts = [];
          }
          key = customer;
          facts.push(JSON.parse(fact) as ImportedFact);
        }
        const end = rows.at(-1);
        if (!end) break;
        after = [end.customer, end.rowid];
      }
      if (facts.length > 0) yield facts as [ImportedFact, ...ImportedFact[]];
    },
    close: () => {
      // Files that cannot be read leave the transaction open. SQLite defines no rollback without a journal, and a close would be one.
      if (db.isTransaction) db.exec('COMMIT');
      db.close();
    },
  };
}

/**
 * Gives the facts of a name to the customer that it belongs to: a customer list and a token file know only one of the names. A joined name
 * may be the only difference between two customers of another name, so that all names are looked at until none is joined.
 */
async function joinNames(db: Database): Promise<readonly SharedName[]> {
  const [giveFacts, giveNames, removeNames] = [
    db.prepare('UPDATE facts SET customer = ? WHERE customer = ?'),
    db.prepare('UPDATE OR IGNORE names SET customer = ? WHERE customer = ?'),
    // A customer's own name is no name of another one.
    db.prepare('DELETE FROM names WHERE customer = ?1 OR (name = ?2 AND customer = ?2)'),
  ];
  const rows = db.prepare('SELECT file, row FROM names WHERE name = ? ORDER BY customer LIMIT 2');
  for (;;) {
    let changes = 0;
    const shared: SharedName[] = [];
    for await (const { name, first, last } of customersOfNames(db)) {
      if (first === last) {
        changes += Number(giveFacts.run(first, name).changes) + Number(giveNames.run(first, name).changes);
        removeNames.run(name, first);
      } else if (shared.length < MAX_SHARED_NAMES)
        shared.push({ name, rows: rows.all(name) as unknown as SharedName['rows'] });
    }
    if (changes === 0) return shared;
  }
}

type NameCustomers = { readonly name: string; readonly first: string; readonly last: string };

/** Yields all names with the first and the last of their customers. */
async function* customersOfNames(db: Database): AsyncIterable<NameCustomers> {
  const page = db.prepare(
    `SELECT name, min(customer) AS first, max(customer) AS last FROM names WHERE name > ? GROUP BY name ORDER BY name LIMIT ${PAGE}`,
  );
  for (let after = ''; ;) {
    const names = page.all(after) as readonly NameCustomers[];
    yield* names;
    const end = names.at(-1);
    if (!end) return;
    after = end.name;
    await turn();
  }
}

async function countCustomers(db: Database): Promise<number> {
  const page = db.prepare(
    `SELECT count(*) AS count, max(customer) AS last FROM (SELECT DISTINCT customer FROM facts WHERE customer > ? ORDER BY customer LIMIT ${PAGE})`,
  );
  let customers = 0;
  for (let after = ''; ;) {
    const { count, last } = page.get(after) as { count: number; last: string | null };
    if (last === null) return customers;
    customers += count;
    after = last;
    await turn();
  }
}

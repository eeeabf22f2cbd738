// Staging area of an import in a temporary database of SQLite, whose file has no name any more once it is open: nothing is left of it when
// the process ends, however it ends. It has no durability: an import reads its files again.
import type { ImportedRow } from '../../domain/envelope.js';
import type { ImportedFact } from '../../domain/imports/facts.js';
import { lineKeyOf } from '../../domain/imports/plan-lines.js';
import { DatabaseSync, prepareQuery, readOne, type Database, prepareOne } from '../sqlite/database.js';
import type { CustomerGroups } from './customer-groups.js';
import { forEachRow, joinNames } from './joined-names.js';
import type { ImportStaging, MovedRow, SharedName } from './port.js';
import { customersOf } from './staged-customers.js';

/** SQLite's name for a temporary database in a file. */
const TEMPORARY = '';
/** Number of names or facts that are read at once. */
const PAGE = 500;
/** Names whose numbers are in memory: the rows of a customer are close to each other in most files. */
const MAX_KNOWN_NAMES = 10_000;

/** The file is in `SQLITE_TMPDIR`, else `TMPDIR`, else the temporary directory of the system. */
export function openImportStaging(): ImportStaging {
  const db = new DatabaseSync(TEMPORARY);
  db.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384;
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, original INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE facts (customer INTEGER NOT NULL, fact TEXT NOT NULL, line INTEGER);
    CREATE INDEX by_customer ON facts (customer);
    CREATE TABLE names (
      name INTEGER NOT NULL, customer INTEGER NOT NULL, file TEXT NOT NULL, row INTEGER NOT NULL,
      PRIMARY KEY (name, customer)
    ) WITHOUT ROWID;
    CREATE TABLE shared (name INTEGER PRIMARY KEY);
    CREATE TABLE lines (
      id INTEGER PRIMARY KEY, line TEXT NOT NULL UNIQUE, customer INTEGER NOT NULL, updated TEXT NOT NULL,
      original INTEGER NOT NULL, contested INTEGER NOT NULL DEFAULT 0
    );
    BEGIN;
  `);
  const add = createWriter(db);
  const isSharedName = db.prepare('SELECT 1 FROM shared JOIN customers ON id = shared.name WHERE customers.name = ?');
  let hasShared = false;
  return {
    add,
    group: async () => {
      const groups = await joinNames(db);
      const moved = await giveLines(db, groups);
      await giveFacts(db, groups);
      db.exec('COMMIT');
      hasShared = db.prepare('SELECT 1 FROM shared LIMIT 1').get() !== undefined;
      const { facts } = readOne<{ facts: number }>(db, 'SELECT count(*) AS facts FROM facts');
      let customers = 0;
      await forEachRow(db, ONE_OF_EACH, () => void customers++);
      return { customers, facts, moved };
    },
    sharedNames: () => sharedNames(db),
    isShared: (name) => hasShared && isSharedName.get(name) !== undefined,
    customers: () => customersOf(db),
    close: () => {
      // Files that cannot be read leave the transaction open. SQLite defines no rollback without a journal, and a close would be one.
      if (db.isTransaction) db.exec('COMMIT');
      db.close();
    },
  };
}

const ONE_OF_EACH = 'SELECT DISTINCT customer AS at FROM facts WHERE customer > ? ORDER BY customer';

function createWriter(db: Database): ImportStaging['add'] {
  const enter = prepareOne<{ id: number }>(
    db,
    'INSERT INTO customers (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING id',
  );
  const tellApart = db.prepare('UPDATE customers SET original = 1 WHERE id = ?');
  const insertFact = db.prepare('INSERT INTO facts VALUES (?, ?, ?)');
  const insertName = db.prepare('INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)');
  // The newest row of a line names its owner; of equally new ones, the last.
  const insertLine = prepareOne<{ id: number }>(
    db,
    `
    INSERT INTO lines (line, customer, updated, original) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      contested = contested OR customer <> excluded.customer,
      customer = iif(excluded.updated >= updated, excluded.customer, customer),
      original = iif(excluded.updated >= updated, excluded.original, original),
      updated = max(updated, excluded.updated)
    RETURNING id
  `,
  );
  const known = new Map<string, number>();
  const idOf = (name: string): number => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const { id } = enter(name);
    if (known.size >= MAX_KNOWN_NAMES) known.clear();
    known.set(name, id);
    return id;
  };
  const lineOf = ({ purchase, updatedAt, isOriginal }: ImportedFact, customer: number): number | null => {
    if (!purchase) return null;
    const updated = `${updatedAt}|${purchase.purchasedAt}`;
    return insertLine(lineKeyOf(purchase), customer, updated, Number(isOriginal)).id;
  };
  return (facts) => {
    for (const fact of facts) {
      const { customerKey, customer, from, isOriginal, purchase } = fact;
      const id = idOf(customerKey);
      if (isOriginal && !purchase) tellApart.run(id);
      insertFact.run(id, JSON.stringify(fact), lineOf(fact, id));
      if (!customer) continue;
      for (const name of [customer.appUserId, ...customer.aliases])
        if (name !== customerKey) insertName.run(idOf(name), id, from.file, from.row);
    }
  };
}

/** Gives the purchases of lines that several customers have to their owner. Returns the rows whose purchase moved. */
async function giveLines(db: Database, groups: CustomerGroups): Promise<readonly MovedRow[]> {
  const moved: MovedRow[] = [];
  if (!db.prepare('SELECT 1 FROM lines WHERE contested = 1 LIMIT 1').get()) return moved;
  const read = prepareOne<{ fact: string }>(db, 'SELECT fact FROM facts WHERE rowid = ?');
  const nameOf = prepareOne<{ name: string }>(db, 'SELECT name FROM customers WHERE id = ?');
  const replace = db.prepare('UPDATE facts SET fact = ?, line = NULL WHERE rowid = ?');
  const insert = db.prepare('INSERT INTO facts VALUES (?, ?, ?)');
  const { last } = readOne<{ last: number }>(db, 'SELECT max(rowid) AS last FROM facts');
  const owned = `
    SELECT facts.rowid AS at, facts.customer AS customer, lines.customer AS owner, lines.id AS line
    FROM facts CROSS JOIN lines ON lines.id = facts.line WHERE facts.rowid <= ${last} AND facts.rowid > ? ORDER BY facts.rowid
  `;
  await forEachRow(db, owned, ({ at, customer = 0, owner = 0, line = 0 }) => {
    if (groups.first(customer) === groups.first(owner)) return;
    const fact: ImportedFact = JSON.parse(read(at).fact);
    const { name: customerKey } = nameOf(owner);
    insert.run(owner, JSON.stringify({ ...fact, customerKey, customer: null }), line);
    replace.run(JSON.stringify({ ...fact, purchase: null }), at);
    moved.push({ from: fact.from, isSandbox: fact.purchase?.environment === 'sandbox' });
  });
  return moved;
}

/** Gives all facts of a group to its first customer. */
async function giveFacts(db: Database, groups: CustomerGroups): Promise<void> {
  const give = db.prepare('UPDATE facts SET customer = ? WHERE customer = ?');
  await forEachRow(db, ONE_OF_EACH, ({ at }) => {
    const first = groups.first(at);
    if (first !== at) give.run(first, at);
  });
}

function* sharedNames(db: Database): Iterable<SharedName> {
  const page = prepareQuery<{ readonly name: number }>(
    db,
    `SELECT name FROM shared WHERE name > ? ORDER BY name LIMIT ${PAGE}`,
  );
  const rows = prepareQuery<ImportedRow>(db, 'SELECT file, row FROM names WHERE name = ? ORDER BY customer LIMIT 2');
  for (let after = 0; ;) {
    const names = page.all(after);
    for (const { name } of names) {
      const [from, other] = rows.all(name);
      if (from) yield { rows: other ? [from, other] : [from] };
    }
    const end = names.at(-1);
    if (!end) return;
    after = end.name;
  }
}

// The names of an import: which of them are the same customer, and which belong to several and therefore join nobody.
import { setImmediate as turn } from 'node:timers/promises';
import { prepareQuery, readOne, type Database } from '../sqlite/database.js';
import { createCustomerGroups, type CustomerGroups } from './customer-groups.js';

/** Number of rows that are read at once. */
const PAGE = 500;
/** A name that was left apart may be that of one customer after others were joined. What depends on more joins stays apart. */
const MAX_PASSES = 20;
/** A name of more customers is not looked at again. */
const MAX_CLAIMS = 1000;

/**
 * Gives each name to the customer that it belongs to: a customer list and a token file know only one of the names. A name of several
 * customers joins none of them, and is entered into the table `shared`.
 */
export async function joinNames(db: Database): Promise<CustomerGroups> {
  const { count } = readOne<{ count: number }>(db, 'SELECT coalesce(max(id), 0) AS count FROM customers');
  const groups = createCustomerGroups(count);
  await forEachRow(db, 'SELECT id AS at FROM customers WHERE original = 1 AND id > ? ORDER BY id', ({ at }) =>
    groups.tellApart(at),
  );
  await forEachRow(db, 'SELECT id AS at, customer FROM lines WHERE original = 1 AND id > ? ORDER BY id', (row) =>
    groups.tellApart(row['customer'] ?? row.at),
  );
  let apart = await joinAll(db, groups);
  for (let pass = 1; pass < MAX_PASSES && apart.length > 0; pass++) {
    const left = await joinAgain(db, groups, apart);
    if (left.length === apart.length) break;
    apart = left;
  }
  const share = db.prepare('INSERT OR IGNORE INTO shared VALUES (?)');
  for (const [index, name] of apart.entries()) {
    share.run(name);
    if (index % PAGE === 0) await turn();
  }
  return groups;
}

/** Joins each name with its only customer. Returns the names of several. */
async function joinAll(db: Database, groups: CustomerGroups): Promise<readonly number[]> {
  const page = prepareQuery<{ readonly name: number; readonly customer: number }>(
    db,
    `SELECT name, customer FROM names WHERE (name, customer) > (?, ?) ORDER BY name, customer LIMIT ${PAGE}`,
  );
  const apart: number[] = [];
  let claimed = { name: 0, by: 0, isShared: false };
  const end = () => {
    if (claimed.name !== 0 && (claimed.isShared || !groups.join(claimed.by, claimed.name))) apart.push(claimed.name);
  };
  for (let after: readonly [number, number] = [0, 0]; ;) {
    const rows = page.all(...after);
    for (const { name, customer } of rows) {
      if (claimed.name !== name) {
        end();
        claimed = { name, by: customer, isShared: false };
      } else if (groups.first(claimed.by) !== groups.first(customer)) claimed.isShared = true;
    }
    const last = rows.at(-1);
    if (!last) break;
    after = [last.name, last.customer];
    await turn();
  }
  end();
  return apart;
}

/** Looks again at names that were left apart. Returns those that still are. */
async function joinAgain(db: Database, groups: CustomerGroups, names: readonly number[]): Promise<readonly number[]> {
  const claims = prepareQuery<{ readonly customer: number }>(
    db,
    `SELECT customer FROM names WHERE name = ? LIMIT ${MAX_CLAIMS + 1}`,
  );
  const apart: number[] = [];
  let rowsSinceTurn = 0;
  for (const name of names) {
    const by = claims.all(name).map(({ customer }) => customer);
    const [one = name] = by;
    const isOne = by.length <= MAX_CLAIMS && by.every((other) => groups.first(other) === groups.first(one));
    if (!isOne || !groups.join(one, name)) apart.push(name);
    rowsSinceTurn += by.length + 1;
    if (rowsSinceTurn > PAGE) {
      rowsSinceTurn = 0;
      await turn();
    }
  }
  return apart;
}

type Row = { readonly at: number } & Readonly<Record<string, number>>;

/** Runs the query page by page. Its rows are ordered by `at`, which is above its only parameter. */
export async function forEachRow(db: Database, query: string, visit: (row: Row) => void): Promise<void> {
  const page = prepareQuery<Row>(db, `${query} LIMIT ${PAGE}`);
  for (let after = 0; ;) {
    const rows = page.all(after);
    for (const row of rows) visit(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.at;
    await turn();
  }
}

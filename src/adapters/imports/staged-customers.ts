// The customers of a staging area, each with a bounded number of facts.
import { prepareQuery, type Database } from '../sqlite/database.js';
import type { StagedCustomer } from './port.js';

/** Customers are planned and decided as a whole, in memory and between two turns of other work. */
const MAX_FACTS = 5000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Number of facts that are read at once. */
const PAGE = 500;

type FactRow = { readonly customer: number; readonly rowid: number; readonly fact: string };

export function* customersOf(db: Database): Iterable<StagedCustomer> {
  // Pages, because an iterator of the package does not keep its statement, which may be freed between two turns.
  const page = prepareQuery<FactRow>(
    db,
    `SELECT customer, rowid, fact FROM facts WHERE (customer, rowid) > (?, ?) ORDER BY customer, rowid LIMIT ${PAGE}`,
  );
  const staged = createCollector();
  for (let after: readonly [number, number] = [0, 0]; ;) {
    const rows = page.all(...after);
    for (const { customer, fact } of rows) {
      if (customer !== staged.customer()) yield* staged.begin(customer);
      staged.add(fact);
    }
    const end = rows.at(-1);
    if (!end) break;
    after = [end.customer, end.rowid];
  }
  yield* staged.begin(0);
}

/** Collects the facts of one customer after another; of one who has too many, only the first and their number. */
function createCollector() {
  let [key, count, characters] = [0, 0, 0];
  let facts: string[] = [];
  const isTooMuch = () => count > MAX_FACTS || characters > MAX_CHARACTERS;
  return {
    customer: () => key,
    add: (fact: string) => {
      count++;
      characters += fact.length;
      if (count === 1 || !isTooMuch()) facts.push(fact);
      else facts.length = 1;
    },
    /** Returns the former customer, if there is one. */
    begin: (next: number): readonly StagedCustomer[] => {
      const [first, ...rest] = facts;
      const omittedCount = isTooMuch() ? count : 0;
      [key, count, characters, facts] = [next, 0, 0, []];
      return first === undefined ? [] : [{ facts: [first, ...rest], omittedCount }];
    },
  };
}
